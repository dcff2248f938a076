/** Standing places of an order that had ended: their numbers may be somebody else's by now, as long as the area has room it gets others. */
import { expect } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { confirmOrder } from '#server/contract/office.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { endBehindOurBack, payLate, rowOf } from '#tests/support/order-end.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { bookStanding, bookedStanding } from '#tests/support/standing.ts';

async function livePlaces(server: TestServer, order: { order_id: string }): Promise<string[]> {
  return server.house.ctx
    .db('order_lines')
    .where({ order_id: order.order_id })
    .whereNull('released_at')
    .orderBy('position')
    .pluck('place');
}

/** An order of three that has ended, and another that has two of its places. */
async function overtaken(server: TestServer) {
  const late = await bookStanding(server, 3);
  await endBehindOurBack(server, late);
  return { late, faster: await bookStanding(server, 2) };
}

async function expectItsPlaces(
  server: TestServer,
  { late, faster }: Awaited<ReturnType<typeof overtaken>>,
): Promise<void> {
  expect(await livePlaces(server, faster)).toEqual(['Loggione#1', 'Loggione#2']);
  expect((await livePlaces(server, late)).toSorted()).toEqual([
    'Loggione#3',
    'Loggione#4',
    'Loggione#5',
  ]);
  expect(await bookedStanding(server)).toBe(5);
  const { state, tickets } = await callOk(server, getOrder, { params: { orderId: late.order_id } });
  expect([state, new Set(tickets.map((ticket) => ticket.code)).size]).toEqual(['confirmed', 3]);
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
}

test('late money for standing places whose numbers were sold meanwhile is confirmed with other numbers', async (server) => {
  const orders = await overtaken(server);
  await payLate(server, orders.late);
  expect(await rowOf(server, orders.late)).toMatchObject({
    state: 'confirmed',
    paid_cents: 5400,
    refunded_cents: 0,
  });
  await expectItsPlaces(server, orders);
});

it('cash for standing places whose numbers were sold meanwhile is confirmed with other numbers', async (server, admin) => {
  const orders = await overtaken(server);
  await callOk(
    server,
    confirmOrder,
    {
      params: { orderId: orders.late.order_id },
      body: { reason: 'Pagato in cassa', method: 'cash', expected_cents: 5400 },
    },
    admin,
  );
  await expectItsPlaces(server, orders);
});

it('late money for a standing area that is full goes back, and nobody loses a place', async (server) => {
  const late = await bookStanding(server, 3);
  await endBehindOurBack(server, late);
  // 58 of 60: two places are not enough for three.
  for (const count of [10, 10, 10, 10, 10, 8]) await bookStanding(server, count);
  await payLate(server, late);
  expect(await rowOf(server, late)).toMatchObject({
    state: 'deleted',
    paid_cents: 5400,
    refunded_cents: 5400,
  });
  expect(await livePlaces(server, late)).toEqual([]);
  expect(await bookedStanding(server)).toBe(58);
});

it('late money where the seat map has room but our book has none goes back, and the seat map’s places with it', async (server) => {
  const { db } = server.house.ctx;
  const late = await bookStanding(server, 3);
  await endBehindOurBack(server, late);
  await bookStanding(server, 4);
  await db('places')
    .where({ event_id: demoEvent, object_label: 'Loggione' })
    .where('position', '>', 6)
    .delete();
  await payLate(server, late);
  expect(await rowOf(server, late)).toMatchObject({
    state: 'deleted',
    paid_cents: 5400,
    refunded_cents: 5400,
  });
  expect(await bookedStanding(server)).toBe(4);
});

test('five that come late at once, each to numbers that are sold, all get places of their own', async (server) => {
  const late = [];
  for (let nth = 0; nth < 5; nth += 1) late.push(await bookStanding(server, 2));
  for (const order of late) await endBehindOurBack(server, order);
  await bookStanding(server, 10);
  const admin = await makeAdmin(server);
  await Promise.all(
    late.map(({ order_id }) =>
      callOk(
        server,
        confirmOrder,
        {
          params: { orderId: order_id },
          body: { reason: 'Pagato in cassa', method: 'cash', expected_cents: 3600 },
        },
        admin,
      ),
    ),
  );
  const places: string[] = await server.house.ctx
    .db('order_lines')
    .whereNull('released_at')
    .pluck('place');
  expect([places.length, new Set(places).size]).toEqual([20, 20]);
  expect(await bookedStanding(server)).toBe(20);
  await expectSoundBooks(server);
});
