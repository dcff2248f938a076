/**
 * The waiting room of an event on the wire: one answer for all visitors, a visitor's own place,
 * and the office's controls.
 */
import * as v from 'valibot';
import { noncePattern } from '#server/domain/queue/draw.ts';
import { placeStates, queueBounds, queueModes, queuePhases } from '#server/domain/queue/queue.ts';
import { endpoint, text, timeIn, timeOut, trimmed } from './endpoint.ts';
import { mailAddress } from './mail-address.ts';

const phase = v.picklist(queuePhases);

/**
 * One answer for all visitors, which proxies cache for two seconds; it does not read the
 * database. `serving`: the highest number that may go in. `last`: the highest number given out.
 * `drawn`: how many numbers the draw gave. `seed_hash` is set before the opening, then `root`
 * (the fixed list of entrants), then `seed`.
 */
export const readQueue = endpoint('GET', '/api/event/:eventId/queue', {
  who: 'public',
  refusals: ['event_not_found'],
  summary: 'The waiting room of an event, as all who wait see it',
  reply: v.object({
    phase,
    opens_at: v.nullable(timeOut),
    serving: v.number(),
    last: v.number(),
    drawn: v.number(),
    /** How many are called each minute. */
    per_minute: v.number(),
    /** How long a turn lasts. */
    minutes: v.number(),
    /** There is a code that skips the wait. */
    has_code: v.boolean(),
    message: v.nullable(v.string()),
    seed_hash: v.nullable(v.string()),
    root: v.nullable(v.string()),
    seed: v.nullable(v.string()),
    now: timeOut,
  }),
});

const place = v.object({
  place_hash: v.string(),
  state: v.picklist(placeStates),
  /** Null before the draw, and for a moment after the arrival of an entrant who came later. */
  number: v.nullable(v.number()),
  entered_at: timeOut,
  /** When the present turn or visit of the visitor ends. */
  until: v.nullable(timeOut),
  /** A mail will say that the turn is near. */
  mail: v.boolean(),
});

/**
 * One place per browser, identified by a cookie: a repeated call returns the same place, or a new
 * one if the turn is over.
 */
export const enterQueue = endpoint('POST', '/api/event/:eventId/queue/places', {
  who: 'public',
  limit: 'queue',
  refusals: ['event_not_found', 'queue_off', 'queue_closed'],
  summary: 'Enter the waiting room',
  body: v.object({ nonce: v.pipe(v.string(), v.regex(noncePattern)) }),
  reply: place,
});

export const readQueuePlace = endpoint('GET', '/api/event/:eventId/queue/place', {
  who: 'public',
  refusals: ['queue_place_unknown'],
  summary: "One's own place in the waiting room",
  reply: place,
});

/** One mail is sent, then the address is deleted. Null: no mail. */
export const askQueueMail = endpoint('PUT', '/api/event/:eventId/queue/place/mail', {
  who: 'public',
  limit: 'find',
  refusals: ['queue_place_unknown', 'queue_turn_over'],
  summary: "Be told by mail when one's turn is near",
  body: v.object({ email: v.nullable(mailAddress) }),
  reply: place,
});

/**
 * Sets a pass in a cookie, for a visitor whose turn it is or who has the code. Repeated calls
 * return the same pass.
 */
export const takeQueuePass = endpoint('POST', '/api/event/:eventId/queue/pass', {
  who: 'public',
  limit: 'hold',
  refusals: [
    'event_not_found',
    'queue_off',
    'queue_closed',
    'queue_place_unknown',
    'queue_not_yet',
    'queue_turn_over',
    'queue_code_wrong',
  ],
  summary: "Go in when it is one's turn",
  body: v.object({ code: v.optional(text(queueBounds.code.most)) }),
  reply: v.object({ until: timeOut }),
});

/** Returns the hold token of a visitor with a pass, the same one at each call. */
export const takeQueueHold = endpoint('POST', '/api/event/:eventId/queue/hold', {
  who: 'public',
  limit: 'hold',
  refusals: ['event_not_found', 'queue_off', 'queue_no_pass', 'queue_turn_over', 'provider_silent'],
  summary: 'A hold token for the seat map',
  reply: v.object({ hold_token: v.string(), expires_at: timeOut }),
});

