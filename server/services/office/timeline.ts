/** The history of an order: acts of people and of the server, payments, mails, admissions. */
import type { OrderFile } from '#db/order/order-file.ts';
import type { SidedExchange } from '#db/order/exchanges.ts';
import type { OrderRow } from '#db/rows.ts';
import { readTrouble } from '#server/domain/mail/kinds.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';

/** `actor`: as the audit has it; the caller replaces it by a name. */
export interface Entry {
  at: number;
  actor: string;
  action: string;
  detail: unknown;
}

/** Acts of the audit that the history leaves out, because it shows the scans themselves. */
const toldElsewhere = new Set(['admitted', 'let_out']);

/** The entries, newest first. Refunds and disputes come from the audit. */
export function timelineOf(
  { created_at }: Pick<OrderRow, 'created_at'>,
  { audit, sessions, payments, declines, mails, breaks, admissions }: OrderFile,
  exchanges: readonly SidedExchange[],
): Entry[] {
  // An order that the office stored is in the audit; any other gets an entry here.
  const stored = audit.some((row) => row.action === 'order_stored')
    ? []
    : [{ at: created_at, actor: 'visitor', action: 'order_stored', detail: null }];
  const opened = sessions.map(({ id, created_at }) => ({
    at: created_at,
    actor: 'system',
    action: 'checkout_opened',
    detail: { session_id: id },
  }));
  const afterBeginning = atStripe([created_at, ...opened.map(({ at }) => at)]);
  const entries: Entry[] = [
    ...audit
      .filter((row) => !toldElsewhere.has(row.action))
      .map(({ at, actor, action, detail }) => ({ at, actor, action, detail: readDetail(detail) })),
    ...payments.map(({ paid_at, actor, kind, method, amount_cents, note }) => ({
      at: kind === 'stripe' ? afterBeginning(paid_at) : paid_at,
      actor,
      action: 'payment_received',
      detail: { kind, method, amount_cents, note },
    })),
    ...declines.map(({ at, code, method, amount_cents }) => ({
      at: afterBeginning(at),
      actor: 'stripe',
      action: 'payment_declined',
      detail: { code, method, amount_cents },
    })),
    ...mails.map(mailEntry),
    ...breaks.flatMap(breakEntries),
    ...admissions.map((scan) => ({
      at: scan.corrected_at,
      actor: scan.user_id === null ? `phone:${scan.phone_id}` : `user:${scan.user_id}`,
      action: 'scanned',
      detail: {
        seat: seatName(scan),
        direction: scan.direction,
        verdict: scan.verdict,
        counts: scan.counts === 1,
        gate: scan.gate,
        at_desk: scan.phone_id === null,
        override: scan.override,
        approved_by: scan.supervisor_name,
      },
    })),
    ...exchanges.flatMap(exchangeEntries),
    ...opened,
    ...stored,
  ];
  // Entries of one time keep this order, so a payment counts as newer than refused attempts.
  return entries.toSorted((a, b) => b.at - a.at);
}

function mailEntry(mail: OrderFile['mails'][number]): Entry {
  const { id, kind, state, to_address, created_at, sent_at, last_error } = mail;
  return {
    at: sent_at ?? created_at,
    actor: 'system',
    action: wordOf(state, last_error),
    detail: { mail_id: id, kind, to_address, last_error },
  };
}

/**
 * Stripe's times are whole seconds. If an order or a session began within the same second, the
 * time is moved behind that beginning.
 */
function atStripe(begun: readonly number[]): (at: number) => number {
  const second = (at: number) => Math.floor(at / 1000);
  return (at) =>
    Math.max(
      at,
      ...begun.filter((start) => second(start) === second(at)).map((start) => start + 1),
    );
}

/** The old order's own entries are in the audit; these are the new order's. */
function exchangeEntries({
  side,
  state,
  number,
  actor,
  created_at,
  settled_at,
}: SidedExchange): Entry[] {
  if (side === 'given') return [];
  const detail = { number };
  const into = { at: created_at, actor, action: 'exchange_into', detail };
  if (state !== 'ended' || settled_at === null) return [into];
  return [into, { at: settled_at, actor: 'system', action: 'exchange_ended', detail }];
}

/** When a difference was found and when it was gone; a person's decision is in the audit. */
function breakEntries({
  kind,
  found_at,
  settled_at,
  settlement,
}: OrderFile['breaks'][number]): Entry[] {
  const found = { at: found_at, actor: 'system', action: 'break_found', detail: { kind } };
  if (settled_at === null || settlement !== 'gone') return [found];
  const detail = { kind, settlement };
  return [found, { at: settled_at, actor: 'system', action: 'break_settled', detail }];
}

/** Reads a detail as JSON; an old one that is not JSON is shown as text. */
export function readDetail(detail: string | null): unknown {
  try {
    return detail === null ? null : (JSON.parse(detail) as unknown);
  } catch {
    return { text: detail };
  }
}

function wordOf(state: string, last_error: string | null): string {
  const trouble = readTrouble(last_error)?.trouble;
  if (state === 'sent' && trouble === 'not_set_up') return 'mail_kept';
  // The mail was sent; that it came back is another entry.
  return trouble === 'bounced' ? 'mail_sent' : `mail_${state}`;
}
