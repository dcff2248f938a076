/** Turns: one at a time has an order, as long as he works; whoever lost it writes nothing any more. */
import { expect, vi } from 'vitest';
import { keepLease } from '#server/services/kit/lease.ts';
import { firstLease, withLease } from '#server/services/payment/order-lease.ts';
import { settleOrder } from '#server/services/payment/settle.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { holdAnswers } from '#tests/support/held-answers.ts';
import { ask, makeOrder, payOrder, until } from '#tests/support/make.ts';
import { rowOf, seatStatuses, statusOf } from '#tests/support/order-end.ts';

const second = 1_000;

/** Until the end of the block: a pool of PostgreSQL that closes waits by such a timer. */
function steerIntervals() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  return {
    left: () => vi.getTimerCount(),
    [Symbol.dispose]: () => void vi.useRealTimers(),
  };
}

test('whoever works longer than his lease keeps the order, because he renews it', async (server) => {
  using intervals = steerIntervals();
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const answers = holdAnswers(server, 'read');
  const settling = settleOrder(server.house.ctx, order.order_id);
  await answers.begun(1);
  for (let round = 0; round < 4; round += 1) {
    const { lease_until } = await rowOf(server, order);
    server.clock.advance(30 * second);
    // A turn of the timer that comes while one renewal is being written does nothing: the next one does.
    await until(async () => {
      await vi.advanceTimersByTimeAsync(5 * second);
      return (await rowOf(server, order)).lease_until! > lease_until!;
    });
  }
  // Two minutes have passed: a second worker still finds him at work.
  expect(await settleOrder(server.house.ctx, order.order_id)).toBeGreaterThan(server.clock.now());
  answers.letGo(0);
  expect(await settling).toBeNull();
  expect(await rowOf(server, order)).toMatchObject({
    state: 'confirmed',
    lease: null,
    lease_until: null,
  });
  expect(intervals.left()).toBe(0);
});

test('whoever was away longer than his lease changes nothing any more: not here, not at the seat map', async (server) => {
  const order = await makeOrder(server);
  const answers = holdAnswers(server, 'expire');
  const cancel = ask(server, 'DELETE', `/api/orders/${order.order_id}/checkout_session`);
  await answers.begun(1);
  server.clock.advance(100 * second);
  const other = ask(server, 'DELETE', `/api/orders/${order.order_id}/checkout_session`);
  await answers.begun(2);
  const { lease } = await rowOf(server, order);
  answers.letGo(0);
  expect((await cancel).status).toBe(503);
  expect(await rowOf(server, order)).toMatchObject({ state: 'awaiting_payment', lease });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  answers.letGo(1);
  expect((await other).status).toBe(204);
  expect(await statusOf(server, order)).toEqual({
    confirmed: false,
    deleted: true,
    session: 'expired',
  });
  expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
  expect(await rowOf(server, order)).toMatchObject({ lease: null });
  expect(server.logged).toEqual([]);
});

it('what a killed process was at work on is free before whoever waits for it is refused', async (server) => {
  const { ctx } = server.house;
  const order = await makeOrder(server);
  await ctx.db('orders').where({ id: order.order_id }).update(firstLease(ctx));
  const cancel = ask(server, 'DELETE', `/api/orders/${order.order_id}/checkout_session`);
  server.clock.advance(15 * second);
  expect((await cancel).status).toBe(204);
});

it('a booking whose turn was taken by somebody else neither ends that turn nor hands out the address', async (server) => {
  const { ctx } = server.house;
  const answers = holdAnswers(server, 'open');
  const booking = makeOrder(server).catch((error: unknown) => String(error));
  await answers.begun(1);
  const find = () => ctx.db('orders').first();
  const { id } = await find();
  server.clock.advance(100 * second);
  await ctx
    .db('orders')
    .where({ id })
    .update({ lease: 'somebody', lease_until: server.clock.now() + 100 * second });
  answers.letGo(0);
  expect(await booking).toContain('try_again');
  expect(await find()).toMatchObject({ state: 'booking', lease: 'somebody', session_id: null });
});

test('a lease lasts no longer than its length when the clock is set back: for the others, and for its holder', async (server) => {
  const { order_id } = await makeOrder(server);
  const { ctx } = server.house;
  server.clock.advance(7_200 * second);
  const lease = firstLease(ctx);
  await ctx.db('orders').where({ id: order_id }).update(lease);
  const held = keepLease(ctx, {
    until: lease.lease_until,
    leaseMs: 15 * second,
    renew: () => Promise.resolve(true),
  });
  server.clock.advance(-7_200 * second);
  expect(held.isHeld()).toBe(true);
  let waited = 0;
  const pause = (ms: number) => {
    server.clock.advance(ms);
    waited += ms;
    return Promise.resolve(ms);
  };
  const run = () => Promise.resolve(held.isHeld());
  // When another has it, its first holder knows that he has lost it.
  expect(await withLease({ ...ctx, pause }, order_id, { waitMs: 20 * second, run })).toEqual({
    value: false,
  });
  expect(waited).toBeGreaterThanOrEqual(15 * second);
  await held.end();
});

it('who slept, or whose clock was set ahead, has lost what others may have taken', async (server) => {
  const { ctx } = server.house;
  const until = ctx.now() + 15 * second;
  const renew = () => Promise.resolve(true);
  const held = keepLease({ ...ctx, elapsed: () => 0 }, { until, leaseMs: 15 * second, renew });
  expect(held.isHeld()).toBe(true);
  server.clock.advance(16 * second);
  expect(held.isHeld()).toBe(false);
  await held.end();
});

it('whoever waits long for an order looks less and less often', async (server) => {
  const { order_id } = await makeOrder(server);
  const { ctx } = server.house;
  await ctx.db('orders').where({ id: order_id }).update(firstLease(ctx));
  const pauses: number[] = [];
  const pause = (ms: number) => {
    pauses.push(ms);
    return Promise.resolve(ms);
  };
  const run = () => Promise.resolve(null);
  expect(await withLease({ ...ctx, pause }, order_id, { waitMs: 20_000, run })).toBeNull();
  // Two hundred calls for one order, forty looks a second each, kept PostgreSQL from whoever held it.
  expect([pauses[0], pauses.length < 60]).toEqual([25, true]);
});
