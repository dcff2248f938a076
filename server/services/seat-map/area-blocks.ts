/**
 * Blocks and releases places of a standing area. The seat map has only the number of such places,
 * so we find ours by the block's id in its record of changes.
 */
import * as rows from '#db/seat/blocked-areas.ts';
import { findBlock } from '#db/seat/blocks.ts';
import type { Trx } from '#db/engine/dialect.ts';
import type { BlockRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { queueInReserve, queueTask } from '#server/services/kit/queue-task.ts';
import {
  newBlock,
  noteBlock,
  openForBlocks,
  settleAfterMs,
  shownBlock,
  type BlockTerms,
} from './block-terms.ts';
import { knownEvent } from '#server/services/event/events.ts';

interface AreaAsk extends BlockTerms {
  object: string;
  places: number;
}

/**
 * @throws Refusal event_not_found, event_cancelled, object_unknown, seats_not_free,
 * release_time_past, provider_silent
 */
export async function blockAreaPlaces(ctx: Ctx, event_id: string, ask: AreaAsk, actor: Actor) {
  const event = await openForBlocks(ctx, event_id, ask);
  await requireArea(ctx, event_id, ask);
  const { object, places } = ask;
  const block = newBlock(ctx, event_id, { ...ask, actor });
  await transact(ctx.db, async (trx) => {
    const area = { block_id: block.id, event_id, object, places, state: 'placing' as const };
    await rows.insertAreaBlock(trx, block, area);
    const run_at = block.created_at + settleAfterMs;
    await queueTask(ctx, trx, { task: 'settle_block', subject: block.id, run_at });
  });
  const area = { label: object, places };
  try {
    await ctx.seats.blockPlaces(event.seatsio_event_key, area, block.id);
  } catch (error) {
    const isRefused = error instanceof ProviderRefused;
    await giveUp(ctx, block, isRefused);
    if (!isRefused) throw error;
    throw new Refusal('seats_not_free', { objects: [object] }, error);
  }
  ctx.fault('seats_blocked');
  await transact(ctx.db, async (trx) => {
    // The task has begun to release this block already, and will finish.
    if (!(await rows.turnArea(trx, block.id, { from: 'placing', to: 'live' })))
      throw new Refusal('provider_silent');
    const kept = { area: object, places };
    await noteBlock(ctx, trx, { block, actor, action: 'seats_blocked', kept });
  });
  return shownBlock(ctx, { block, objects: [], places, area: { object, places } });
}

/**
 * @throws Refusal object_unknown if the hall has no such standing area, seats_not_free if the
 * area has fewer places
 */
export async function requireArea(
  ctx: Ctx,
  event_id: string,
  { object, places }: Pick<AreaAsk, 'object' | 'places'>,
): Promise<void> {
  const inArea = await rows.placesInArea(ctx.db, event_id, object);
  if (inArea === 0) throw new Refusal('object_unknown', { objects: [object] });
  if (inArea < places) throw new Refusal('seats_not_free', { objects: [object] });
}

async function giveUp(ctx: Ctx, block: BlockRow, isRefused: boolean): Promise<void> {
  await transact(ctx.db, async (trx) => {
    await rows.turnArea(trx, block.id, { from: 'placing', to: 'releasing' });
    if (isRefused) await rows.dropAreaBlock(trx, block.id);
    else await queueTask(ctx, trx, { task: 'settle_block', subject: block.id });
  });
}

/** Begins the release; returns what to release, or null if the block is not live or has seats. */
export async function beginAreaRelease(
  ctx: Ctx,
  trx: Trx,
  { block, actor }: { block: BlockRow; actor: Actor },
) {
  const area = await rows.blockedArea(trx, block.id);
  if (!area || !(await rows.turnArea(trx, block.id, { from: 'live', to: 'releasing' })))
    return null;
  const { object, places } = area;
  await queueInReserve(ctx, trx, { task: 'settle_block', subject: block.id });
  await noteBlock(ctx, trx, {
    block,
    actor,
    action: 'seats_unblocked',
    kept: { area: object, places },
  });
  return { object, places };
}

/** Releases what the seat map still has for this block. May be repeated. */
export async function finishAreaRelease(ctx: Ctx, block_id: string): Promise<void> {
  const area = await rows.blockedArea(ctx.db, block_id);
  const block = await findBlock(ctx.db, block_id);
  if (!block || area?.state !== 'releasing') return;
  const { seatsio_event_key } = await knownEvent(ctx, block.event_id);
  const places = await ctx.seats.placesOf(seatsio_event_key, area.object, {
    orderId: block_id,
    since: block.created_at,
  });
  if (places > 0)
    await ctx.seats.unblockPlaces(seatsio_event_key, { label: area.object, places }, block_id);
  ctx.fault('seats_unblocked');
  await transact(ctx.db, (trx) => rows.dropAreaBlock(trx, block_id));
}
