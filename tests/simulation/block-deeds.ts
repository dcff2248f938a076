/** Blocking and unblocking seats and standing places, and emptying carts, while sales go on. */
import { liveAreaBlocks } from '#db/seat/blocked-areas.ts';
import { blockAreaPlaces } from '#server/services/seat-map/area-blocks.ts';
import { freeHolds } from '#server/services/seat-map/free-holds.ts';
import { blockSeats, releaseBlock, unblockSeats } from '#server/services/seat-map/blocks.ts';
import type { Ctx } from '#server/services/context.ts';
import { one, type Act } from './act.ts';
import type { Deed } from './history.ts';
import { eventId, type World } from './world.ts';

/** The objects that the office selects on the map. */
const choices = [['A1'], ['A2'], ['A3'], ['A1', 'A2'], ['A2', 'A3'], ['A1', 'A2', 'A3']] as const;

function releaseAt(ctx: Ctx, how: number): number | null {
  return how % 4 === 0 ? ctx.now() + how * 10 * 60_000 + 60_000 : null;
}

async function keepPlaces(world: World, ctx: Ctx, how: number): Promise<void> {
  await blockAreaPlaces(
    ctx,
    eventId,
    {
      object: 'Loggione',
      places: 1 + (how % 2),
      reason: 'Sponsor',
      color: 'grey',
      release_at: releaseAt(ctx, how),
    },
    'user:office',
  );
  world.count('standing places kept');
}

/**
 * `how` selects seats, standing places or carts; three separate actions would crowd out the
 * others.
 */
export const blockDeeds: Partial<Record<Deed, Act>> = {
  async 'office blocks'(world, ctx, { which, how }) {
    if (how % 3 === 2) return keepPlaces(world, ctx, how);
    await blockSeats(
      ctx,
      eventId,
      {
        objects: [...choices[which % choices.length]!],
        reason: 'Tecnici',
        color: 'grey',
        release_at: releaseAt(ctx, how),
      },
      'user:office',
    );
  },
  async 'office unblocks'(world, ctx, { which, how }) {
    const seats = [...choices[which % choices.length]!];
    if (how % 3 === 1) {
      await freeHolds(ctx, eventId, seats, 'user:office');
      world.count('holds freed');
      return;
    }
    const kept = how % 3 === 2 ? one(await liveAreaBlocks(ctx.db, eventId), which) : undefined;
    if (kept) await releaseBlock(ctx, eventId, kept.id, 'user:office');
    else await unblockSeats(ctx, eventId, seats, 'user:office');
  },
};
