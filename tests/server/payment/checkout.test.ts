/** The session of an order when Stripe fails in the middle: one payable session, the same after a lost answer, a new one only when the try before is dead. */
import { expect } from 'vitest';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import {
  holdSeats,
  tryBook,
  ask,
  makeOrder,
  payOrder,
  recordOf,
  type Answered,
} from '#tests/support/make.ts';
import { seatStatuses } from '#tests/support/order-end.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sessionsAtStripe } from '#tests/support/stripe-desk.ts';

const minute = 60_000;
const create = { on: 'request', method: 'POST', path: '/v1/checkout/sessions' } as const;

/** A visitor with two held seats; each call of the result is the same POST book. */
async function holdTwo(server: TestServer): Promise<() => Promise<Answered>> {
  const held = await holdSeats(server);
  return () => tryBook(server, held);
}

test('a failure that Stripe remembers under its key does not block the order: the visitor’s next try has another', async (server) => {
  const book = await holdTwo(server);
  server.house.standins!.stripe!.faults.add({ ...create, action: 'saved_500' });
  expect((await book()).status).toBe(503);
  const again = await book();
  const order = again.body as { order_id: string; checkout_url: string };
  expect(await server.house.ctx.db('orders').first('state', 'attempt', 'idempotency_key')).toEqual({
    state: 'awaiting_payment',
    attempt: 2,
    idempotency_key: `order:${await recordOf(server, order)}:cs:2`,
  });
  expect(await sessionsAtStripe(server)).toHaveLength(1);
  expect((await payOrder(server, order.checkout_url)).status).toBe(200);
});

it('a session whose answer was lost is found again by its key, and there is only one', async (server) => {
  const book = await holdTwo(server);
  server.house.standins!.stripe!.faults.add({ ...create, action: 'lose_answer', times: 3 });
  expect((await book()).status).toBe(503);
  const again = await book();
  expect(again.status).toBe(200);
  const sessions = await sessionsAtStripe(server);
  expect(sessions).toHaveLength(1);
  expect(await server.house.ctx.db('checkout_sessions').select('id', 'attempt')).toEqual([
    { id: sessions[0]!.id, attempt: 1 },
  ]);
});

it('a try that never arrived is made anew when its end has come too near', async (server) => {
  const book = await holdTwo(server);
  server.house.standins!.stripe!.faults.add({ ...create, action: 'drop', times: 3 });
  expect((await book()).status).toBe(503);
  expect(await sessionsAtStripe(server)).toEqual([]);
  server.clock.advance(10 * minute);
  expect((await book()).status).toBe(200);
  expect(await sessionsAtStripe(server)).toHaveLength(1);
  expect(await server.house.ctx.db('orders').first('attempt', 'state')).toEqual({
    attempt: 2,
    state: 'awaiting_payment',
  });
});

it('a house whose clock is twenty minutes behind Stripe’s sells', async (server) => {
  const book = await holdTwo(server);
  await server.house.standins!.stripe!.advance(20 * minute);
  const { status, body } = await book();
  expect(status).toBe(200);
  const { checkout_url } = body as { checkout_url: string };
  expect((await payOrder(server, checkout_url)).status).toBe(200);
});

it('a cancel while nobody knows of the session closes it first', async (server) => {
  const book = await holdTwo(server);
  server.house.standins!.stripe!.faults.add({ ...create, action: 'lose_answer', times: 3 });
  await book();
  const { db } = server.house.ctx;
  const { id } = await db('orders').first('id');
  expect((await ask(server, 'DELETE', `/api/orders/${id}/checkout_session`)).status).toBe(204);
  expect((await sessionsAtStripe(server)).map((session) => session.status)).toEqual(['expired']);
  expect(await db('orders').first('state', 'session_status')).toEqual({
    state: 'deleted',
    session_status: 'expired',
  });
});

it('a session that asks for another sum than was agreed on never reaches the buyer: it is closed, and his seats are free', async (server) => {
  const { ctx } = server.house;
  const { open } = ctx.payments;
  // As when a price is edited at Stripe between our reading and the session.
  const [dearer] = await ctx.payments.prices([
    await ctx.payments.ensurePrice({
      lookup_key: 'rincaro',
      product: 'La locandiera',
      unit_amount: 3300,
    }),
  ]);
  ctx.payments.open = (params, key) =>
    open(
      { ...params, items: params.items.map((item) => ({ ...item, price_id: dearer!.id })) },
      key,
    );
  const book = await holdTwo(server);
  expect([
    (await book()).status,
    (await sessionsAtStripe(server)).map((session) => session.status),
  ]).toEqual([502, ['expired']]);
  expect(await ctx.db('orders').first('state', 'end_reason')).toEqual({
    state: 'deleted',
    end_reason: 'checkout_refused',
  });
  expect(await ctx.db('checkout_sessions').pluck('status')).toEqual(['expired']);
});

it('seats stay booked while Stripe does not say that the session is over; an expiry whose answer was lost is learnt by reading, and they go back', async (server) => {
  const order = await makeOrder(server);
  const { faults } = server.house.standins!.stripe!;
  const expire = { ...create, path: '/v1/checkout/sessions/*/expire' } as const;
  const cancel = async () =>
    (await ask(server, 'DELETE', `/api/orders/${order.order_id}/checkout_session`)).status;
  faults.add({ ...expire, action: 'drop', times: 'always' });
  expect([await cancel(), await seatStatuses(server, order)]).toEqual([503, ['booked', 'booked']]);
  faults.clear();
  faults.add({ ...expire, action: 'lose_answer', times: 3 });
  await cancel();
  expect([await cancel(), await seatStatuses(server, order)]).toEqual([204, ['free', 'free']]);
  expect(await server.house.ctx.db('orders').first('state', 'session_status')).toEqual({
    state: 'deleted',
    session_status: 'expired',
  });
});
