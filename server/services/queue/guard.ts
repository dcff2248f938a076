/**
 * Tells the seat map for which events visitors need an admitted hold token to hold seats; a call
 * that fails is repeated a second later.
 */
import { changeQueue, type Room } from '#db/queue/queues.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { Ctx } from '#server/services/context.ts';
import { forgetRooms, phaseOfRoom } from './rooms.ts';

/** Makes the seat map require admission while the room is on; follows a change of hall. */
export async function keepGuard(ctx: Ctx, room: Room): Promise<void> {
  const { event_id, guarded_key, seatsio_event_key } = room;
  const wanted = phaseOfRoom(room) === 'off' ? null : seatsio_event_key;
  if (wanted === guarded_key) return;
  try {
    if (wanted !== null) await ctx.seats.requireAdmission(wanted, true);
    if (guarded_key !== null) await letAllIn(ctx, guarded_key);
  } catch (error) {
    ctx.log.warn({ err: error, event_id }, 'the seat map did not hear who is let in');
    return;
  }
  await changeQueue(ctx.db, event_id, { guarded_key: wanted });
  forgetRooms(ctx);
}

/** Lets every token hold seats again. A 404: the old hall is gone, so nothing is left to do. */
async function letAllIn(ctx: Ctx, key: string): Promise<void> {
  await ctx.seats.requireAdmission(key, false).catch((error: unknown) => {
    if (!(error instanceof ProviderRefused) || error.status !== 404) throw error;
  });
}
