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
import { holderStepOf, isNameMissing } from '#server/domain/order/holder.ts';
import { compareNames, seatName } from '#server/domain/seat/seat-name.ts';
import { needsSeals } from '#server/domain/papers/regime.ts';
import { isTrial } from '#server/domain/door/trial.ts';
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
export function codeOf(event: CodeMaker, { place, revision, earlier_codes }: CodeKey): string {
  const { code_tag, code_secret, earlier_secret } = event;
  const secret = revision <= earlier_codes ? (earlier_secret ?? code_secret) : code_secret;
  return writeTicketCode(code_tag, macOf({ code_secret: secret }, `${place}|${revision}`));
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
  const lines = await linesOf(ctx.db, order_id);
  const fees = new Map(lines.map((line) => [line.place, line.fee_cents]));
  const gateOf = gateFinder(event);
  const seals = needsSeals(event) ? await sealsOfOrder(ctx.db, order_id) : null;
  return tickets.map((ticket) => {
    const code = isNameMissing(event, ticket) ? '' : codeOf(event, ticket);
    const { step, obstacle } = holderStepOf(
      { event, ticket, used: entries.has(ticket.id) },
      ctx.now(),
    );
    return {
      ...ticket,
      ticket_id: ticket.id,
      fee_cents: fees.get(ticket.place) ?? 0,
      trial: isTrial(
        { test_money: ticket.test_money === 1, rehearsal: event.rehearsal === 1 },
        houseOf(ctx),
      ),
      seat: seatName(ticket),
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
 * Gives each ticket the next revision of its place; the door then answers SOSTITUITO to the old
 * code. The caller must have locked the event's row and taken `feed_seq`.
 */
export async function reviseTickets<
  T extends Pick<TicketRow, 'id' | 'place' | 'holder' | 'holder_email' | 'holder_changes'>,
>(
  trx: Trx,
  event_id: string,
  { tickets, feed_seq }: { tickets: readonly T[]; feed_seq: number },
): Promise<(T & { revision: number })[]> {
  const event = await requireEventRow(trx, event_id);
  const revised: (T & { revision: number })[] = [];
  for (const ticket of tickets) {
    const { id, place, holder, holder_email, holder_changes } = ticket;
    const revision = await issueRevision(trx, event_id, place, feed_seq);
    const code_end = codeEndOf(event, { place, revision, earlier_codes: 0 });
    await nameTicket(trx, id, { holder, holder_email, holder_changes, revision, code_end });
    revised.push({ ...ticket, revision });
  }
  return revised;
}

const codesAtOnce = 500;
/**
 * The revision of a code that the ticket had on another place: older than any on its present
 * place (RULES M4).
 */
const elsewhere = 0;

/**
 * Finds a ticket by its id or by a scanned code. Compares a code with every revision issued so
 * far, so that an old code is recognised as old.
 */
export async function findTicketByIdOrCode(
  db: Db,
  text: string,
): Promise<{ ticket: TicketWithPlace; revision: number } | null> {
  const read = readTicketCode(text);
  if (!read) {
    const ticket = await findTicket(db, text);
    return ticket ? { ticket, revision: ticket.revision } : null;
  }
  const event = await findEventByTag(db, read.tag);
  if (!event) return null;
  for (const [nth, { issued: last, ...known }] of (await listIssued(db, event.id)).entries()) {
    // A large hall has many codes, so other requests, such as scans, run in between.
    if (nth % codesAtOnce === codesAtOnce - 1) await yieldToLoop();
    for (let revision = 1; revision <= last; revision += 1) {
      if (codeOf(event, { ...known, revision }) === read.code) {
        const { place } = known;
        const ticket = await ticketByRevision(db, event.id, place, revision);
        const left = ticket ? null : await ticketMovedFrom(db, event.id, { place, revision });
        const gone = left === null ? undefined : await findTicket(db, left);
        if (gone) return { ticket: gone, revision: elsewhere };
        // After a change of holder the ticket has a newer code; the scanned one is its old code.
        const moved = ticket ?? (await ticketOnPlace(db, event.id, place));
        return moved ? { ticket: moved, revision } : null;
      }
    }
  }
  return null;
}
