/** Oggi, the office's first glance: the days are Rome's, and what waits, was sold and begins is counted. */
import { expect, test } from 'vitest';
import { readToday } from '#server/contract/today.ts';
import { daysAround } from '#server/domain/time/day.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';

const hour = 3_600_000;

test('a day is from midnight to midnight in Rome, also when the clocks change', () => {
  const { today, before, week } = daysAround(Date.parse('2026-10-25T12:00:00Z'));
  expect(new Date(today.from).toISOString()).toBe('2026-10-24T22:00:00.000Z');
  expect(today.to - today.from).toBe(25 * hour);
  expect(new Date(before.from).toISOString()).toBe('2026-10-17T22:00:00.000Z');
  expect(new Date(before.to).toISOString()).toBe('2026-10-18T11:00:00.000Z');
  expect(week.from).toBe(today.to);
  expect(week.to - week.from).toBe(7 * 24 * hour);
});

it('one glance: this evening, sold today and a week ago, what waits and since when', async (server) => {
  const admin = await makeAdmin(server);
  const { db } = server.house.ctx;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const { total_cents } = await db('orders').where({ id: order_id }).first();
  const now = server.clock.now();
  const { today } = daysAround(now);
  await db('events')
    .where({ id: demoEvent })
    .update({ starts_at: today.to - 1 });
  await db('events').whereNot({ id: demoEvent }).update({ starts_at: today.to });
  const read = () => callOk(server, readToday, {}, admin);
  const first = await read();
  expect(first.tonight).toMatchObject([{ id: demoEvent, sold: 2, inside: 0 }]);
  expect(first.week.length).toBeGreaterThan(0);
  expect(first.sales).toEqual({
    today: { orders: 1, tickets: 2, paid_cents: total_cents },
    before: { orders: 0, tickets: 0, paid_cents: 0 },
  });
  expect(first.waiting.order).toEqual({ count: 0, oldest_at: null });
  expect(first.mail.leaves).toBe(false);

  const weekAgo = daysAround(now).before;
  await db('orders')
    .where({ id: order_id })
    .update({ created_at: weekAgo.from, needs_attention: 'amount_differs' });
  const later = await read();
  expect(later.sales.today.orders).toBe(0);
  expect(later.sales.before).toEqual({ orders: 1, tickets: 2, paid_cents: total_cents });
  expect(later.waiting.order).toEqual({
    count: 1,
    oldest_at: new Date(weekAgo.from).toISOString(),
  });
  // Later in the day than now, a week ago, is not compared.
  await db('orders')
    .where({ id: order_id })
    .update({ created_at: weekAgo.to + hour });
  expect((await read()).sales.before.orders).toBe(0);
});
