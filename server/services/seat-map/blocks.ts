/**
 * Blocks and releases seats of an event. If a visitor wants a seat at the same moment, the seat
 * map decides. Our rows are written before the call to it, and a task finishes what was
 * interrupted.
 */
import { blockedArea, liveAreaBlocks, turnArea } from '#db/seat/blocked-areas.ts';
import * as rows from '#db/seat/blocks.ts';
import { objectsAt, type ObjectPlace } from '#db/seat/object-places.ts';
import { isUniqueViolation, type Trx } from '#db/engine/dialect.ts';
import type { BlockRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { blockedStatus } from '#server/domain/seat/block.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { queueInReserve, queueTask } from '#server/services/kit/queue-task.ts';
import { beginAreaRelease, finishAreaRelease } from './area-blocks.ts';
import {
  newBlock,
  noteBlock,
  openForBlocks,
  requireFuture,
  settleAfterMs,
  shownBlock,
  shownBlocks,
  type BlockParts,
  type BlockTerms,
} from './block-terms.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { requireNamedSeats, requireUnsold } from './named-seats.ts';

interface BlockAsk extends BlockTerms {
  objects: string[];
}

/**
 * Blocks all of the seats or none.
 * @throws Refusal event_not_found, event_cancelled, object_unknown, seats_not_free,
 * release_time_past, provider_silent
 */
export async function blockSeats(ctx: Ctx, event_id: string, ask: BlockAsk, actor: Actor) {
  const event = await openForBlocks(ctx, event_id, ask);
  const places = await requireNamedSeats(ctx, event_id, ask.objects);
  const block = await storeBlock(ctx, event_id, { ...ask, places }, actor);
  try {
    await ctx.seats.block(event.seatsio_event_key, ask.objects);
  } catch (error) {
    const isRefused = error instanceof ProviderRefused;
    await giveUp(ctx, block, isRefused);
    if (!isRefused) throw error;
    const found = await ctx.seats.read(event.seatsio_event_key, ask.objects);
    const taken = ask.objects.filter((label) => found.get(label)?.status !== 'free');
    throw new Refusal('seats_not_free', { objects: taken }, error);
  }
  ctx.fault('seats_blocked');
  await transact(ctx.db, async (trx) => {
    const turned = await rows.turnPlaces(trx, block.id, { from: 'placing', to: 'live' });
    // The task has begun to release this block already, and will finish.
    if (turned.length < places.length) throw new Refusal('provider_silent');
    const kept = { places: ask.objects };
    await noteBlock(ctx, trx, { block, actor, action: 'seats_blocked', kept });
  });
  return shownBlock(ctx, { block, objects: ask.objects, places: places.length, area: null });
}

async function storeBlock(
  ctx: Ctx,
  event_id: string,
  { objects, places, ...terms }: BlockAsk & { places: readonly ObjectPlace[] },
  actor: Actor,
): Promise<BlockRow> {
  const block = newBlock(ctx, event_id, { ...terms, actor });
  try {
    await transact(ctx.db, async (trx) => {
      await requireUnsold(trx, event_id, objects);
      await rows.insertBlock(trx, block, { places, state: 'placing' });
      const run_at = block.created_at + settleAfterMs;
      await queueTask(ctx, trx, { task: 'settle_block', subject: block.id, run_at });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const taken = await rows.blockedAmong(ctx.db, event_id, objects);
    throw new Refusal('seats_not_free', { objects: taken }, error);
  }
  return block;
}

/**
 * Deletes the rows after a refusal, because the seat map has then blocked nothing. If the outcome
 * is unknown, the task reads the seat map and releases what was blocked.
 */
async function giveUp(ctx: Ctx, block: BlockRow, isRefused: boolean): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const places = await rows.turnPlaces(trx, block.id, { from: 'placing', to: 'releasing' });
    if (isRefused) await rows.dropReleasing(trx, block.id, places);
    else await queueTask(ctx, trx, { task: 'settle_block', subject: block.id });
  });
}

/**
 * Releases those seats that are blocked.
 * @throws Refusal event_not_found, provider_silent (the seats are then released when the seat map
 * answers)
 */
export async function unblockSeats(ctx: Ctx, event_id: string, objects: string[], actor: Actor) {
  await knownEvent(ctx, event_id);
  const wanted = new Set(objects);
  const blocked = (await rows.liveBlocks(ctx.db, event_id)).filter(({ object_label }) =>
    wanted.has(object_label),
  );
  const released: BlockParts[] = [];
  for (const [, seats] of Map.groupBy(blocked, ({ id }) => id)) {
    const block = requireValue(seats[0], 'seat');
    const places = await transact(ctx.db, (trx) =>
      beginRelease(ctx, trx, { block, actor, places: seats.map(({ place }) => place) }),
    );
    if (places.length > 0) released.push(await keptIn(ctx, { block, places, area: null }));
  }
  for (const { block } of released) await finishRelease(ctx, block.id);
  return { released: await shownBlocks(ctx, released) };
}

/** Releases the whole block. @throws Refusal event_not_found, block_not_found, provider_silent */
export async function releaseBlock(ctx: Ctx, event_id: string, block_id: string, actor: Actor) {
  const block = await knownBlock(ctx, event_id, block_id);
  const released = await transact(ctx.db, async (trx) => ({
    block,
    places: await beginRelease(ctx, trx, { block, actor }),
    area: await beginAreaRelease(ctx, trx, { block, actor }),
  }));
  await endBlock(ctx, block_id);
  const isNothing = released.places.length === 0 && released.area === null;
  return { released: isNothing ? [] : [await shownBlock(ctx, await keptIn(ctx, released))] };
}

