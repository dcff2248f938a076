/** How an order ends: paid, cancelled, run out, or broken off in the middle; the seats come back or stay paid. */
import { countRows } from '#db/engine/statements.ts';
import { expect } from 'vitest';
import { cancelCheckout, getOrder } from '#server/contract/order/orders.ts';
import { reconcile } from '#server/services/payment/settle.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import {
  holdSeats,
  tryBook,
  ask,
  callOk,
  makeOrder,
  payOrder,
  until,
} from '#tests/support/make.ts';
import { seatStatuses, statusOf } from '#tests/support/order-end.ts';
import { bookedStanding } from '#tests/support/standing.ts';

const minute = 60_000;
const standing = {
  selected_objects: [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 4 }],
};

test(
  'a signed webhook confirms the order while nobody looks',
  async (server) => {
    const order = await makeOrder(server);
    await payOrder(server, order.checkout_url);
    const { db } = server.house.ctx;
    await until(
      async () => (await db('orders').where({ id: order.order_id }).first()).state === 'confirmed',
    );
    const stored = await db('orders').where({ id: order.order_id }).first();
    expect(stored).toMatchObject({
      total_cents: 6400,
      session_status: 'complete',
      deleted_at: null,
    });
    expect(await db('tickets').where({ order_id: order.order_id })).toHaveLength(2);
    await until(async () =>
      (await db('webhook_events').pluck('type')).includes('checkout.session.completed'),
    );
    expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  },
  { worker: true },
);

test('the visitor cancels: the session is closed first, then the seats are free, and a repeat changes nothing', async (server) => {
  const order = await makeOrder(server);
  await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
  await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
  expect(await statusOf(server, order)).toEqual({
    confirmed: false,
    deleted: true,
    session: 'expired',
  });
  expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
  expect((await payOrder(server, order.checkout_url)).status).toBe(400);
  const next = await makeOrder(server, {
    seats: order.selected_objects.map((object) => object.object_id),
  });
  expect(next.order_id).not.toBe(order.order_id);
});

it('cancelling a paid order changes nothing, and the status says that it is confirmed', async (server) => {
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
  expect(await statusOf(server, order)).toEqual({
    confirmed: true,
    deleted: false,
    session: 'complete',
  });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
});

test('an unpaid order ends at its time by its waiting row, and its seats go back', async (server) => {
  const order = await makeOrder(server);
  server.clock.advance(14 * minute);
  await server.runDue();
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  server.clock.advance(2 * minute);
  await server.runDue();
  expect(await statusOf(server, order)).toEqual({
    confirmed: false,
    deleted: true,
    session: 'expired',
  });
  expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
  expect(await server.house.ctx.db('outbox')).toEqual([]);
});

it('a payment in the last second wins over the end of time', async (server) => {
  const order = await makeOrder(server);
  server.clock.advance(16 * minute);
  await payOrder(server, order.checkout_url);
  await server.runDue();
  expect(await statusOf(server, order)).toEqual({
    confirmed: true,
    deleted: false,
    session: 'complete',
  });
});

test('cancel, webhook, worker and return page at once: one end, never both', async (server) => {
  for (let nth = 0; nth < 3; nth += 1) {
    const order = await makeOrder(server, { nth });
    const orderId = order.order_id;
    await Promise.allSettled([
      payOrder(server, order.checkout_url),
      ask(server, 'DELETE', `/api/orders/${orderId}/checkout_session`),
      callOk(server, getOrder, { params: { orderId } }),
      server.runDue(),
    ]);
    server.clock.advance(3_000);
    const status = await statusOf(server, order);
    expect(status.confirmed).toBe(!status.deleted);
    expect(await seatStatuses(server, order)).toEqual(
      Array(2).fill(status.confirmed ? 'booked' : 'free'),
    );
    expect(await server.house.ctx.db('tickets').where({ order_id: orderId })).toHaveLength(
      status.confirmed ? 2 : 0,
    );
  }
  expect(server.logged).toEqual([]);
});

