/** Stripe's news on its way to us: lost, late, doubled, in another order, forged. It decides nothing; what it hints at is read again. */
import { Stripe } from 'stripe';
import { expect } from 'vitest';
import { connectPayments } from '#server/adapters/stripe.ts';
import { readHealth } from '#server/contract/health.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { houseId } from '#server/services/kit/house.ts';
import { reconcile } from '#server/services/payment/settle.ts';
import { testOnBoth as it, testOnSqlite as test } from '#tests/support/both.ts';
import {
  holdSeats,
  tryBook,
  ask,
  callOk,
  makeOrder,
  payOrder,
  until,
  aRefusal,
} from '#tests/support/make.ts';
import { rowOf, seatStatuses } from '#tests/support/order-end.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sessionAtStripe, sessionsAtStripe } from '#tests/support/stripe-desk.ts';

const minute = 60_000;
const never = new AbortController().signal;

/** An event as Stripe would sign it; whatever its body says. */
async function deliver(
  server: TestServer,
  event: Record<string, unknown>,
  at = server.clock.now(),
) {
  const payload = JSON.stringify({
    object: 'event',
    livemode: false,
    created: Math.floor(at / 1000),
    ...event,
  });
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: server.house.standins!.stripe!.webhookSecret!,
    timestamp: Math.floor(Date.now() / 1000),
  });
  return ask(server, 'POST', '/api/webhooks/stripe', {
    raw: payload,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  });
}

/** The metadata of what this house makes at Stripe. */
async function markedAs(server: TestServer, order_id: string) {
  return { order_id, botteghino: await houseId(server.house.ctx) };
}

async function completed(server: TestServer, id: string, order_id: string, session: string) {
  const metadata = await markedAs(server, order_id);
  return {
    id,
    type: 'checkout.session.completed',
    data: { object: { object: 'checkout.session', id: session, metadata } },
  };
}

/** What Stripe tells of the payment by itself. */
async function untilTold({ house }: TestServer): Promise<void> {
  const types = () => house.ctx.db('webhook_events').pluck('type');
  await until(async () => (await types()).includes('checkout.session.completed'));
}

test('while its secret is being replaced the new one counts and the one before, and no other', async () => {
  const webhookSecret = 'whsec_new, whsec_old';
  const host = { hostname: '127.0.0.1', port: 9 };
  const house = async () => 'casa';
  const payments = connectPayments({ secretKey: 'sk_test_1', webhookSecret, host, house });
  const payload = JSON.stringify({
    object: 'event',
    id: 'evt_1',
    type: 'charge.updated',
    livemode: false,
    created: 1,
    data: { object: { object: 'charge', metadata: {} } },
  });
  const verify = async (secret: string) =>
    payments.verify(
      Buffer.from(payload),
      Stripe.webhooks.generateTestHeaderString({ payload, secret }),
    );
  expect((await verify('whsec_new')).id).toBe('evt_1');
  expect((await verify('whsec_old')).id).toBe('evt_1');
  await expect(verify('whsec_other')).rejects.toThrow();
});

test('webhook lost, wrong address or refused: the order is confirmed all the same, and the office sees that nothing arrives', async (server, admin) => {
  server.house.standins!.stripe!.faults.add({ on: 'delivery', action: 'drop', times: 'always' });
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  server.clock.advance(2 * minute);
  await reconcile(server.house.ctx, never);
  expect(await rowOf(server, order)).toMatchObject({ state: 'confirmed', paid_cents: 6_400 });
  expect(await server.house.ctx.db('webhook_events')).toEqual([]);
  server.clock.advance(10 * minute);
  expect((await callOk(server, readHealth, {}, admin)).webhook).toMatchObject({
    last_at: null,
    silent_since: expect.any(String),
  });
});

