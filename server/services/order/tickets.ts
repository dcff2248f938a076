/** Issues tickets and makes their codes; only this file uses an event's secret (RULES C2). */
import {
  createCipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { firstEntries } from '#db/door/admissions.ts';
import { hopsOf } from '#db/door/scans.ts';
import { findEventByTag, requireEventRow } from '#db/event/events.ts';
import type { EventRow, PlaceRow, TicketRow } from '#db/rows.ts';
import { sealsOfOrder } from '#db/papers/papers.ts';
import { ticketMovedFrom } from '#db/order/moves.ts';
import { linesOf } from '#db/order/orders.ts';
import { issueRevision, listIssued } from '#db/seat/seats.ts';
import {
  findTicket,
  nameTicket,
  ticketByRevision,
  ticketOnPlace,
  ticketsOfOrder,
  type TicketWithPlace,
} from '#db/order/tickets.ts';
import {
  base32Of,
  codeEndLength,
  groupCode,
  hashBytes,
  hashInput,
  nameKeyInput,
  readTicketCode,
  sealing,
  tagLength,
  writeTicketCode,
} from '#server/domain/door/ticket-code.ts';
import { cardRemarks } from '#server/domain/order/card-words.ts';
import { holderStepOf, isNameMissing } from '#server/domain/order/holder.ts';
import { loweringOf } from '#server/domain/order/priced-order.ts';
import { compareNames, seatName } from '#server/domain/seat/seat-name.ts';
import { remarksOf } from '#server/domain/seat/notices.ts';
import { needsSeals } from '#server/domain/papers/regime.ts';
import { isLost, readLost } from '#server/domain/door/lost-revisions.ts';
import { leadsTo, type PlaceCode } from '#server/domain/door/moved-code.ts';
import { isTrial } from '#server/domain/door/trial.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { houseOf } from '#server/services/kit/house.ts';
import { seal, unseal } from '#server/services/kit/sealing.ts';
import { gateFinder } from '#server/domain/door/gate.ts';
import { newToken } from '#server/services/user/secrets.ts';

/**
 * Makes the parts of an event's codes: the tag names the event, the secret never leaves the
 * server, and phones get the salt.
 */
export function newCodes({
  secretsKey,
}: Pick<Ctx, 'secretsKey'>): CodeMaker & Pick<EventRow, 'code_salt'> {
  return {
    code_tag: base32Of(randomBytes(5)).slice(0, tagLength),
    code_secret: seal(newToken(), secretsKey),
    earlier_secret: null,
    code_salt: randomBytes(16).toString('base64url'),
  };
}

/** Keys made so far: making one takes four fifths of a code's time, much in a large hall. */
const keys = new Map<string, KeyObject>();
const mostKeys = 100;

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const made = createSecretKey(unseal(secret), 'base64url');
  if (keys.size >= mostKeys) keys.delete(keys.keys().next().value!);
  keys.set(secret, made);
  return made;
}

/** The columns from which an event's codes are made, including earlier ones (RULES C4). */
type CodeMaker = Pick<EventRow, 'code_tag' | 'code_secret' | 'earlier_secret'>;

/**
 * What identifies one code. The place's first `earlier_codes` revisions use the earlier secret;
 * it is 0 for a code that is issued now.
 */
export interface CodeKey extends Pick<PlaceRow, 'place' | 'earlier_codes'> {
  revision: number;
}

/** HMAC-SHA-256 of place and revision under that revision's secret, cut to 128 bits. */
export function codeOf(event: CodeMaker, key: CodeKey): string {
  return writeTicketCode(
    event.code_tag,
    macOf(makerOf(event, key), `${key.place}|${key.revision}`),
  );
}

function makerOf({ code_secret, earlier_secret }: CodeMaker, { revision, earlier_codes }: CodeKey) {
  return {
    code_secret: revision <= earlier_codes ? (earlier_secret ?? code_secret) : code_secret,
  };
}

/**
 * The secret of a ticket's own link, 128 bits: it is made anew with each code. No code is made
 * from such a text, because that ends with a number.
 */
