/** Blocks seats of an event and gives them back. The seat map's own change decides between a block and a visitor; our rows come before it, and a task ends what was left half done. */
import * as rows from '#db/blocks.ts';
import { isUniqueViolation, type Trx } from '#db/dialect.ts';
import { soldAmong } from '#db/orders.ts';
import type { BlockRow } from '#db/rows.ts';
import { placesOf } from '#db/seats.ts';
import { transact } from '#db/transact.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { blockedStatus, type BlockColor } from '#server/domain/block.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { refuseProviderError } from '#server/services/kit/provider-errors.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { note } from '#server/services/user/audit.ts';
import { knownEvent } from './events.ts';

interface BlockAsk {
  objects: string[];
  reason: string;
  color: BlockColor;
  release_at: number | null;
}

/** By then whoever asked the seat map has its answer, or is gone. */
const settleAfterMs = 60_000;

/** All or none. @throws Refusal event_not_found, event_cancelled, object_unknown, seats_not_free, release_time_past, provider_silent */
export async function blockSeats(ctx: Ctx, event_id: string, ask: BlockAsk, actor: Actor) {
  const event = await knownEvent(ctx, event_id);
  if (event.status === 'cancelled') throw new Refusal('event_cancelled');
  if (ask.release_at !== null && ask.release_at <= ctx.now())
    throw new Refusal('release_time_past', { fields: ['release_at'] });
  await requireSeats(ctx, event_id, ask.objects);
  const block = await storeBlock(ctx, event_id, ask, actor);
  try {
    await ctx.seats.block(event.seatsio_event_key, ask.objects);
  } catch (error) {
    const isRefused = error instanceof ProviderRefused;
    await giveUp(ctx, block, isRefused);
    if (!isRefused) return refuseProviderError(error);
    const found = await ctx.seats
      .read(event.seatsio_event_key, ask.objects)
      .catch(refuseProviderError);
    const taken = ask.objects.filter((label) => found.get(label)?.status !== 'free');
    throw new Refusal('seats_not_free', { objects: taken }, error);
  }
  ctx.fault('seats_blocked');
  await transact(ctx.db, async (trx) => {
    const turned = await rows.turnPlaces(trx, block.id, { from: 'placing', to: 'live' });
    // So late that the task has begun to take it away: then it does.
    if (turned.length < ask.objects.length) throw new Refusal('provider_silent');
    await noteSeats(ctx, trx, { block, actor, action: 'seats_blocked', places: ask.objects });
  });
  return shown(block, ask.objects);
}

/** @throws Refusal object_unknown: not of this hall, or places of a standing area, which have no name on the map */
async function requireSeats(ctx: Ctx, event_id: string, objects: readonly string[]): Promise<void> {
  const known = new Set(
    (await placesOf(ctx.db, event_id, objects))
      .filter(({ kind }) => kind !== 'area')
      .map(({ place }) => place),
  );
  const unknown = objects.filter((label) => !known.has(label));
  if (unknown.length > 0) throw new Refusal('object_unknown', { objects: unknown });
}

async function storeBlock(
  ctx: Ctx,
  event_id: string,
  { objects, reason, color, release_at }: BlockAsk,
  actor: Actor,
): Promise<BlockRow> {
  const now = ctx.now();
  const block = { id: ctx.newId(), event_id, reason, color, release_at, actor, created_at: now };
  const places = objects.map((place) => ({
    event_id,
    place,
    block_id: block.id,
    state: 'placing' as const,
  }));
  try {
    await transact(ctx.db, async (trx) => {
      // The seat map may call a seat free that is sold: somebody freed it there by hand.
      const sold = await soldAmong(trx, event_id, objects);
      if (sold.length > 0) throw new Refusal('seats_not_free', { objects: sold });
      await rows.insertBlock(trx, block, places);
      await queueTask(ctx, trx, {
        task: 'settle_block',
        subject: block.id,
        run_at: now + settleAfterMs,
      });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const taken = await rows.blockedAmong(ctx.db, event_id, objects);
    throw new Refusal('seats_not_free', { objects: taken }, error);
  }
  return block;
}

/** A refused change has changed nothing, and the seats are anybody's at once. Where nobody knows, the task reads at the seat map and takes away what stands. */
async function giveUp(ctx: Ctx, block: BlockRow, isRefused: boolean): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const places = await rows.turnPlaces(trx, block.id, { from: 'placing', to: 'releasing' });
    if (isRefused) await rows.dropReleasing(trx, block.id, places);
    else await queueTask(ctx, trx, { task: 'settle_block', subject: block.id });
  });
  ctx.wake();
}

