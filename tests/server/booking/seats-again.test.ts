/** "Riprendi gli stessi posti": what an ended order had chosen is told exactly as long as all of it can be had. */
import { expect } from 'vitest';
import { cancelCheckout, getOrder, seatsAgain } from '#server/contract/order/orders.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, makeOrder } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { setPolicy } from '#tests/support/refunds.ts';

const again = async (server: TestServer, orderId: string) =>
  (await callOk(server, seatsAgain, { params: { orderId } })).selected_objects;

test('while an order waits nothing is offered; ended, its own places with their types; taken by another or after the sale, nothing', async (server) => {
  const order = await makeOrder(server, { ticket_type: 'ridotto' });
  const late = await makeOrder(server);
  const own = order.selected_objects.map((object) => ({ ...object, quantity: 1 }));
  expect(await again(server, order.order_id)).toEqual([]);
  await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
  expect(await again(server, order.order_id)).toEqual(own);
  await makeOrder(server, { seats: own.map(({ object_id }) => object_id) });
  expect(await again(server, order.order_id)).toEqual([]);

  server.clock.advance(16 * 60_000);
  await server.runDue();
  const params = { orderId: late.order_id };
  expect((await callOk(server, getOrder, { params })).state).toBe('deleted');
  expect(await again(server, late.order_id)).toHaveLength(late.selected_objects.length);
  await setPolicy(server, { sales_closes_at: server.clock.now() - 1 }, demoEvent);
  expect(await again(server, late.order_id)).toEqual([]);
  expect((await ask(server, 'GET', '/api/orders/nessuno/seats_again')).status).toBe(404);
});
