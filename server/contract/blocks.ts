/** Blocking seats on the wire: many at once, and undone as many at once. */
import * as v from 'valibot';
import { blockColors, longestReason, mostBlocked } from '#server/domain/block.ts';
import { endpoint, text, timeIn, timeOut } from './endpoint.ts';

const objects = v.pipe(
  v.array(text(200, 1)),
  v.minLength(1),
  v.maxLength(mostBlocked),
  v.check((labels) => new Set(labels).size === labels.length, 'each seat once'),
);
const reason = v.pipe(text(longestReason), v.trim(), v.minLength(1));

const block = v.object({
  block_id: v.string(),
  reason: v.string(),
  color: v.picklist(blockColors),
  release_at: v.nullable(timeOut),
  objects: v.array(v.string()),
});

/**
 * All of them or none: a seat that somebody holds, has bought or has blocked is named in `detail.objects` of 409 seats_not_free. Standing areas are 422 object_unknown.
 * `release_at`: they are sold again from then on, by themselves. 503 provider_silent: nothing is blocked.
 */
export const blockSeats = endpoint('POST', '/api/admin/events/:eventId/blocks', {
  who: 'block_seats',
  limit: 'change',
  refusals: [
    'event_not_found',
    'event_cancelled',
    'object_unknown',
    'seats_not_free',
    'release_time_past',
    'provider_silent',
  ],
  summary: 'Keep seats back',
  body: v.object({
    objects,
    reason,
    color: v.picklist(blockColors),
    release_at: v.nullable(timeIn),
  }),
  reply: block,
});

/** Those of them that are blocked; the others stay as they are. What was undone comes back, so that it can be blocked again. */
export const unblockSeats = endpoint('POST', '/api/admin/events/:eventId/unblock', {
  who: 'block_seats',
  limit: 'change',
  refusals: ['event_not_found', 'provider_silent'],
  summary: 'Sell seats again that were kept back',
  body: v.object({ objects }),
  reply: v.object({ released: v.array(block) }),
});

/** The oldest first. */
export const listBlocks = endpoint('GET', '/api/admin/events/:eventId/blocks', {
  who: 'see_seats',
  limit: 'read',
  refusals: ['event_not_found'],
  summary: 'The seats that the house keeps back, by block',
  reply: v.object({ items: v.array(block) }),
});
