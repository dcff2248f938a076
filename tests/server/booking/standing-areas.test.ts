/** Places of a standing area have no names at the seat map, only a number: each order gets and gives back its own. */
import { expect } from 'vitest';
import { testOnBoth as test } from '#tests/support/both.ts';
import { comeBack, payAs } from '#tests/support/buyer.ts';
import { ask, demoEvent, holdSeats, tryBook } from '#tests/support/make.ts';
import { bookedStanding, bookStanding } from '#tests/support/standing.ts';

const minute = 60_000;

test('a standing area booked by the same call ten times at once is one order, and cancelled ten times at once its places come back, nobody else’s', async (server) => {
  const sold = await bookStanding(server, 9);
  await payAs(server, sold);
  expect(await comeBack(server, sold)).toEqual({ confirmed: true });
  const selected_objects = [
    { object_id: 'Loggione', ticket_type: 'intero', quantity: 2 },
    { object_id: 'Loggione', ticket_type: 'ridotto', quantity: 1 },
  ];
  const held = await holdSeats(server, { selected_objects });
  const answers = await Promise.all(Array.from({ length: 10 }, () => tryBook(server, held)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(await bookedStanding(server)).toBe(9 + 3);
  const { order_id } = answers[0]!.body as { order_id: string };
  const cancels = await Promise.all(
    Array.from({ length: 10 }, () =>
      ask(server, 'DELETE', `/api/orders/${order_id}/checkout_session`),
    ),
  );
  expect(cancels.map((answer) => answer.status)).toEqual(Array(10).fill(204));
  server.clock.advance(20 * minute);
  await server.runDue();
  expect(await bookedStanding(server)).toBe(9);
  expect(server.logged).toEqual([]);
});

test('twelve buyers of a standing area at once all get places of their own', async (server) => {
  const orders = await Promise.all(Array.from({ length: 12 }, () => bookStanding(server, 3)));
  expect(new Set(orders.map((order) => order.order_id)).size).toBe(12);
  const places: string[] = await server.house.ctx
    .db('order_lines')
    .whereNull('released_at')
    .pluck('place');
  expect([places.length, new Set(places).size]).toEqual([36, 36]);
  expect(await bookedStanding(server)).toBe(36);
});

test('a cart of standing places that runs out takes nothing from the order booked beside it', async (server) => {
  await holdSeats(server, {
    selected_objects: [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 4 }],
  });
  // The seat map calls the area held; for us it is free, because it has free places.
  const seen = await server.house.ctx.seats.read(demoEvent, ['Loggione']);
  expect(seen.get('Loggione')?.status).toBe('free');
  await bookStanding(server, 4);
  expect(await bookedStanding(server)).toBe(4);
  // Neither of the two comes back.
  server.clock.advance(20 * minute);
  await server.runDue();
  expect(await bookedStanding(server)).toBe(0);
});