let dies = '';
test(
  'a process that dies at any point of a booking loses nothing: the visitor may repeat, and the places of those who never come back are free in the end',
  async (server) => {
    const visitors = [];
    for (const point of ['order_stored', 'seats_booked', 'session_opened'])
      for (const wants of ['seats and returns', 'seats', 'standing places']) {
        const held = await holdSeats(server, wants === 'standing places' ? standing : {});
        dies = point;
        const { status } = await tryBook(server, held);
        dies = '';
        expect([point, wants, status]).toEqual([point, wants, 500]);
        visitors.push({ wants, held });
      }

    await using again = await server.restart();
    const { db } = again.house.ctx;
    for (const { held } of visitors.filter(({ wants }) => wants === 'seats and returns'))
      expect((await tryBook(again, held)).status).toBe(200);
    expect(await countRows(db('orders'))).toBe(visitors.length);
    dies = 'seats_released';
    expect(await bookedStanding(again)).toBe(8);
    again.clock.advance(15 * minute);
    for (let round = 0; round < 4; round += 1) {
      again.clock.advance(minute);
      await again.runDue();
      dies = '';
    }
    expect(new Set(await db('orders').pluck('state'))).toEqual(new Set(['deleted']));
    const seats = visitors.flatMap(({ wants, held }) =>
      wants === 'standing places' ? [] : held.selected_objects,
    );
    expect(await seatStatuses(again, { selected_objects: seats })).toEqual(seats.map(() => 'free'));
    expect(await bookedStanding(again)).toBe(0);
    // What Stripe tells of the end comes in its own time, and is work that finds nothing to do.
    await until(async () => {
      await again.runDue();
      return (await countRows(db('outbox'))) === 0;
    });
  },
  {
    fault(at) {
      if (at === dies) throw new Error(`died at ${at}`);
    },
  },
);

test('a cancel that comes while the booking is under way waits for it, and nothing stays booked', async (server) => {
  for (let nth = 0; nth < 2; nth += 1) {
    const held = await holdSeats(server, { nth });
    const { hold_token } = held;
    const booking = tryBook(server, held);
    const { db } = server.house.ctx;
    await until(async () => (await db('orders').where({ hold_token }).first()) !== undefined);
    const { id } = await db('orders').where({ hold_token }).first();
    const cancel = await ask(server, 'DELETE', `/api/orders/${id}/checkout_session`);
    expect([(await booking).status, cancel.status]).toEqual([
      expect.toSatisfy((status: number) => status === 200 || status === 409),
      204,
    ]);
    expect(await statusOf(server, { order_id: id })).toMatchObject({
      confirmed: false,
      deleted: true,
    });
    expect(await seatStatuses(server, held)).toEqual(['free', 'free']);
  }
  expect(server.logged).toEqual([]);
});

it('an order that Stripe does not know does not keep the others waiting', async (server) => {
  const { ctx } = server.house;
  const poison = await makeOrder(server);
  const paid = await makeOrder(server, { nth: 1 });
  await ctx
    .db('orders')
    .where({ id: poison.order_id })
    .update({ session_id: 'cs_test_nobody', created_at: server.clock.now() - 60 * minute });
  await payOrder(server, paid.checkout_url);
  server.clock.advance(2 * minute);
  await reconcile(ctx, new AbortController().signal);
  expect(await ctx.db('orders').where({ id: paid.order_id }).first()).toMatchObject({
    state: 'confirmed',
  });
  expect(await ctx.db('orders').where({ id: poison.order_id }).first()).toMatchObject({
    state: 'awaiting_payment',
    needs_attention: 'provider_refused',
  });
  expect((await ask(server, 'GET', `/api/orders/${poison.order_id}/status`)).status).toBe(200);
  expect(
    (await ask(server, 'DELETE', `/api/orders/${poison.order_id}/checkout_session`)).status,
  ).toBe(503);
});
