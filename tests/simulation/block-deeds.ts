/** Keeping seats and standing places back and giving them back, and emptying carts, beside all that sells them. */
import { liveAreaBlocks } from '#db/blocked-areas.ts';
import { blockAreaPlaces } from '#server/services/event/area-blocks.ts';
import { freeHolds } from '#server/services/event/free-holds.ts';
import { blockSeats, releaseBlock, unblockSeats } from '#server/services/event/blocks.ts';
import type { Ctx } from '#server/services/context.ts';
import { one, type Act } from './act.ts';
import type { Deed } from './history.ts';
import { eventId } from './world.ts';

/** What the office chooses on the map. */
const choices = [['A1'], ['A2'], ['A3'], ['A1', 'A2'], ['A2', 'A3'], ['A1', 'A2', 'A3']] as const;

function releaseAt(ctx: Ctx, how: number): number | null {
  return how % 4 === 0 ? ctx.now() + how * 10 * 60_000 + 60_000 : null;
}

export const blockDeeds: Partial<Record<Deed, Act>> = {
  async 'office blocks'(_, ctx, { which, how }) {
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
  async 'office keeps places'(world, ctx, { which, how }) {
    if (which % 3 === 0) {
      const block = one(await liveAreaBlocks(ctx.db, eventId), how);
      if (block) await releaseBlock(ctx, eventId, block.id, 'user:office');
      return;
    }
    const ask = {
      object: 'Loggione',
      places: 1 + (how % 3),
      reason: 'Sponsor',
      color: 'grey',
    } as const;
    await blockAreaPlaces(ctx, eventId, { ...ask, release_at: releaseAt(ctx, how) }, 'user:office');
    world.count('standing places kept');
  },
  async 'office frees holds'(world, ctx, { which }) {
    await freeHolds(ctx, eventId, [...choices[which % choices.length]!], 'user:office');
    world.count('holds freed');
  },
  async 'office unblocks'(_, ctx, { which }) {
    await unblockSeats(ctx, eventId, [...choices[which % choices.length]!], 'user:office');
  },
};