interface Released {
  block: BlockRow;
  places: readonly string[];
  area: BlockParts['area'];
}

async function keptIn(ctx: Ctx, { block, places, area }: Released): Promise<BlockParts> {
  const objects = await objectsAt(ctx.db, block.event_id, places);
  return { block, objects, places: area?.places ?? places.length, area };
}

/** @throws Refusal event_not_found, block_not_found */
async function knownBlock(ctx: Ctx, event_id: string, block_id: string): Promise<BlockRow> {
  await knownEvent(ctx, event_id);
  const block = await rows.findBlock(ctx.db, block_id);
  if (block?.event_id !== event_id) throw new Refusal('block_not_found');
  return block;
}

/** @throws Refusal event_not_found, block_not_found, release_time_past */
export async function editBlock(
  ctx: Ctx,
  ask: { event_id: string; block_id: string; terms: BlockTerms },
  actor: Actor,
) {
  const { event_id, block_id, terms } = ask;
  const before = await knownBlock(ctx, event_id, block_id);
  requireFuture(ctx, terms);
  const block = { ...before, ...terms };
  await transact(ctx.db, async (trx) => {
    if (!(await rows.updateBlock(trx, block_id, terms))) throw new Refusal('block_not_found');
    if (terms.release_at !== null)
      await queueTask(ctx, trx, {
        task: 'settle_block',
        subject: block_id,
        run_at: terms.release_at,
      });
    await noteBlock(ctx, trx, { block, actor, action: 'block_changed', kept: null });
  });
  const { items } = await blocksOf(ctx, event_id);
  const after = items.find((item) => item.block_id === block_id);
  if (!after) throw new Refusal('block_not_found');
  return after;
}

async function beginRelease(
  ctx: Ctx,
  trx: Trx,
  { block, actor, places }: { block: BlockRow; actor: Actor; places?: string[] },
): Promise<string[]> {
  const turned = await rows.turnPlaces(trx, block.id, {
    from: 'live',
    to: 'releasing',
    ...(places === undefined ? {} : { places }),
  });
  if (turned.length === 0) return [];
  await queueInReserve(ctx, trx, { task: 'settle_block', subject: block.id });
  const kept = { places: await objectsAt(trx, block.event_id, turned) };
  await noteBlock(ctx, trx, { block, actor, action: 'seats_unblocked', kept });
  return turned;
}

/** Releases what the seat map still blocks for us, then deletes our rows. May be repeated. */
async function finishRelease(ctx: Ctx, block_id: string): Promise<void> {
  const block = await rows.findBlock(ctx.db, block_id);
  const places = block ? await rows.placesInState(ctx.db, block_id, 'releasing') : [];
  if (!block || places.length === 0) return;
  const { seatsio_event_key } = await knownEvent(ctx, block.event_id);
  const objects = await objectsAt(ctx.db, block.event_id, places);
  const found = await ctx.seats.read(seatsio_event_key, objects);
  const standing = objects.filter((label) => found.get(label)?.status === blockedStatus);
  if (standing.length > 0) await ctx.seats.unblock(seatsio_event_key, standing);
  ctx.fault('seats_unblocked');
  await transact(ctx.db, (trx) => rows.dropReleasing(trx, block_id, places));
}

/**
 * The task of a block: ends it when its time has come, or when the call that made it died.
 * Returns when to run again; null: never.
 */
export async function settleBlock(ctx: Ctx, block_id: string): Promise<number | null> {
  const block = await rows.findBlock(ctx.db, block_id);
  if (!block) return null;
  const now = ctx.now();
  const isDue = block.release_at !== null && block.release_at <= now;
  await transact(ctx.db, async (trx) => {
    if (block.created_at + settleAfterMs <= now) {
      await rows.turnPlaces(trx, block_id, { from: 'placing', to: 'releasing' });
      await turnArea(trx, block_id, { from: 'placing', to: 'releasing' });
    }
    if (isDue) {
      await beginRelease(ctx, trx, { block, actor: 'system' });
      await beginAreaRelease(ctx, trx, { block, actor: 'system' });
    }
  });
  await endBlock(ctx, block_id);
  const placing = await rows.placesInState(ctx.db, block_id, 'placing');
  const area = await blockedArea(ctx.db, block_id);
  if (placing.length > 0 || area?.state === 'placing') return block.created_at + settleAfterMs;
  return isDue ? null : block.release_at;
}

async function endBlock(ctx: Ctx, block_id: string): Promise<void> {
  await finishRelease(ctx, block_id);
  await finishAreaRelease(ctx, block_id);
}

/** The live blocks, oldest first. @throws Refusal event_not_found */
export async function blocksOf(ctx: Ctx, event_id: string) {
  await knownEvent(ctx, event_id);
  const seats = Map.groupBy(await rows.liveBlocks(ctx.db, event_id), ({ id }) => id);
  const ofSeats = [...seats.values()].map((same) => ({
    block: requireValue(same[0], 'seat') as BlockRow,
    objects: [...new Set(same.map(({ object_label }) => object_label))],
    places: same.length,
    area: null,
  }));
  const ofAreas = (await liveAreaBlocks(ctx.db, event_id)).map(({ object, places, ...block }) => ({
    block,
    objects: [],
    places,
    area: { object, places },
  }));
  const all = [...ofSeats, ...ofAreas].toSorted((a, b) => a.block.created_at - b.block.created_at);
  return { items: await shownBlocks(ctx, all) };
}
