/** Places of a standing area have no names at the seat map, only a number: each order gets and gives back its own. */
import { expect } from 'vitest';
import { testOnBoth } from '#tests/support/both.ts';
import { ask, demoEvent, holdObjects, makeHoldToken, payOrder } from '#tests/support/make.ts';
import { statusOf } from '#tests/support/order-end.ts';
import { bookedStanding, bookStanding } from '#tests/support/standing.ts';

const minute = 60_000;

testOnBoth(
  'a standing area booked by the same call ten times at once is one order, and cancelled its places come back',
  async (server) => {
    const hold_token = await makeHoldToken(server);
    const selected_objects = [
      { object_id: 'Loggione', ticket_type: 'intero', quantity: 2 },
      { object_id: 'Loggione', ticket_type: 'ridotto', quantity: 1 },
    ];
    await holdObjects(server, hold_token, selected_objects);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        ask(server, 'POST', `/api/event/${demoEvent}/book`, {
          body: { hold_token, selected_objects },
        }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(await bookedStanding(server)).toBe(3);
    const { order_id } = answers[0]!.body as { order_id: string };
    const cancels = await Promise.all(
      Array.from({ length: 10 }, () =>
        ask(server, 'DELETE', `/api/orders/${order_id}/checkout_session`),
      ),
    );
    expect(cancels.map((answer) => answer.status)).toEqual(Array(10).fill(204));
    expect(await bookedStanding(server)).toBe(0);
    expect(server.logged).toEqual([]);
  },
);

testOnBoth('giving back places of a standing area never takes somebody else’s', async (server) => {
  const sold = await bookStanding(server, 9);
  await payOrder(server, sold.checkout_url);
  server.clock.advance(3_000);
  expect((await statusOf(server, sold)).confirmed).toBe(true);
  const other = await bookStanding(server, 2);
  await Promise.all(
    Array.from({ length: 10 }, () =>
      ask(server, 'DELETE', `/api/orders/${other.order_id}/checkout_session`),
    ),
  );
  server.clock.advance(20 * minute);
  await server.runDue();
  expect(await bookedStanding(server)).toBe(9);
});

for (const point of ['order_stored', 'seats_booked', 'session_opened', 'seats_released']) {
  let broken = '';
  testOnBoth(
    `a standing area loses no place when the process dies at ${point}`,
    async (server) => {
      broken = point;
      // The visitor may hear of it as an error.
      await bookStanding(server, 4).catch(() => null);
      for (const ahead of [16, 1, 1, 1]) {
        server.clock.advance(ahead * minute);
        await server.runDue();
        broken = '';
      }
      expect(await server.house.ctx.db('orders').pluck('state')).toEqual(['deleted']);
      expect(await bookedStanding(server)).toBe(0);
    },
    {
      fault(at) {
        if (at === broken) throw new Error(`died at ${at}`);
      },
    },
  );
}

testOnBoth(
  'twelve buyers of a standing area at once all get places of their own',
  async (server) => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => bookStanding(server, 3)));
    expect(new Set(orders.map((order) => order.order_id)).size).toBe(12);
    const places: string[] = await server.house.ctx
      .db('order_lines')
      .whereNull('released_at')
      .pluck('place');
    expect([places.length, new Set(places).size]).toEqual([36, 36]);
    expect(await bookedStanding(server)).toBe(36);
  },
);
