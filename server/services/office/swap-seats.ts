/** Finds the other seat of a swap by typed words. */
import type { Ctx } from '#server/services/context.ts';
import { quoteSwaps } from '#server/services/move/swap.ts';
import { orderAndEvent } from '#server/services/order/find-order.ts';
import { placesCalled } from './places-called.ts';

/** @throws Refusal order_not_found, ticket_not_found, object_without_price */
export async function quoteSwap(ctx: Ctx, order_id: string, ask: { ticket_id: string; q: string }) {
  const { event } = await orderAndEvent(ctx, order_id);
  // An evening that has begun is among those that come.
  const after = Math.min(ctx.now(), event.starts_at) - 1;
  const places = await placesCalled(ctx, ask.q, after);
  return quoteSwaps(ctx, order_id, { ticket_id: ask.ticket_id, places });
}
