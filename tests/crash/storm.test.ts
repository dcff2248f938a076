/**
 * Faults around a living server: a vendor hangs, clocks jump, and visitors cancel while paying.
 */
import { expect, test } from 'vitest';
import { getEvent, listPublished } from '#server/contract/events.ts';
import { orderStatus } from '#server/contract/order/orders.ts';
import { testOnce as it } from '#tests/support/both.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeHoldToken,
  makeOrder,
  payOrder,
  until,
} from '#tests/support/make.ts';
import { expectHealthy, raceToPay } from './races.ts';

const minute = 60_000;

it('Stripe hangs: the others are served as always, the event loop is free, and the booking ends as soon as Stripe does', async (server) => {
  await callOk(server, getEvent, { params: { eventId: demoEvent } });
  const { faults } = server.house.standins!.stripe!;
  faults.add({
    on: 'request',
    method: 'POST',
    path: '/v1/checkout/sessions',
    action: 'hang',
    times: 'always',
  });
  const stuck = [
    makeOrder(server),
    makeOrder(server, { nth: 1 }),
    makeOrder(server, { nth: 2 }),
  ].map((order) => order.catch((error: unknown) => String(error)));
  await until(async () => faults.log.length >= 3);
  for (let round = 0; round < 20; round += 1) {
    const began = performance.now();
    await Promise.all([
      callOk(server, getEvent, { params: { eventId: demoEvent } }),
      callOk(server, listPublished, {}),
      makeHoldToken(server),
      ask(server, 'GET', '/healthz'),
    ]);
    expect(performance.now() - began).toBeLessThan(2_000);
  }
  faults.release();
  faults.clear();
  const orders = await Promise.all(stuck);
  expect(orders.filter((order) => typeof order === 'string' && !order.includes('503'))).toEqual([]);
  server.clock.advance(20 * minute);
  await server.runDue();
  server.clock.advance(2 * minute);
  await server.runDue();
  await expectHealthy(server);
  expect(
    await server.house.ctx.db('orders').whereIn('state', ['booking', 'awaiting_payment']),
  ).toEqual([]);
});

it('clocks jump two hours ahead and one back in the middle of orders: nobody loses money or seats, nothing stays stuck', async (server) => {
  const early = await makeOrder(server);
  const open = await makeOrder(server, { nth: 1 });
  await payOrder(server, early.checkout_url);
  server.clock.advance(120 * minute);
  await server.runDue();
  const between = await makeOrder(server, { nth: 2 });
  server.clock.advance(-60 * minute);
  await payOrder(server, between.checkout_url);
  const late = await makeOrder(server, { nth: 3 });
  await payOrder(server, late.checkout_url);
  await server.runDue();
  for (const order of [early, between, late]) {
    await ask(server, 'GET', `/api/orders/${order.order_id}/status`);
    server.clock.advance(3_000);
    expect(
      (await callOk(server, orderStatus, { params: { orderId: order.order_id } }))
        .order_confirmed_at,
    ).not.toBeNull();
  }
  expect(
    (await callOk(server, orderStatus, { params: { orderId: open.order_id } })).order_deleted_at,
  ).not.toBeNull();
  server.clock.advance(90 * minute);
  await server.runDue();
  await expectHealthy(server);
});

test('visitors cancel and pay at the same moment: each order ends one way, paid with its tickets or free with its seats', () =>
  raceToPay(12));
