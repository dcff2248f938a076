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
import { endpoint, text, timeOut } from './endpoint.ts';

/** As a person types it, with spaces and lines in between. */
export const typedCode = text(60, 1);

const termEntries = {
  name: v.pipe(text(longestContingentName), v.trim(), v.minLength(1)),
  color: keptColor,
  sale: v.picklist(contingentSales),
  /**
   * 5 to 30 letters and digits; case, spaces and lines do not count. Of contingents that are sold
   * at the counter only: null.
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
  /** It keeps its seats now; else the unsold ones are on general sale. */
  is_live: v.boolean(),
  released_at: v.nullable(timeOut),
  created_at: timeOut,
  /** Who made it, by name. */
  actor: v.string(),
  objects: v.array(v.string()),
  areas: v.array(v.object({ object: v.string(), places: v.number() })),
  /** All of them, and how many have been sold. */
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
 * All or none: seats that are held, sold or kept back already are named in `detail.objects` of
 * 409 seats_not_free.
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
/** `objects` and `areas`: what has changed, so that it can be undone. */
const changedSeats = v.object({
  contingent,
  objects: v.array(v.string()),
  areas: v.array(v.object({ object: v.string(), places: v.number() })),
});

/** All or none, as makeContingent(). Seats that it keeps already stay. */
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

/** Those of them that are not sold; they are on sale at once. */
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

/** Changes its texts, how it is sold and its end; its seats stay. */
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
 * It keeps its seats again, without an end: those that are sold meanwhile count as sold, one in a
 * cart refuses it with 409 seats_not_free.
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
      'seats_not_free',
      'provider_silent',
    ],
    summary: 'Keep the seats of a released contingent again',
    reply: contingent,
  },
);

/** With their codes, for users who may make them; the oldest first. */
export const listContingents = endpoint('GET', '/api/admin/events/:eventId/contingents', {
  who: 'block_seats',
  refusals: ['event_not_found'],
  summary: 'The contingents of an event, with what is sold of them',
  reply: v.object({ items: v.array(contingent) }),
});

/** For a visitor. After five wrong codes an address must wait a quarter of an hour. */
export const openContingent = endpoint('POST', '/api/event/:eventId/contingent', {
  who: 'public',
  refusals: ['event_not_found', 'code_unknown'],
  summary: 'What a code opens',
  body: v.object({ code: typedCode }),
  reply: v.object({
    name: v.string(),
    /** What the chart is told to choose from: the free seats and those of the contingent. */
    channels: v.array(v.string()),
    /** Its unsold seats and its standing areas, by the seat map's labels. */
    objects: v.array(v.string()),
  }),
});
