/** "Riprendi gli stessi posti": what an ended order had chosen is told exactly as long as all of it can be had. */
import { expect } from 'vitest';
import { cancelCheckout, getOrder, seatsAgain } from '#server/contract/order/orders.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, makeOrder } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const again = async (server: TestServer, orderId: string) =>
  (await callOk(server, seatsAgain, { params: { orderId } })).selected_objects;

testOnBoth(
  'while an order waits nothing is offered; cancelled, its own places with their types; taken by another, nothing',
  async (server) => {
    const order = await makeOrder(server, { ticket_type: 'ridotto' });
    expect(await again(server, order.order_id)).toEqual([]);
    await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
    expect(await again(server, order.order_id)).toEqual(
      order.selected_objects.map((object) => ({ ...object, quantity: 1 })),
    );
    await makeOrder(server, { seats: [order.selected_objects[0]!.object_id], count: 1 }).catch(() =>
      makeOrder(server, { seats: order.selected_objects.map(({ object_id }) => object_id) }),
    );
    expect(await again(server, order.order_id)).toEqual([]);
  },
);

testOnBoth('an order whose time to pay has run out is offered again, too', async (server) => {
  const { order_id, selected_objects } = await makeOrder(server);
  server.clock.advance(16 * 60_000);
  await server.runDue();
  const { state } = await callOk(server, getOrder, { params: { orderId: order_id } });
  expect(state).toBe('deleted');
  expect(await again(server, order_id)).toHaveLength(selected_objects.length);
});

testOnBoth('nothing is offered of a sale that is over, or of an unknown order', async (server) => {
  const { order_id } = await makeOrder(server);
  await callOk(server, cancelCheckout, { params: { orderId: order_id } });
  await server.house.ctx
    .db('events')
    .where({ id: demoEvent })
    .update({ sales_closes_at: server.clock.now() - 1 });
  expect(await again(server, order_id)).toEqual([]);
  expect((await ask(server, 'GET', '/api/orders/nessuno/seats_again')).status).toBe(404);
});
