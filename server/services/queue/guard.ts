/**
 * Tells the seat map which events are only for who was let in; whatever it does not hear is told
 * again a second later.
 */
import { changeQueue, type Room } from '#db/queue/queues.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { Ctx } from '#server/services/context.ts';
import { forgetRooms, phaseOfRoom } from './rooms.ts';

/** Also after the evening has moved to another hall. */
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

/** A hall that is gone needs no guard. */
async function letAllIn(ctx: Ctx, key: string): Promise<void> {
  await ctx.seats.requireAdmission(key, false).catch((error: unknown) => {
    if (!(error instanceof ProviderRefused) || error.status !== 404) throw error;
  });
}