export function linkKeyOf(event: CodeMaker, ticket_id: string, key: CodeKey): string {
  const text = JSON.stringify(['link', ticket_id, key.place, key.revision]);
  return macOf(makerOf(event, key), text).toString('base64url');
}

/**
 * The last letters of a code, by which the office finds its ticket: 18 of its 128 bits, as few as
 * the door stores of an unknown code (RULES A4).
 */
export function codeEndOf(event: CodeMaker, key: CodeKey): string {
  return codeOf(event, key).slice(-codeEndLength);
}

/** HMAC-SHA-256 of the text under the event's secret, cut to 128 bits. */
export function macOf({ code_secret }: Pick<EventRow, 'code_secret'>, text: string): Buffer {
  return createHmac('sha256', keyOf(code_secret)).update(text).digest().subarray(0, 16);
}

/** The hash by which a phone recognises a code; codes cannot be made from it. */
export function hashOf(event: Pick<EventRow, 'code_salt'>, code: string): string {
  // Three bytes are four letters of base64url.
  return hash('sha256', hashInput(event.code_salt, code), 'base64url').slice(
    0,
    (hashBytes / 3) * 4,
  );
}

/**
 * Encrypts a name so that a phone can read it only with the ticket's code: AES-256-GCM, then
 * base64url of nonce, text and tag. The nonce is made from the name, so that the result is always
 * the same.
 */
