/** Keeping seats back and giving them back, beside all that sells them. */
import { blockSeats, unblockSeats } from '#server/services/event/blocks.ts';
import type { Act } from './act.ts';
import type { Deed } from './history.ts';
import { eventId } from './world.ts';

/** What the office chooses on the map. */
const choices = [['A1'], ['A2'], ['A3'], ['A1', 'A2'], ['A2', 'A3'], ['A1', 'A2', 'A3']] as const;

export const blockDeeds: Partial<Record<Deed, Act>> = {
  async 'office blocks'(_, ctx, { which, how }) {
    await blockSeats(
      ctx,
      eventId,
      {
        objects: [...choices[which % choices.length]!],
        reason: 'Tecnici',
        color: 'grey',
        release_at: how % 4 === 0 ? ctx.now() + how * 10 * 60_000 + 60_000 : null,
      },
      'user:office',
    );
  },
  async 'office unblocks'(_, ctx, { which }) {
    await unblockSeats(ctx, eventId, [...choices[which % choices.length]!], 'user:office');
  },
};
