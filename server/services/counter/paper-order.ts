/** Finds the order whose tickets a seller wants to print, if the seller may see it (RULES K7). */
import { confirmedOrder } from '#server/services/order/documents.ts';
import { requireSeenOrder } from '#server/services/order/order-scope.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Seller } from './sell.ts';

/**
 * Refuses order_not_found, also if this seller may not see the order, and order_not_confirmed.
 */
export async function requirePaperOrder(ctx: Ctx, seller: Seller, order_id: string): Promise<void> {
  await requireSeenOrder(ctx, seller, order_id);
  await confirmedOrder(ctx, order_id);
}