test('event answered with an error is not gone: Stripe comes again, and then it counts', async (server) => {
  const { db } = server.house.ctx;
  const order = await makeOrder(server);
  await db.schema.renameTable('webhook_events', 'webhook_events_away');
  const { id } = await sessionAtStripe(server, order.order_id);
  const body = await completed(server, 'evt_conflict', order.order_id, id);
  expect((await deliver(server, body)).status).toBeGreaterThanOrEqual(500);
  await db.schema.renameTable('webhook_events_away', 'webhook_events');
  expect(await db('webhook_events').where({ id: 'evt_conflict' })).toEqual([]);
  expect((await deliver(server, body)).status).toBe(204);
  expect(await db('webhook_events').where({ id: 'evt_conflict' })).toHaveLength(1);
  expect(
    await db('outbox').where({ task: 'settle_order', subject: order.order_id }).first(),
  ).toMatchObject({ run_at: expect.toSatisfy((at: number) => at <= server.clock.now()) });
});

test('queue lag longer than the signature’s tolerance: verified at its arrival, worked on an hour later', async (server) => {
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  await untilTold(server);
  server.clock.advance(60 * minute);
  await server.runDue();
  expect(await rowOf(server, order)).toMatchObject({ state: 'confirmed' });
});

it('event dedup survives a restart', async (server) => {
  const order = await makeOrder(server);
  const { id } = await sessionAtStripe(server, order.order_id);
  const event = await completed(server, 'evt_once', order.order_id, id);
  expect((await deliver(server, event)).status).toBe(204);
  const due = async (at: TestServer) =>
    (await at.house.ctx.db('outbox').where({ subject: order.order_id }).first()).bell as number;
  const rung = await due(server);
  await using again = await server.restart();
  expect((await deliver(again, event)).status).toBe(204);
  expect(await again.house.ctx.db('webhook_events').where({ id: 'evt_once' })).toHaveLength(1);
  expect(await due(again)).toBe(rung);
});

test('events late, doubled and in another order: an expiry that is told after the payment takes nothing away', async (server) => {
  const { faults } = server.house.standins!.stripe!;
  faults.add({ on: 'delivery', action: 'reorder', hold: 3, times: 'always' });
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const { id } = await sessionAtStripe(server, order.order_id);
  const tell = async (event: string, what: string) => {
    const metadata = await markedAs(server, order.order_id);
    const object = { object: 'checkout.session', id, status: 'expired', metadata };
    const told = { id: event, type: `checkout.session.${what}`, data: { object } };
    expect((await deliver(server, told)).status).toBe(204);
    await server.runDue();
  };
  for (const [n, what] of ['expired', 'async_payment_failed', 'completed', 'expired'].entries())
    await tell(`evt_${n}`, what);
  faults.release();
  server.clock.advance(3 * 24 * 60 * minute);
  await tell('evt_late', 'expired');
  expect(await rowOf(server, order)).toMatchObject({ state: 'confirmed', deleted_at: null });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
});

test('webhook before our row is saved: it is matched by the order it names, and a session that nobody knows does no harm', async (server) => {
  const { ctx } = server.house;
  server.house.standins!.stripe!.faults.add({
    on: 'request',
    method: 'POST',
    path: '/v1/checkout/sessions',
    action: 'lose_answer',
    times: 3,
  });
  const held = await holdSeats(server);
  expect((await tryBook(server, held)).status).toBe(503);
  const { id, link_key } = await ctx.db('orders').where({ hold_token: held.hold_token }).first();
  const { id: session } = await sessionAtStripe(server, id);
  expect(await ctx.db('checkout_sessions')).toEqual([]);
  for (const [event, order_id] of [
    ['evt_known', id],
    ['evt_unknown', 'order-of-nobody'],
  ] as const)
    expect((await deliver(server, await completed(server, event, order_id, session))).status).toBe(
      204,
    );
  await server.runDue();
  expect((await tryBook(server, held)).body).toMatchObject({
    order_id: link_key,
    checkout_url: expect.stringContaining(session),
  });
  expect(await sessionsAtStripe(server)).toHaveLength(1);
});

it('duplicate events make no second ticket and no second mail', async (server) => {
  const { faults } = server.house.standins!.stripe!;
  faults.add({ on: 'delivery', action: 'duplicate', copies: 3, times: 5 });
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const { db } = server.house.ctx;
  await untilTold(server);
  await Promise.all([
    server.runDue(),
    server.runDue(),
    callOk(server, getOrder, { params: { orderId: order.order_id } }),
  ]);
  await until(async () => faults.log.length > 2);
  await server.runDue();
  expect(await db('tickets').where({ order_id: order.order_id })).toHaveLength(2);
  expect(await db('mails').where({ order_id: order.order_id }).pluck('kind')).toEqual(['tickets']);
  expect(
    await db('audit').where({ subject: order.order_id, action: 'order_confirmed' }),
  ).toHaveLength(1);
});

