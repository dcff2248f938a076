/**
 * People without a ticket, counted in and out by hand (RULES A15): what phones hand in, and the
 * office's calls.
 */
import * as v from 'valibot';
import { directions } from '#server/domain/door/admission.ts';
import { doubts } from '#server/domain/door/doubt.ts';
import { headReasons, mostHeads, type HeadReason } from '#server/domain/door/heads.ts';
import { endpoint, text, timeIn, timeOut } from '#server/contract/endpoint.ts';

const direction = v.picklist(directions);
const people = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostHeads));
const anyReason: HeadReason = 'other';

/**
 * One count: stored once, however often it is sent. The phone makes the id, of 128 random bits.
 * What takes another count back repeats its direction and its people.
 */
export const headCount = v.object({
  head_id: text(64, 16),
  event_id: text(100, 1),
  direction,
  people,
  /** A reason of a later release is stored as `other`. */
  reason: v.fallback(v.picklist(headReasons), anyReason),
  /** What the person added, if anything. */
  words: v.optional(v.nullable(v.pipe(text(100), v.trim())), null),
  gate: v.nullable(text(100)),
  /** The time by the phone's clock, and as the phone corrected it by its measured offset. */
  scanned_at: timeIn,
  corrected_at: timeIn,
  /** The count that this one takes back. */
  annuls: v.optional(v.nullable(text(64, 16)), null),
});
export type HeadCount = v.InferOutput<typeof headCount>;
export type HeadCountSent = v.InferInput<typeof headCount>;

/**
 * A count leaves the phone's queue only once the answer has its id. `doubted`: it is stored and
 * does not count, because the phone was not allowed to make it. `unreadable`: a person looks at it.
 */
const headResult = v.object({
  head_id: v.nullable(v.string()),
  index: v.number(),
  result: v.picklist(['stored', 'doubted', 'unreadable']),
});

/**
 * Up to 500 counts, each read by itself; the same batch twice is one set of counts. A revoked phone
 * may send its queue. `sent_at` as with scans.
 */
export const sendHeads = endpoint('POST', '/api/scanner/heads', {
  who: 'phone',
  evenRevoked: true,
  limit: 'sync',
  refusals: ['server_outdated'],
  summary: 'Hand in people without a ticket, counted by hand at the door',
  query: v.object({ wire: v.optional(text(20)) }),
  body: v.object({
    items: v.pipe(v.array(v.unknown()), v.maxLength(500)),
    sent_at: v.optional(v.unknown()),
  }),
  reply: v.object({ results: v.array(headResult), server_time: timeOut }),
});

const figures = v.object({ inside: v.number(), in: v.number(), out: v.number() });

/** `by`: the phone or the person of the office. `doubt`: why it does not count. */
const headRow = v.object({
  head_id: v.string(),
  direction,
  people: v.number(),
  reason: v.picklist(headReasons),
  words: v.nullable(v.string()),
  gate: v.nullable(v.string()),
  at: timeOut,
  by: v.string(),
  doubt: v.nullable(v.picklist(doubts)),
  undone: v.boolean(),
});

export const listHeads = endpoint('GET', '/api/admin/events/:eventId/heads', {
  who: 'admit',
  refusals: ['event_not_found'],
  summary: 'The last people without a ticket who were counted at an event, newest first',
  reply: v.object({ ...figures.entries, items: v.array(headRow) }),
});

/**
 * Counts at the desk. `head_id`: 128 random bits of the caller, so that the same call twice counts
 * once.
 */
export const countHeads = endpoint('POST', '/api/admin/events/:eventId/heads', {
  who: 'admit',
  refusals: ['event_not_found', 'heads_not_inside', 'head_taken'],
  summary: 'Count people without a ticket in or out at the desk',
  body: v.object({
    head_id: text(64, 16),
    direction,
    people,
    reason: v.picklist(headReasons),
    words: v.optional(v.nullable(v.pipe(text(100), v.trim())), null),
  }),
  reply: v.object({ head_id: v.string(), ...figures.entries }),
});

/** Nothing is deleted, and the phones get the change. */
export const undoHeads = endpoint('POST', '/api/admin/events/:eventId/heads/:headId/undo', {
  who: 'admit',
  refusals: ['event_not_found', 'head_not_found', 'undo_not_possible'],
  summary: 'Take back a count of people without a ticket',
  reply: figures,
});
