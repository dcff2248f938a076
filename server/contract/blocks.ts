/** Blocking and unblocking many seats together, on the wire. */
import * as v from 'valibot';
import {
  blockColors,
  longestReason,
  mostBlocked,
  mostBlockedPlaces,
} from '#server/domain/seat/block.ts';
import { endpoint, text, timeIn, timeOut, trimmed } from './endpoint.ts';

const objects = v.pipe(
  v.array(text(200, 1)),
  v.minLength(1),
  v.maxLength(mostBlocked),
  v.check((labels) => new Set(labels).size === labels.length, 'each seat once'),
);
const reason = trimmed(longestReason, 1);

/** Fields of blocks and contingents: the colour on the map, and when the seats go on sale. */
export const keptColor = v.picklist(blockColors);
export const keptRelease = v.nullable(timeIn);
const terms = { reason, color: keptColor, release_at: keptRelease };
/** A number of places of a standing area. */
export const keptPlaces = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(mostBlockedPlaces),
);

const whyNotKept = [
  'event_not_found',
  'event_cancelled',
  'object_unknown',
  'seats_not_free',
  'release_time_past',
  'provider_silent',
] as const;

const block = v.object({
  block_id: v.string(),
  reason: v.string(),
  color: v.picklist(blockColors),
  release_at: v.nullable(timeOut),
  created_at: timeOut,
  /** The name of the person who made it. */
  actor: v.string(),
  /** The block's seats and whole tables; empty for a standing area. */
  objects: v.array(v.string()),
  /** How many places the block keeps back; a table that is sold whole has several. */
  places: v.number(),
  /** A standing area, and how many of its places the block keeps back. */
  area: v.nullable(v.object({ object: v.string(), places: v.number() })),
});

/**
 * Blocks all of the seats or none: 409 seats_not_free names held, sold or blocked seats in
 * `detail.objects`. Standing areas are 422 object_unknown; see blockAreaPlaces(). `release_at`:
 * the seats are sold again from then on without a further call. 503 provider_silent: nothing is
 * blocked.
 */
export const blockSeats = endpoint('POST', '/api/admin/events/:eventId/blocks', {
  who: 'block_seats',
  refusals: whyNotKept,
  summary: 'Keep seats back',
  body: v.object({ objects, ...terms }),
  reply: block,
});

/**
 * Blocks this many places of a standing area, if so many are free; 409 seats_not_free names the
 * area.
 */
export const blockAreaPlaces = endpoint('POST', '/api/admin/events/:eventId/area-blocks', {
  who: 'block_seats',
  refusals: whyNotKept,
  summary: 'Keep places of a standing area back',
  body: v.object({ object: text(200, 1), places: keptPlaces, ...terms }),
  reply: block,
});

/** Changes the block's texts and its end; its seats stay. */
export const editBlock = endpoint('POST', '/api/admin/events/:eventId/blocks/:blockId', {
  who: 'block_seats',
  refusals: ['event_not_found', 'block_not_found', 'release_time_past'],
  summary: 'Change reason, colour and end of a block',
  body: v.object(terms),
  reply: block,
});

/**
 * Releases a whole block, seats or places of an area; the reply has what was released, so that it
 * can be blocked again.
 */
export const releaseBlock = endpoint('POST', '/api/admin/events/:eventId/blocks/:blockId/release', {
  who: 'block_seats',
  refusals: ['event_not_found', 'block_not_found', 'provider_silent'],
  summary: 'Sell a block again',
  reply: v.object({ released: v.array(block) }),
});

/**
 * Takes seats out of visitors' carts, all or none. 409 seats_not_held names those that are in no
 * cart, hold_in_use those that are being bought.
 */
export const freeHolds = endpoint('POST', '/api/admin/events/:eventId/free-holds', {
  who: 'block_seats',
  refusals: [
    'event_not_found',
    'object_unknown',
    'seats_not_held',
    'hold_in_use',
    'provider_silent',
  ],
  summary: 'Free seats that a cart holds',
  body: v.object({ objects }),
  reply: v.object({ objects: v.array(v.string()) }),
});

/**
 * Unblocks the blocked ones among the seats; the reply has them, so that they can be blocked
 * again.
 */
export const unblockSeats = endpoint('POST', '/api/admin/events/:eventId/unblock', {
  who: 'block_seats',
  refusals: ['event_not_found', 'provider_silent'],
  summary: 'Sell seats again that were kept back',
  body: v.object({ objects }),
  reply: v.object({ released: v.array(block) }),
});

/** Oldest first. */
export const listBlocks = endpoint('GET', '/api/admin/events/:eventId/blocks', {
  who: 'see_seats',
  refusals: ['event_not_found'],
  summary: 'The seats that the house keeps back, by block',
  reply: v.object({ items: v.array(block) }),
});
