/**
 * Rules for the names on tickets: who must be named, and until when and how often a holder may be
 * changed.
 */
import type { TicketState } from '#server/domain/door/admission.ts';
import type { EventStatus } from '#server/domain/event/event.ts';
import { addressKey } from '#server/domain/text/mail-address.ts';
import { isolate } from '#server/domain/text/direction.ts';

/**
 * `name`: the event wants names, and the ticket has none yet. `change`: another person takes the
 * ticket over, and its old code ends.
 */
export const holderSteps = ['name', 'change'] as const;
type HolderStep = (typeof holderSteps)[number];

/** Why a name cannot be given now. */
export const holderObstacles = [
  'not_offered',
  'ticket_gone',
  'ticket_used',
  'event_cancelled',
  'too_late',
  'no_more',
] as const;
export type HolderObstacle = (typeof holderObstacles)[number];

/** 0 or 1 as in SQL, times in milliseconds. */
export interface HolderEvent {
  status: EventStatus;
  starts_at: number;
  nominative: 0 | 1;
  holder_change: 0 | 1;
  holder_changes_max: number;
  holder_change_until_hours: number;
  /** Until when names of tickets that were sold without them are asked for. */
  names_due: number | null;
}
export interface HolderTicket {
  state: TicketState;
  holder: string | null;
  holder_changes: number;
}

/**
 * A ticket without its name shows no code and is not printed, so that it cannot be handed on
 * unnamed.
 */
export function isNameMissing(
  event: Pick<HolderEvent, 'nominative'>,
  ticket: Pick<HolderTicket, 'holder'>,
): boolean {
  return event.nominative === 1 && ticket.holder === null;
}

/** A ticket that was sold without a name lets in without it; its buyer may still give one. */
export function isNameAsked(
  event: Pick<HolderEvent, 'nominative' | 'names_due'>,
  ticket: Pick<HolderTicket, 'holder'>,
): boolean {
  return event.nominative === 0 && event.names_due !== null && ticket.holder === null;
}

/** The last moment for a change; null where the event allows none. */
export function holderChangeUntil(event: HolderEvent): number | null {
  return event.holder_change === 1
    ? event.starts_at - event.holder_change_until_hours * 3_600_000
    : null;
}

/**
 * The first name of a nominative ticket is not a change and has no deadline: a guest at the door
 * still needs the code. `used`: the ticket has been let in. The office may correct a name until
 * the ticket is used, whatever the event allows buyers; the code changes all the same.
 */
export function holderStepOf(
  {
    event,
    ticket,
    used,
    by = 'buyer',
  }: { event: HolderEvent; ticket: HolderTicket; used: boolean; by?: 'buyer' | 'office' },
  now: number,
): { step: HolderStep; obstacle: null } | { step: null; obstacle: HolderObstacle } {
  const until = holderChangeUntil(event);
  const isFirst = isNameMissing(event, ticket) || isNameAsked(event, ticket);
  const no = (obstacle: HolderObstacle) => ({ step: null, obstacle });
  const isFree = by === 'office';
  if (!isFirst && until === null && !isFree) return no('not_offered');
  if (ticket.state !== 'valid') return no('ticket_gone');
  if (event.status === 'cancelled') return no('event_cancelled');
  if (isFirst) return { step: 'name', obstacle: null };
  if (used) return no('ticket_used');
  if (isFree) return { step: 'change', obstacle: null };
  if (until !== null && now > until) return no('too_late');
  return ticket.holder_changes >= event.holder_changes_max
    ? no('no_more')
    : { step: 'change', obstacle: null };
}

/** One ticket for each holder's address that is not the buyer's own. */
export function holdersBeside<T extends { holder_email: string | null }>(
  buyer_email: string | null,
  tickets: readonly T[],
): (T & { holder_email: string })[] {
  const known = new Set(buyer_email === null ? [] : [addressKey(buyer_email)]);
  return tickets.flatMap((ticket) => {
    const { holder_email } = ticket;
    if (holder_email === null || known.has(addressKey(holder_email))) return [];
    known.add(addressKey(holder_email));
    return [{ ...ticket, holder_email }];
  });
}

/** The line of a ticket that names its holder. */
export function holderWords(name: string): string {
  return `Intestatario: ${isolate(name)}`;
}

/** Scripts that write a whole name as one word: 王小明. */
const withoutSpaces =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]{2,60}$/u;

/** Splits a whole name into first name and surname; a name of one word has no surname. */
export function readFullName(text: string): { first_name: string; last_name: string } | null {
  const [first_name = '', ...others] = text.trim().replace(/\s+/g, ' ').split(' ');
  const last_name = others.join(' ');
  if (last_name === '' && withoutSpaces.test(first_name)) return { first_name, last_name };
  return isPersonName(first_name) && isPersonName(last_name) ? { first_name, last_name } : null;
}

/**
 * Reads a list that was pasted from a table or a message: one name per line, perhaps in columns;
 * numbers and dots before a name are dropped.
 */
export function readNameList(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) =>
      line
        .replace(/^\s*\d+\s*[.)\-–]?\s*/, '')
        .replace(/[\t;,]+/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '');
}

/**
 * Whether a text looks like a person's name in any script, because a mail that we sign must not
 * repeat an address or a sentence. Persian parts letters by a sign without a width, and a dot
 * stands only after an initial or before a space.
 */
export function isPersonName(text: string): boolean {
  return (
    /^[’‘'ʼ]?[\p{L}\p{M}][\p{L}\p{M}’‘'`´׳״.·・‐‑\- \u200c\u200d]{0,59}$/u.test(text) &&
    !/\.(?!\p{L}\.)\S/u.test(text)
  );
}