/** Those of them that are blocked. @throws Refusal event_not_found, provider_silent: then they are given back as soon as the seat map answers */
export async function unblockSeats(ctx: Ctx, event_id: string, objects: string[], actor: Actor) {
  await knownEvent(ctx, event_id);
  const wanted = new Set(objects);
  const blocked = (await rows.liveBlocks(ctx.db, event_id)).filter(({ place }) =>
    wanted.has(place),
  );
  const released = [];
  for (const [, seats] of Map.groupBy(blocked, ({ id }) => id)) {
    const block = seats[0]!;
    const places = await transact(ctx.db, (trx) =>
      beginRelease(ctx, trx, { block, actor, places: seats.map(({ place }) => place) }),
    );
    if (places.length > 0) released.push(shown(block, places));
  }
  for (const { block_id } of released)
    await finishRelease(ctx, block_id).catch(refuseProviderError);
  return { released };
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
  await queueTask(ctx, trx, { task: 'settle_block', subject: block.id });
  await noteSeats(ctx, trx, { block, actor, action: 'seats_unblocked', places: turned });
  return turned;
}

/** What the seat map still keeps back for us is freed there, and gone from the book; repeated it finds nothing to do. */
async function finishRelease(ctx: Ctx, block_id: string): Promise<void> {
  const block = await rows.findBlock(ctx.db, block_id);
  const places = block ? await rows.placesInState(ctx.db, block_id, 'releasing') : [];
  if (!block || places.length === 0) return;
  const { seatsio_event_key } = await knownEvent(ctx, block.event_id);
  const found = await ctx.seats.read(seatsio_event_key, places);
  const standing = places.filter((label) => found.get(label)?.status === blockedStatus);
  if (standing.length > 0) await ctx.seats.unblock(seatsio_event_key, standing);
  ctx.fault('seats_unblocked');
  await transact(ctx.db, (trx) => rows.dropReleasing(trx, block_id, places));
}

/** Its time has come, or whoever placed it never came back; null: nothing of it is left to wait for. */
export async function settleBlock(ctx: Ctx, block_id: string): Promise<number | null> {
  const block = await rows.findBlock(ctx.db, block_id);
  if (!block) return null;
  const now = ctx.now();
  const isDue = block.release_at !== null && block.release_at <= now;
  await transact(ctx.db, async (trx) => {
    if (block.created_at + settleAfterMs <= now)
      await rows.turnPlaces(trx, block_id, { from: 'placing', to: 'releasing' });
    if (isDue) await beginRelease(ctx, trx, { block, actor: 'system' });
  });
  await finishRelease(ctx, block_id);
  const placing = await rows.placesInState(ctx.db, block_id, 'placing');
  if (placing.length > 0) return block.created_at + settleAfterMs;
  return isDue ? null : block.release_at;
}

export async function blocksOf(ctx: Ctx, event_id: string) {
  await knownEvent(ctx, event_id);
  const seats = await rows.liveBlocks(ctx.db, event_id);
  const blocks = [...Map.groupBy(seats, ({ id }) => id).values()];
  return {
    items: blocks.map((same) =>
      shown(
        same[0]!,
        same.map(({ place }) => place),
      ),
    ),
  };
}

function shown(block: BlockRow, objects: string[]) {
  return { ...block, block_id: block.id, objects };
}

async function noteSeats(
  ctx: Ctx,
  trx: Trx,
  happening: {
    block: BlockRow;
    actor: Actor;
    action: 'seats_blocked' | 'seats_unblocked';
    places: readonly string[];
  },
): Promise<void> {
  const { block, actor, action, places } = happening;
  const { reason, color, release_at } = block;
  await note(ctx, trx, {
    actor,
    action,
    subject: block.event_id,
    detail: { block_id: block.id, reason, color, release_at, places },
  });
}
