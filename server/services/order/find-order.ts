/** Finds the order that a request names, or refuses with order_not_found. */
import type { Db } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { findOrder } from '#db/order/orders.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { isoOf } from '#server/domain/time/dates.ts';
import { underTerms } from '#server/domain/order/terms.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { isPractice } from '#server/domain/door/rehearsal.ts';
import { readRestored } from '#server/services/kit/restored.ts';
import type { Ctx } from '#server/services/context.ts';

/** @throws Refusal order_not_found */
export async function requireOrder(ctx: Ctx, id: string): Promise<OrderRow> {
  const order = await findOrder(ctx.db, id);
  // A rehearsal's order has no buyer, and so no page.
  if (!order || isPractice(order)) throw new Refusal('order_not_found', await whyMissing(ctx));
  return order;
}

/**
 * If the house was restored from a backup, the order in a link may be newer than the backup; then
 * the buyer is told so.
 */
export async function whyMissing({ db }: Ctx): Promise<{ restored_from: string } | undefined> {
  const restored = await readRestored(db);
  return restored === null ? undefined : { restored_from: isoOf(restored.copied_at) };
}

/** @throws Refusal order_not_found */
export async function orderAndEvent(
  ctx: Ctx,
  order_id: string,
): Promise<{ order: OrderRow; event: EventRow }> {
  const order = await requireOrder(ctx, order_id);
  return { order, event: await eventOfOrder(ctx.db, order) };
}

/** The order's event under the order's terms; for an erased buyer it asks for no names. */
export async function eventOfOrder(db: Db, order: OrderRow): Promise<EventRow> {
  const event = underTerms(await requireEventRow(db, order.event_id), order);
  if (order.buyer_forgotten_at === null) return event;
  return { ...event, nominative: 0, holder_change: 0, names_due: null };
}
