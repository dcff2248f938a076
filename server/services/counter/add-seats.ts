/**
 * Adds seats to a confirmed order: they become a second order that belongs to the first, so that
 * what was paid does not change (RULES O15).
 */
import type { Trx } from '#db/engine/dialect.ts';
import { firstOf } from '#db/order/order-families.ts';
import { requireOrderRow } from '#db/order/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireSeenOrder, type Viewer } from '#server/services/order/order-scope.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';

/** What the seller typed about the buyer. */
interface ToldBuyer {
  name?: string;
  email?: string;
  phone?: string;
}

/**
 * The first of the orders that belong together. Refuses order_not_found, order_not_extendable,
 * buyer_forgotten.
 */
export async function orderToExtend(ctx: Ctx, viewer: Viewer, id: string): Promise<OrderRow> {
  const named = await requireSeenOrder(ctx, viewer, id);
  const first = await requireOrderRow(ctx.db, firstOf(named));
  if (first.state !== 'confirmed') throw new Refusal('order_not_extendable');
  if (first.buyer_forgotten_at !== null) throw new Refusal('buyer_forgotten');
  return first;
}

/** The columns that tie the new order to the first, and its buyer unless another was typed. */
export function partOf(first: OrderRow, buyer: ToldBuyer | undefined): Partial<OrderRow> {
  return {
    part_of: first.id,
    buyer_name: buyer?.name ?? first.buyer_name,
    buyer_email: buyer?.email ?? first.buyer_email,
    buyer_phone: buyer?.phone ?? first.buyer_phone,
    contact_hidden: first.contact_hidden,
    buyer_contact: first.buyer_contact,
    buyer_language: first.buyer_language,
  };
}

/** Adds to the history of the first order that it got more seats. */
export async function noteAdded(
  ctx: Ctx,
  trx: Trx,
  { id, number, part_of }: OrderRow,
  actor: Actor,
): Promise<void> {
  if (part_of === null) return;
  await happened(ctx, trx, {
    actor,
    action: 'seats_added',
    subject: part_of,
    detail: { order_id: id, number },
  });
}
