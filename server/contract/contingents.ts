/**
 * Contingents on the wire: seats kept for one way of selling, and the code that opens them to a
 * visitor (RULES S6).
 */
import * as v from 'valibot';
import { mostBlocked } from '#server/domain/seat/block.ts';
import {
  contingentSales,
  longestContingentName,
  spellCode,
  type ContingentSale,
} from '#server/domain/seat/contingent.ts';
import { keptColor, keptPlaces, keptRelease } from './blocks.ts';
import { endpoint, text, timeOut, trimmed } from './endpoint.ts';
import { openedRule } from './sale-rules.ts';
import { typedCode } from './typed-code.ts';

const termEntries = {
  name: trimmed(longestContingentName, 1),
  color: keptColor,
  sale: v.picklist(contingentSales),
  /**
   * 5 to 30 letters and digits; case, spaces and hyphens do not count. Null for contingents that
   * are sold at the counter only.
   */
  code: v.nullable(typedCode),
  release_at: keptRelease,
};
const hasItsCode = ({ sale, code }: { sale: ContingentSale; code: string | null }) =>
  sale === 'code' ? spellCode(code ?? '') !== null : code === null;
const codeFault = '5 to 30 letters and digits where it is sold with a code, else null';
const object = text(200, 1);

const contingent = v.object({
  contingent_id: v.string(),
  name: v.string(),
  color: keptColor,
  sale: v.picklist(contingentSales),
  code: v.nullable(v.string()),
  release_at: v.nullable(timeOut),
  /** True: the contingent keeps its seats now. False: its unsold seats are on general sale. */
  is_live: v.boolean(),
  released_at: v.nullable(timeOut),
  created_at: timeOut,
  /** The name of the person who made it. */
  actor: v.string(),
  objects: v.array(v.string()),
  areas: v.array(v.object({ object: v.string(), places: v.number() })),
  /** All its places, and how many have been sold. */
  places: v.number(),
  sold: v.number(),
});

function isEachOnce(labels: string[]): boolean {
  return new Set(labels).size === labels.length;
}

const keptObjects = v.pipe(v.array(object), v.maxLength(mostBlocked), v.check(isEachOnce));
const keptAreas = v.pipe(
  v.array(v.object({ object, places: keptPlaces })),
  v.maxLength(20),
  v.check((areas) => isEachOnce(areas.map((area) => area.object))),
);
const isSomething = ({ objects, areas }: { objects: unknown[]; areas: unknown[] }) =>
  objects.length + areas.length > 0;
const seatsFault = 'at least one seat';

/**
 * All or none: 409 seats_not_free names seats that are held, sold or kept already in
 * `detail.objects`.
 */
export const makeContingent = endpoint('POST', '/api/admin/events/:eventId/contingents', {
  who: 'block_seats',
  refusals: [
    'event_not_found',
    'event_cancelled',
    'object_unknown',
    'seats_not_free',
    'code_in_use',
    'too_many_contingents',
    'release_time_past',
    'provider_silent',
  ],
  summary: 'Keep seats for one way of selling',
  body: v.pipe(
    v.object({
      ...termEntries,
      objects: keptObjects,
      areas: keptAreas,
    }),
    v.check((ask) => hasItsCode(ask), codeFault),
    v.check((ask) => isSomething(ask), seatsFault),
  ),
  reply: contingent,
});

const someSeats = v.pipe(
  v.object({ objects: keptObjects, areas: keptAreas }),
  v.check((ask) => isSomething(ask), seatsFault),
);
/** `objects` and `areas`: the places that were changed, so that the change can be undone. */
const changedSeats = v.object({
  contingent,
  objects: v.array(v.string()),
  areas: v.array(v.object({ object: v.string(), places: v.number() })),
});

/** All or none, as makeContingent(). Seats that the contingent keeps already stay. */
export const addToContingent = endpoint(
  'POST',
  '/api/admin/events/:eventId/contingents/:contingentId/add',
  {
    who: 'block_seats',
    limit: 'change',
    refusals: [
      'event_not_found',
      'event_cancelled',
      'contingent_not_found',
      'contingent_unsettled',
      'object_unknown',
      'seats_not_free',
      'provider_silent',
    ],
    summary: 'Keep more seats for a contingent',
    body: someSeats,
    reply: changedSeats,
  },
);

/** Removes the unsold ones among the seats from the contingent; they are on sale immediately. */
export const removeFromContingent = endpoint(
  'POST',
  '/api/admin/events/:eventId/contingents/:contingentId/remove',
  {
    who: 'block_seats',
    limit: 'change',
    refusals: [
      'event_not_found',
      'contingent_not_found',
      'contingent_unsettled',
      'contingent_left_empty',
      'seats_not_free',
      'provider_silent',
    ],
    summary: 'Give some seats of a contingent to everybody',
    body: someSeats,
    reply: changedSeats,
  },
);

/** Changes the contingent's texts, its way of selling and its end; its seats stay. */
export const editContingent = endpoint(
  'POST',
  '/api/admin/events/:eventId/contingents/:contingentId',
  {
    who: 'block_seats',
    refusals: ['event_not_found', 'contingent_not_found', 'code_in_use', 'release_time_past'],
    summary: 'Change name, colour, code and end of a contingent',
    body: v.pipe(
      v.object(termEntries),
      v.check((ask) => hasItsCode(ask), codeFault),
    ),
    reply: contingent,
  },
);

/** Puts the unsold seats on general sale. May be repeated. */
export const releaseContingent = endpoint(
  'POST',
  '/api/admin/events/:eventId/contingents/:contingentId/release',
  {
    who: 'block_seats',
    refusals: ['event_not_found', 'contingent_not_found', 'provider_silent'],
    summary: 'Give the seats of a contingent to everybody',
    reply: contingent,
  },
);

/**
 * The contingent keeps its seats again, without an end. Seats sold meanwhile count as sold; if
 * one is in a cart, the answer is 409 seats_not_free.
 */
export const restoreContingent = endpoint(
  'POST',
  '/api/admin/events/:eventId/contingents/:contingentId/restore',
  {
    who: 'block_seats',
    refusals: [
      'event_not_found',
      'event_cancelled',
      'contingent_not_found',
      'contingent_unsettled',
      'code_in_use',
      'seats_not_free',
      'provider_silent',
    ],
    summary: 'Keep the seats of a released contingent again',
    reply: contingent,
  },
);

/** Oldest first; with codes for users who may make them. */
export const listContingents = endpoint('GET', '/api/admin/events/:eventId/contingents', {
  who: 'block_seats',
  refusals: ['event_not_found'],
  summary: 'The contingents of an event, with what is sold of them',
  reply: v.object({ items: v.array(contingent) }),
});

/**
 * Opens a contingent or a price rule to a visitor by its code: what the other one would open is
 * empty. After five wrong codes an address must wait a quarter of an hour.
 */
export const openContingent = endpoint('POST', '/api/event/:eventId/contingent', {
  who: 'public',
  refusals: ['event_not_found', 'code_unknown', 'code_used_up'],
  summary: 'What a code opens',
  body: v.object({ code: typedCode }),
  reply: v.object({
    /** Of the contingent, or of the price rule. */
    name: v.string(),
    /** Null: the code is a contingent's. */
    rule: v.nullable(openedRule()),
    /** A booking with the code needs the buyer's mail address. */
    needs_address: v.boolean(),
    /** The channels from which the chart may sell: the free seats and those of the contingent. */
    channels: v.array(v.string()),
    /** The contingent's unsold seats, tables and standing areas, by the seat map's labels. */
    objects: v.array(v.string()),
    /** How many places these are. */
    places: v.number(),
  }),
});
