/** The end of an order, on the product's page, in its row, and at the seat map. */
import { orderStatus } from '#server/contract/order/orders.ts';
import { countRows } from '#db/engine/statements.ts';
import type { OrderRow } from '#db/rows.ts';
import { callOk, demoEvent, payOrder, until, type Booked } from './make.ts';
import type { TestServer } from './server.ts';

export async function statusOf(server: TestServer, order: { order_id: string }) {
  const { order_confirmed_at, order_deleted_at, checkout_session_status } = await callOk(
    server,
    orderStatus,
    { params: { orderId: order.order_id } },
  );
  return {
    confirmed: order_confirmed_at !== null,
    deleted: order_deleted_at !== null,
    session: checkout_session_status,
  };
}

export async function rowOf(
  server: TestServer,
  { order_id }: { order_id: string },
): Promise<OrderRow> {
  return server.house.ctx.db('orders').where({ id: order_id }).first();
}

export async function seatStatuses(
  server: TestServer,
  order: Pick<Booked, 'selected_objects'>,
): Promise<string[]> {
  const objects = await server.house.ctx.seats.read(
    demoEvent,
    order.selected_objects.map((object) => object.object_id),
  );
  return [...objects.values()].map((object) => object.status);
}

/** Simulates another process that ended the order while its session stayed open. */
export async function endBehindOurBack(
  server: TestServer,
  order: Booked,
  event = demoEvent,
): Promise<void> {
  const { db, seats } = server.house.ctx;
  await seats.release(
    event,
    order.selected_objects.map(({ object_id, quantity = null }) => ({
      label: object_id,
      quantity,
      ticket_type: 'intero',
    })),
    order.order_id,
  );
  await db('orders')
    .where({ id: order.order_id })
    .update({ state: 'deleted', deleted_at: server.clock.now() });
  await db('order_lines')
    .where({ order_id: order.order_id })
    .update({ released_at: server.clock.now() });
}

/** Pays, and does the work of the webhook. */
export async function payLate(server: TestServer, order: Booked): Promise<void> {
  const { db } = server.house.ctx;
  const completed = () =>
    countRows(db('webhook_events').where({ type: 'checkout.session.completed' }));
  const before = await completed();
  await payOrder(server, order.checkout_url);
  await until(async () => (await completed()) > before);
  await server.runDue();
}
