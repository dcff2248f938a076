/** The order whose tickets a seller wants on paper, if it is theirs to see (RULES K7). */
import { openShiftOf } from '#db/shifts.ts';
import { meetsAtCounter } from '#server/domain/counter.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { confirmedOrder } from '#server/services/booking/documents.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Seller } from './sell.ts';

/** Refuses order_not_found, also for an order of another evening, and order_not_confirmed. */
export async function requireMetOrder(ctx: Ctx, seller: Seller, order_id: string): Promise<void> {
  const { order, event } = await confirmedOrder(ctx, order_id);
  const shift = await openShiftOf(ctx.db, seller.id);
  const own = { now: ctx.now(), own_shift: shift?.id ?? null };
  if (!meetsAtCounter(seller.role, { event, shift_id: order.shift_id }, own))
    throw new Refusal('order_not_found');
}
