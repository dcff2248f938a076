/** Frees the seats in visitors' carts, if a person says that the carts are abandoned. */
import { orderOfHold } from '#db/order/orders.ts';
import { transact } from '#db/engine/transact.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { heldStatus } from '#server/domain/seat/seat-state.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { requireNamedSeats } from './named-seats.ts';

/**
 * Frees all of the seats or none; if one was sold meanwhile, the seat map refuses.
 * @throws Refusal event_not_found, object_unknown, seats_not_held, hold_in_use, provider_silent
 */
export async function freeHolds(ctx: Ctx, event_id: string, objects: string[], actor: Actor) {
  const { seatsio_event_key } = await knownEvent(ctx, event_id);
  await requireNamedSeats(ctx, event_id, objects);
  await requireStuck(ctx, { event_id, seatsio_event_key, objects });
  try {
    await ctx.seats.freeHeld(seatsio_event_key, objects);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    const found = await ctx.seats.read(seatsio_event_key, objects);
    const others = objects.filter((label) => found.get(label)?.status !== heldStatus);
    throw new Refusal('seats_not_held', { objects: others }, error);
  }
  await transact(ctx.db, (trx) =>
    happened(ctx, trx, { actor, action: 'holds_freed', subject: event_id, detail: { objects } }),
  );
  return { objects };
}

/**
 * Refuses if a cart's order is being paid: its visitor would pay for seats that another buyer
 * gets.
 * @throws Refusal hold_in_use
 */
async function requireStuck(
  ctx: Ctx,
  {
    event_id,
    seatsio_event_key,
    objects,
  }: { event_id: string; seatsio_event_key: string; objects: string[] },
): Promise<void> {
  const found = await ctx.seats.read(seatsio_event_key, objects);
  const used: string[] = [];
  for (const label of objects) {
    const hold_token = found.get(label)?.hold_token ?? null;
    if (hold_token !== null && (await orderOfHold(ctx.db, event_id, hold_token))) used.push(label);
  }
  if (used.length > 0) throw new Refusal('hold_in_use', { objects: used });
}
