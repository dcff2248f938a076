/**
 * Orders of before the house took real money: lists those that only test money has paid, and takes
 * them out of the house with their tickets, so that they count and hold nothing any more.
 */
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { Page } from '#db/engine/page.ts';
import { nextTestOrders, removeOrders, testOrdersByEvent } from '#db/office/removal.ts';
import { findOrder, linesOf, releaseLines } from '#db/order/orders.ts';
import { endTickets } from '#db/order/tickets.ts';
import { touchPlaces } from '#db/seat/seats.ts';
import type { OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import { writeOrders } from '#server/services/book/write.ts';
import { passToGuests } from '#server/services/payment/guest-places.ts';
import { withLeaseOrRefuse, type LeasedCtx } from '#server/services/payment/order-lease.ts';
import { releaseSeats } from '#server/services/payment/seats.ts';

const atOnce = 50;

/** Processes of a live house that has none: it can get no more, so that it is not asked again. */
const without = new WeakSet<object>();

/** Empty while the house takes no real money: then all its orders are alike. */
export async function testOrders(ctx: Ctx) {
  if (!ctx.payments.live || without.has(ctx.memory)) return [];
  const found = await testOrdersByEvent(ctx.db);
  if (found.length === 0) without.add(ctx.memory);
  return found;
}

/**
 * Removes them one by one; an interrupted call goes on when it is repeated. `orders`: the number
 * that the person has seen.
 * @throws Refusal not_live, test_orders_changed, try_again, provider_silent
 */
export async function removeTestOrders(
  ctx: Ctx,
  { orders, actor }: { orders: number; actor: Actor },
): Promise<void> {
  if (!ctx.payments.live) throw new Refusal('not_live');
  const seen = (await testOrdersByEvent(ctx.db)).reduce((sum, event) => sum + event.orders, 0);
  if (seen !== orders) throw new Refusal('test_orders_changed');
  for (let after: Page['after'] = null; ;) {
    const some: OrderRow[] = await nextTestOrders(ctx.db, { after, limit: atOnce });
    const last = some.at(-1);
    if (last === undefined) return;
    for (const { id } of some)
      await withLeaseOrRefuse(ctx, id, (leased, order) => removeOne(leased, order, actor));
    after = { at: last.created_at, id: last.id };
  }
}

/** First the seats are free at the seat map, then the book learns that the tickets ended. */
async function removeOne(ctx: LeasedCtx, order: OrderRow, actor: Actor): Promise<void> {
  const { id, event_id, number, paid_cents } = order;
  await releaseSeats(ctx, order).catch(unlessUnknown);
  const places = (await linesOf(ctx.db, id)).map(({ place }) => place);
  await transact(ctx.db, async (trx) => {
    const { feed_seq } = await takeDoorTurn(trx, { act: 'test_orders_removed', event_id });
    await endTickets(trx, id, { places, state: 'void', ended_at: ctx.now() });
    await touchPlaces(trx, event_id, { places, feed_seq });
  });
  await writeOrders(ctx, event_id, [id]);
  await transact(ctx.db, async (trx) => {
    if (!(await findOrder(trx, id))) return;
    await releaseLines(trx, id, ctx.now());
    await passToGuests(ctx, trx, { event_id, order_id: id });
    await removeOrders(trx, [id]);
    await happened(ctx, trx, {
      actor,
      action: 'test_orders_removed',
      subject: event_id,
      detail: { number, paid_cents, places },
    });
  });
}

/** If the keys of the seat map have changed too, the present one does not know the event. */
function unlessUnknown(error: unknown): void {
  if (!(error instanceof ProviderRefused && error.status === 404)) throw error;
}
