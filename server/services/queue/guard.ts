/**
 * Tells the seat map for which events only admitted hold tokens may hold seats; a failed call is
 * repeated a second later.
 */
import { changeQueue, type Room } from '#db/queue/queues.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { Ctx } from '#server/services/context.ts';
import { forgetRooms, phaseOfRoom } from './rooms.ts';

/** Turns the guard on or off as the room's phase requires, also at the event's new hall. */
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

/** A 404 means that the old hall is gone, so it needs no guard any more. */
async function letAllIn(ctx: Ctx, key: string): Promise<void> {
  await ctx.seats.requireAdmission(key, false).catch((error: unknown) => {
    if (!(error instanceof ProviderRefused) || error.status !== 404) throw error;
  });
}
