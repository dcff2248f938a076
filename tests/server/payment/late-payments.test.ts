/** Money that comes after an order's end: the seats again if they are free, else the money back. */
import { expect } from 'vitest';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makeOrder } from '#tests/support/make.ts';
import {
  endBehindOurBack,
  payLate,
  rowOf,
  seatStatuses,
  statusOf,
} from '#tests/support/order-end.ts';
import { refundsAtStripe } from '#tests/support/stripe-desk.ts';

test('a payment that comes after the end gets its seats again if they are free', async (server) => {
  const order = await makeOrder(server);
  await endBehindOurBack(server, order);
  await payLate(server, order);
  expect(await statusOf(server, order)).toEqual({
    confirmed: true,
    deleted: false,
    session: 'complete',
  });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
});

test('a payment that comes after the end is refunded when the seats are gone', async (server) => {
  const order = await makeOrder(server);
  await endBehindOurBack(server, order);
  const winner = await makeOrder(server, {
    seats: order.selected_objects.map((object) => object.object_id),
  });
  await payLate(server, order);
  const stored = await rowOf(server, order);
  expect(stored).toMatchObject({
    state: 'deleted',
    needs_attention: null,
    paid_cents: 6400,
    refunded_cents: 6400,
  });
  expect(await seatStatuses(server, winner)).toEqual(['booked', 'booked']);
  expect(
    (await refundsAtStripe(server, stored.payment_intent!)).map((refund) => refund.amount),
  ).toEqual([6400]);
});

it('a late payment of another sum than was agreed goes back in full, even if the seats are free', async (server) => {
  const { db } = server.house.ctx;
  const odd = await makeOrder(server);
  await endBehindOurBack(server, odd);
  await db('orders').where({ id: odd.order_id }).update({ total_cents: 1 });
  await payLate(server, odd);
  expect(await rowOf(server, odd)).toMatchObject({
    state: 'deleted',
    needs_attention: null,
    paid_cents: 6400,
    refunded_cents: 6400,
  });
  expect(await db('refunds').select('state', 'origin', 'amount_cents')).toEqual([
    { state: 'succeeded', origin: 'late_payment', amount_cents: 6400 },
  ]);
});

it('while the seat map fails at once, a payment after the end asks it seldom, and gets its seats when it is back', async (server) => {
  const { ctx } = server.house;
  const order = await makeOrder(server);
  await endBehindOurBack(server, order);
  let asked = 0;
  let broken = true;
  const { seats } = ctx;
  ctx.seats = {
    ...seats,
    async book(...args) {
      asked += 1;
      // Where nobody waits between two calls the test must come to an end all the same.
      if (broken && asked < 50)
        throw new ProviderUnavailable('seats.io', 'connect ECONNREFUSED', null);
      await seats.book(...args);
    },
  };
  await payLate(server, order);
  for (let second = 0; second < 60; second += 1) {
    server.clock.advance(1_000);
    await server.runDue();
  }
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThan(5);
  const before = asked;
  for (let minute = 0; minute < 30; minute += 1) {
    server.clock.advance(60_000);
    await server.runDue();
  }
  // The longer it lasts, the less often.
  expect(asked - before).toBeGreaterThan(5);
  expect(asked - before).toBeLessThan(20);
  broken = false;
  server.clock.advance(10 * 60_000);
  await server.runDue();
  expect(await statusOf(server, order)).toEqual({
    confirmed: true,
    deleted: false,
    session: 'complete',
  });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
});