/** All that is needed to compute the order again; public once the seed is published. */
export const readQueueDraw = endpoint('GET', '/api/event/:eventId/queue/draw', {
  who: 'public',
  limit: 'document',
  refusals: ['event_not_found', 'queue_not_drawn'],
  summary: 'The draw of a waiting room',
  description:
    'hash(text) is SHA-256 of the text in UTF-8, as base64url without padding: 43 characters. hash(seed) is seed_hash, public before the opening. entrants are pairs of place_hash and nonce; hash of all lines "place_hash nonce" in this order, each with a line feed at its end, is root, public before seed. The rank of a place is hash of seed, root and place_hash, one behind the other; the places in the order of their ranks, by code points, have the numbers from 1.',
  reply: v.object({
    event_id: v.string(),
    seed_hash: v.string(),
    root: v.string(),
    seed: v.string(),
    fixed_at: timeOut,
    opened_at: timeOut,
    /** In the order of arrival: place_hash and nonce. */
    entrants: v.array(v.tuple([v.string(), v.string()])),
  }),
});

function whole({ least, most }: { least: number; most: number }) {
  return v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
}

const settings = {
  mode: v.picklist(queueModes),
  /** Null: the rate follows how long bookings take. */
  fixed_per_minute: v.nullable(whole(queueBounds.per_minute)),
  minutes: whole(queueBounds.minutes),
  /** The most visitors inside together; null: no limit. */
  most_inside: v.nullable(whole(queueBounds.inside)),
  /** A visitor who types the code does not wait. */
  code: v.nullable(trimmed(queueBounds.code.most, queueBounds.code.least)),
};

const desk = v.object({
  ...settings,
  phase,
  /** The time of the draw; null: when the sale opens. */
  opens_at: v.nullable(timeOut),
  message: v.nullable(v.string()),
  seed_hash: v.nullable(v.string()),
  root: v.nullable(v.string()),
  drawn: v.number(),
  serving: v.number(),
  last: v.number(),
  /** How many are called each minute now. */
  per_minute: v.number(),
  /** 95 of 100 bookings of the last seconds took at most this long; null: too few bookings. */
  p95_ms: v.nullable(v.number()),
  waiting: v.number(),
  /** Entrants who were called and may still come. */
  called: v.number(),
  inside: v.number(),
  done: v.number(),
  expired: v.number(),
  /**
   * False: the seat map is a vendor's, which does not know who was let in; then only bookings are
   * refused to visitors without a pass.
   */
  seat_map_guards: v.boolean(),
});

export const readQueueDesk = endpoint('GET', '/api/admin/events/:eventId/queue', {
  who: 'edit_events',
  refusals: ['event_not_found'],
  summary: 'The waiting room for the office',
  reply: desk,
});

/** 409 queue_drawn: the opening cannot be changed any more. */
export const setQueue = endpoint('PUT', '/api/admin/events/:eventId/queue', {
  who: 'edit_events',
  refusals: ['event_not_found', 'event_cancelled', 'queue_drawn'],
  summary: 'Switch the waiting room on or off and set its rate',
  body: v.object({ ...settings, opens_at: v.nullable(timeIn) }),
  reply: desk,
});

/** Calls no more places; those that were called may go in. */
export const pauseQueue = endpoint('POST', '/api/admin/events/:eventId/queue/pause', {
  who: 'edit_events',
  refusals: ['event_not_found', 'queue_off'],
  summary: 'Call nobody for a while',
  reply: desk,
});

/** Calls places again after a pause or a closing. */
export const resumeQueue = endpoint('POST', '/api/admin/events/:eventId/queue/resume', {
  who: 'edit_events',
  refusals: ['event_not_found', 'queue_off'],
  summary: 'Go on calling numbers',
  reply: desk,
});

/** Gives out and calls no more places; visitors who are inside may finish. */
export const closeQueue = endpoint('POST', '/api/admin/events/:eventId/queue/close', {
  who: 'edit_events',
  refusals: ['event_not_found', 'queue_off'],
  summary: 'Close the waiting room',
  reply: desk,
});

export const tellQueue = endpoint('POST', '/api/admin/events/:eventId/queue/message', {
  who: 'edit_events',
  refusals: ['event_not_found', 'queue_off'],
  summary: 'Tell all who wait something',
  body: v.object({
    message: v.nullable(trimmed(queueBounds.message, 1)),
  }),
  reply: desk,
});