it('signed is not well-formed, nor of this API version: whatever shape an event has, it is taken or refused, and money is read at Stripe', async (server) => {
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const { id, payment_intent } = await sessionAtStripe(server, order.order_id);
  const about = (object: unknown, type = 'charge.updated') => ({ type, data: { object } });
  // An older shape that says that nothing was paid.
  const old = { object: 'checkout.session', id, metadata: null, payment_status: 'unpaid' };
  const taken = [
    { ...about(old, 'checkout.session.completed'), api_version: '2015-01-26' },
    { type: 'charge.updated' },
    { type: 'constructor', data: null },
    ...[null, 'text', [1], { metadata: 'text', payment_intent: {} }].map((one) => about(one)),
    ...['../../customers', '.', ' '].map((one) => about({ payment_intent: one })),
    about({ object: 'payout', id: '../..' }, 'payout.paid'),
    { ...about({ payment_intent, amount: 1, refunded: true }), api_version: '2031-01-01.zoo' },
    { ...about({ payment_intent, status: 'lost' }, 'charge.dispute.closed'), created: 1e300 },
    { ...about({ payment_intent, amount: -5 }, 'refund.updated'), created: 'soon', account: {} },
  ];
  for (const [n, event] of taken.entries())
    expect([event, (await deliver(server, { id: `evt_${n}`, ...event })).status]).toEqual([
      event,
      204,
    ]);
  for (const event of [{}, { id: 1, type: 'a' }, { id: 'evt_\ud800', type: 'a' }, { id: 'a' }])
    expect([event, (await deliver(server, event)).status]).toEqual([event, 400]);
  await server.runDue();
  expect(await rowOf(server, order)).toMatchObject({
    state: 'confirmed',
    paid_cents: 6_400,
    refunded_cents: 0,
  });
  expect(server.logged.every((line) => String(line).includes('No such p'))).toBe(true);
});

test('delivery that is forged, old, changed or of the other mode is refused with 400 and changes nothing', async (server) => {
  const { webhookSecret, faults } = server.house.standins!.stripe!;
  faults.add({ on: 'delivery', action: 'drop', times: 'always' });
  const { db } = server.house.ctx;
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const now = Math.floor(Date.now() / 1000);
  const metadata = await markedAs(server, order.order_id);
  const bodyOf = (changes: object) =>
    JSON.stringify({
      id: 'evt_odd',
      object: 'event',
      type: 'checkout.session.completed',
      livemode: false,
      data: { object: { object: 'checkout.session', metadata } },
      ...changes,
    });
  const signed = (payload: string, { secret = webhookSecret!, timestamp = now } = {}) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const odd: [body: string, signature: string][] = [
    [bodyOf({}), signed(bodyOf({}), { secret: 'whsec_of_somebody_else' })],
    [bodyOf({}), signed(bodyOf({}), { timestamp: now - 400 })],
    [bodyOf({ livemode: true }), signed(bodyOf({ livemode: true }))],
    [bodyOf({ id: 'evt_other' }), signed(bodyOf({}))],
    [bodyOf({}), ''],
    [bodyOf({}), 't=1,v1=00'],
    [bodyOf({}), `t=${now},v1=${'0'.repeat(64)}`],
  ];
  for (const [raw, signature] of odd) {
    const answer = await ask(server, 'POST', '/api/webhooks/stripe', {
      raw,
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    });
    expect(answer).toMatchObject(aRefusal(400, 'webhook_signature'));
  }
  await server.runDue();
  expect(await db('webhook_events')).toEqual([]);
  expect((await rowOf(server, order)).state).toBe('awaiting_payment');
  const fine = await ask(server, 'POST', '/api/webhooks/stripe', {
    raw: bodyOf({}),
    headers: { 'content-type': 'application/json', 'stripe-signature': signed(bodyOf({})) },
  });
  expect(fine.status).toBe(204);
});