export function sealName(event: Pick<EventRow, 'code_salt'>, code: string, name: string): string {
  const key = createHash('sha256').update(nameKeyInput(event.code_salt, code)).digest();
  const nonce = createHmac('sha256', key).update(name).digest().subarray(0, sealing.nonceBytes);
  const text = Buffer.from(name);
  const filled = Buffer.concat([
    text,
    Buffer.alloc(sealing.blockBytes - (text.length % sealing.blockBytes)),
  ]);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([
    nonce,
    cipher.update(filled),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64url');
}

/** The tickets of an order as its holder sees them. */
export async function ticketsForHolder(ctx: Ctx, event: EventRow, order_id: string) {
  const tickets = (await ticketsOfOrder(ctx.db, order_id)).toSorted((a, b) =>
    compareNames(seatName(a), seatName(b)),
  );
  const ids = tickets.map((ticket) => ticket.id);
  const entries = await firstEntries(ctx.db, ids);
  const lines = new Map((await linesOf(ctx.db, order_id)).map((line) => [line.place, line]));
  const gateOf = gateFinder(event);
  const seals = needsSeals(event) ? await sealsOfOrder(ctx.db, order_id) : null;
  return tickets.map((ticket) => {
    const code = isNameMissing(event, ticket) ? '' : codeOf(event, ticket);
    const { step, obstacle } = holderStepOf(
      { event, ticket, used: entries.has(ticket.id) },
      ctx.now(),
    );
    const line = lines.get(ticket.place);
    return {
      ...ticket,
      ticket_id: ticket.id,
      fee_cents: line?.fee_cents ?? 0,
      service_cents: line?.service_cents ?? 0,
      lowered_by: line === undefined ? [] : loweringOf([line]).lowered_by,
      trial: isTrial(
        { test_money: ticket.test_money === 1, rehearsal: event.rehearsal === 1 },
        houseOf(ctx),
      ),
      seat: seatName(ticket),
      remarks: [...remarksOf(ticket), ...cardRemarks({ price_reasons: null, ...line })],
      let_go: ticket.let_go_at !== null,
      holder_step: step,
      holder_obstacle: obstacle,
      gate: gateOf(ticket),
      code,
      code_for_people: code === '' ? '' : groupCode(code),
      admitted_at: entries.get(ticket.id) ?? null,
      fiscal: seals?.get(ticket.id) ?? null,
    };
  });
}

/**
 * Gives each ticket the next revision of its place, because it was reissued; the door then answers
 * SOSTITUITO to the old code. The caller must have locked the event's row and taken `feed_seq`.
 */
export async function reviseTickets<
  T extends Pick<TicketRow, 'id' | 'place' | 'holder' | 'holder_email' | 'holder_changes'>,
>(
  trx: Trx,
  event_id: string,
  { tickets, feed_seq, now }: { tickets: readonly T[]; feed_seq: number; now: number },
): Promise<(T & { revision: number })[]> {
  const event = await requireEventRow(trx, event_id);
  const revised: (T & { revision: number })[] = [];
  for (const ticket of tickets) {
    const { id, place, holder, holder_email, holder_changes } = ticket;
    const revision = await issueRevision(trx, event_id, place, { feed_seq, why: 'reissued', now });
    const code_end = codeEndOf(event, { place, revision, earlier_codes: 0 });
    await nameTicket(trx, id, { holder, holder_email, holder_changes, revision, code_end });
    revised.push({ ...ticket, revision });
  }
  return revised;
}

const codesAtOnce = 500;
/**
 * The revision of a code that the ticket had on another place and that means it no more: older than
 * any on its present place (RULES M4).
 */
const elsewhere = 0;

/** A ticket, and the revision of the code by which it was named. */
export interface NamedTicket {
  ticket: TicketWithPlace;
  revision: number;
  /** The code is from before a move to another place. */ moved: boolean;
  /** The code that was read; null: the ticket was named by its id. */ read: PlaceCode | null;
}

/** An authentic code: the house has made it, or may have made it in a time that it has lost. */
export interface FoundCode extends PlaceCode {
  event: EventRow;
  /** The newest revision that is known of the place. */ issued: number;
  lost: boolean;
}

/** Compares a code with every revision that may be out; null: no event has made it. */
export async function findCode(
  db: Db,
  { tag, code }: { tag: string; code: string },
): Promise<FoundCode | null> {
  const event = await findEventByTag(db, tag);
  if (!event) return null;
  for (const [nth, { out, ...known }] of (await listIssued(db, event.id)).entries()) {
    // A large hall has many codes, so other requests, such as scans, run in between.
    if (nth % codesAtOnce === codesAtOnce - 1) await yieldToLoop();
    for (let revision = 1; revision <= out; revision += 1) {
      if (codeOf(event, { ...known, revision }) !== code) continue;
      const { place, issued, lost_revisions } = known;
      return { event, place, revision, issued, lost: isLost(readLost(lost_revisions), revision) };
    }
  }
  return null;
}

/**
 * Finds a ticket by its id or by a scanned code, also by an old one.
 * @throws Refusal ticket_lost for an authentic code whose ticket this house has lost
 */
export async function findTicketByIdOrCode(db: Db, text: string): Promise<NamedTicket | null> {
  const read = readTicketCode(text);
  if (!read) {
    const ticket = await findTicket(db, text);
    return ticket ? { ticket, revision: ticket.revision, moved: false, read: null } : null;
  }
  const found = await findCode(db, read);
  if (found === null) return null;
  if (found.lost) throw new Refusal('ticket_lost');
  return ticketOfCode(db, found);
}

/** The ticket that a code named, wherever it is now; null: its place never had one. */
export async function ticketOfCode(
  db: Db,
  { event, place, revision, issued }: FoundCode,
): Promise<NamedTicket | null> {
  const ticket = await ticketByRevision(db, event.id, place, revision);
  const until = ticket?.revision ?? issued + 1;
  const left = await ticketMovedFrom(db, event.id, { place, revision, until });
  const gone = left === null ? undefined : await findTicket(db, left);
  if (gone) return whereItIs(db, gone, { place, revision });
  // After a change of holder the ticket has a newer code; the scanned one is its old code.
  const moved = ticket ?? (await ticketOnPlace(db, event.id, place));
  return moved ? { ticket: moved, revision, moved: false, read: { place, revision } } : null;
}

/** A ticket whose code was read that it had before it moved. */
async function whereItIs(db: Db, ticket: TicketWithPlace, read: PlaceCode): Promise<NamedTicket> {
  const hops = (await hopsOf(db, ticket.event_id, [ticket.id])).get(ticket.id) ?? [];
  const isMeant = leadsTo(hops, read, ticket);
  return {
    ticket,
    revision: isMeant ? ticket.revision : elsewhere,
    moved: isMeant && ticket.place !== read.place,
    read,
  };
}
