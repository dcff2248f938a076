/**
 * Entries against the book on the wire: guests who came in with a ticket that had ended, or whose
 * ticket ended while they were inside; and a person's decision about each.
 */
import * as v from 'valibot';
import { againstAnswers, againstReasons } from '#server/domain/door/against.ts';
import { means } from '#server/domain/door/admission.ts';
import { endpoint, pageOf, timeOut } from '#server/contract/endpoint.ts';
import { noteIn, scannedTicket, settled, unsettledAsk } from './unsettled.ts';

/** `order_id` is null for users who may not open orders. */
const orderNamed = v.object({ order_id: v.nullable(v.string()), order_number: v.string() });

const entry = v.object({
  ...scannedTicket,
  against: v.picklist(againstReasons),
  at: timeOut,
  received_at: timeOut,
  gate: v.nullable(v.string()),
  phone_id: v.nullable(v.string()),
  by: v.string(),
  offline: v.boolean(),
  means: v.picklist(means),
  order: orderNamed,
  /** When the ticket ended; null: it is still good, on another place. */
  ended_at: v.nullable(timeOut),
  /** From the end of the ticket to the entry; negative: the guest was inside already. */
  minutes_after: v.nullable(v.number()),
  /** The guest has gone out since, by a scan. */
  out_at: v.nullable(timeOut),
  /** The place is not for sale until a person decides. */
  kept: v.boolean(),
  /** The order that has the place now; `buyer_name` only for users who may open orders. */
  sold_to: v.nullable(v.object({ ...orderNamed.entries, buyer_name: v.nullable(v.string()) })),
  settled: v.nullable(v.object({ ...settled, as: v.picklist(againstAnswers) })),
});

/**
 * What a supervisor's phone is told of an undecided one (RULES A4). `sold`: the place has a new
 * buyer already; `kept`: it is not for sale.
 */
export const guestForPhone = v.object({
  admission_id: v.string(),
  event_id: v.string(),
  seat: v.string(),
  against: v.picklist(againstReasons),
  at: timeOut,
  ended_at: v.nullable(timeOut),
  gate: v.nullable(v.string()),
  by: v.string(),
  order_number: v.string(),
  sold: v.boolean(),
  kept: v.boolean(),
});

export const listEntriesAgainst = endpoint('GET', '/api/admin/entries-against', {
  who: 'admit',
  summary: 'Guests who came in with a ticket that had ended, the newest first',
  query: unsettledAsk,
  /** `open` is the number of all open ones, on this page or not. */
  reply: v.object({ ...pageOf(entry), open: v.number() }),
});

/**
 * `left`: a way out is stored if the guest is still inside, and the place is sold again. `stays`:
 * the place is not sold; this answer alone may be changed. `mistake`: the entry is taken back, and
 * the place is sold again.
 * @throws conflict_gone when it was taken back or decided
 */
export const settleEntryAgainst = endpoint('POST', '/api/admin/entries-against/:admissionId', {
  who: 'settle_door',
  refusals: ['admission_not_found', 'conflict_gone'],
  summary: 'Say what became of a guest without a valid ticket',
  body: v.object({ as: v.picklist(againstAnswers), note: noteIn }),
  reply: entry,
});
