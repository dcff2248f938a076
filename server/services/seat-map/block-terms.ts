/**
 * What blocks of seats and blocks of standing places share: whether one may be made, its row, its
 * audit entry, and its form for the office.
 */
import type { Db } from '#db/engine/dialect.ts';
import type { BlockRow } from '#db/rows.ts';
import type { BlockColor } from '#server/domain/seat/block.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { happened } from '#server/services/kit/happened.ts';
import { knownEvent } from '#server/services/event/events.ts';

export interface BlockTerms {
  reason: string;
  color: BlockColor;
  release_at: number | null;
}

/** After this time every request to the seat map has been answered or has failed. */
export const settleAfterMs = 60_000;

export function requireFuture(ctx: Ctx, { release_at }: Pick<BlockTerms, 'release_at'>): void {
  if (release_at !== null && release_at <= ctx.now())
    throw new Refusal('release_time_past', { fields: ['release_at'] });
}

/**
 * The event, if its seats can be blocked.
 * @throws Refusal event_not_found, event_cancelled, release_time_past
 */
export async function openForBlocks(
  ctx: Ctx,
  event_id: string,
  terms: Pick<BlockTerms, 'release_at'>,
) {
  const event = await knownEvent(ctx, event_id);
  if (event.status === 'cancelled') throw new Refusal('event_cancelled');
  requireFuture(ctx, terms);
  return event;
}

export function newBlock(
  ctx: Ctx,
  event_id: string,
  { reason, color, release_at, actor }: BlockTerms & { actor: Actor },
): BlockRow {
  return {
    id: ctx.newId(),
    event_id,
    reason,
    color,
    release_at,
    actor,
    created_at: ctx.now(),
  };
}

/** The objects of a block, or the number of its places in one area. */
interface Kept {
  objects: string[];
  /** How many places these are: a table that is sold whole has several. */
  places: number;
  area: { object: string; places: number } | null;
}

export type BlockParts = Kept & { block: BlockRow };

/** The blocks as the office sees them, in the same order. */
export async function shownBlocks(ctx: Ctx, blocks: readonly BlockParts[]) {
  const nameOf = await namesOf(
    ctx.db,
    blocks.map(({ block }) => block.actor),
  );
  return blocks.map(({ block, ...kept }) => ({
    ...block,
    ...kept,
    block_id: block.id,
    actor: nameOf(block.actor),
  }));
}

export async function shownBlock(ctx: Ctx, parts: BlockParts) {
  const [shown] = await shownBlocks(ctx, [parts]);
  return requireValue(shown, 'block');
}

interface BlockHappening {
  block: BlockRow;
  actor: Actor;
  action: 'seats_blocked' | 'seats_unblocked' | 'block_changed';
  kept: { places: readonly string[] } | { area: string; places: number } | null;
}

/** Adds an entry to the event's history. */
export async function noteBlock(
  ctx: Ctx,
  db: Db,
  { block, actor, action, kept }: BlockHappening,
): Promise<void> {
  const { reason, color, release_at } = block;
  await happened(ctx, db, {
    actor,
    action,
    subject: block.event_id,
    detail: { block_id: block.id, reason, color, release_at, ...kept },
  });
}
