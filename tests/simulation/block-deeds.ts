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

const tableChoices = [['T1'], ['A1'], ['T2'], ['T1', 'T2'], ['A1', 'T1']] as const;

/** What the office selects: tables too where people buy them. */
export function objectsFor({ tables }: World, which: number): string[] {
  const known = tables ? tableChoices : choices;
  return [...known[which % known.length]!];
}

/** A time by the person's own watch, which is right. */
export function releaseAt({ scheduler }: World, how: number): number | null {
  return how % 4 === 0 ? scheduler.now() + how * 10 * 60_000 + 60_000 : null;
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
      release_at: releaseAt(world, how),
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
        objects: objectsFor(world, which),
        reason: 'Tecnici',
        color: 'grey',
        release_at: releaseAt(world, how),
      },
      'user:office',
    );
  },
  async 'office unblocks'(world, ctx, { which, how }) {
    const seats = objectsFor(world, which);
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
