/** The ways in which other ticket sites lost money, seats or orders, one by one, and that they do not happen here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { readHealth } from '#server/contract/health.ts';
import { bookSeats, cancelCheckout, getOrder, orderStatus } from '#server/contract/orders.ts';
import { getEvent } from '#server/contract/events.ts';
import { reconcile } from '#server/services/payments.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, findSeats, holdObjects, makeAdmin, makeHoldToken, makeOrder, payOrder, until, type Booked } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { atStripe, sessionAtStripe, sessionsAtStripe } from '#tests/support/stripe-desk.ts';

const minute = 60_000;
const never = new AbortController().signal;

/** Failure mode, and the beginning of the name of the test that proves its absence, wherever it stands. */
const modes: readonly (readonly [mode: string, test: string])[] = [
  ['money lost when capacity is gone after payment', 'a payment that comes after the end is refunded when the seats are gone'],
  ['late payment always refunded though seats are free', 'a payment that comes after the end gets its seats again if they are free'],
  ['hold expires while paying', 'hold expires while paying'],
  ['webhook lost', 'webhook lost'],
  ['200 answered on a conflict, event gone', 'event answered with an error is not gone'],
  ['queue lag longer than the signature’s tolerance', 'queue lag longer than the signature’s tolerance'],
  ['event dedup in a cache', 'event dedup survives a restart'],
  ['paid order cancelled by the unpaid-order job', 'a payment in the last second wins over the end of time'],
  ['expire fails because the session is complete', 'cancelling a paid order changes nothing'],
  ['cancel crashes on an expired session', 'cancel on an expired session'],
  ['cancel in tab A, pay in tab B, browser back', 'cancel in tab A, pay in tab B'],
  ['double click, slow network', 'the same call ten times at once is one order with one session'],
  ['same idempotency key after a decline', 'payment declined, then paid'],
  ['a failure saved under the idempotency key', 'a failure that Stripe remembers under its key does not block the order'],
  ['completed and expired nearly together, or other order of events', 'events late, doubled and in another order'],
  ['webhook before our row is saved', 'webhook before our row is saved'],
  ['expired page is not clear', 'an order that is over says so'],
  ['reserved seats never return', 'an unpaid order ends at its time by its waiting row'],
  ['refund made in the dashboard', 'refund made in the dashboard'],
  ['already refunded in the dashboard', 'already refunded in the dashboard while ours waits'],
  ['refund pending for lack of balance', 'refund pending for lack of balance'],
  ['refund call without an idempotency key', 'an answer lost for two days'],
  ['duplicate complete, duplicate tickets and mails', 'duplicate events make no second ticket and no second mail'],
  ['inactive price in a live configuration', 'inactive price or archived product'],
  ['price changed between page and book', 'price changed between page and book'],
  ['session of another sum', 'a session that asks for another sum than was agreed on'],
  ['rounding and currency', 'price of another currency or without an amount'],
  ['API version drift in webhooks', 'API version drift'],
  ['signature wrong, old, of the other mode, or body changed', 'delivery that is forged, old, changed or of the other mode'],
  ['answer of a refund lost', 'an answer lost for two days'],
  ['mail accepted, process dead', 'a crash between the server’s yes and our mark'],
];

test('every known failure mode has a test that is named after it', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts') && !file.startsWith('.out'));
  const names = files.flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/\b(?:test|testOnBoth|\w*[bB]oth\w*)\(\s*['`]([^'`]+)/g)].map((match) => match[1]!));
  expect(modes.filter(([, name]) => !names.some((candidate) => candidate.startsWith(name)))).toEqual([]);
  expect(new Set(modes.map(([mode]) => mode)).size).toBe(modes.length);
});

async function rowOf(server: TestServer, { order_id }: { order_id: string }) {
  return server.house.ctx.db('orders').where({ id: order_id }).first();
}

async function seatStatuses(server: TestServer, order: Pick<Booked, 'selected_objects'>): Promise<string[]> {
  return [...(await server.house.ctx.seats.read(demoEvent, order.selected_objects.map((object) => object.object_id))).values()].map((object) => object.status);
}

/** An event as Stripe would sign it; whatever its body says. */
async function deliver(server: TestServer, event: Record<string, unknown>, at = server.clock.now()) {
  const payload = JSON.stringify({ object: 'event', livemode: false, created: Math.floor(at / 1000), ...event });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: server.house.standins!.stripe!.webhookSecret!, timestamp: Math.floor(Date.now() / 1000) });
  return ask(server, 'POST', '/api/webhooks/stripe', { raw: payload, headers: { 'content-type': 'application/json', 'stripe-signature': signature } });
}

testOnBoth('hold expires while paying: the seats belong to the order, not to the browser', async (server) => {
  const order = await makeOrder(server);
  server.clock.advance(14 * minute);
  await server.house.standins!.stripe!.tick();
  // Whatever became of the hold: another visitor does not get these seats.
  const other = await makeHoldToken(server);
  expect((await holdObjects(server, other, order.selected_objects)).status).not.toBe(200);
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  expect((await callOk(server, orderStatus, { params: { orderId: order.order_id } })).order_confirmed_at).not.toBeNull();
});

testOnBoth('webhook lost, wrong address or refused: the order is confirmed all the same, and the office sees that nothing arrives', async (server) => {
  const admin = await makeAdmin(server);
  server.house.standins!.stripe!.faults.add({ on: 'delivery', action: 'drop', times: 'always' });
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  server.clock.advance(2 * minute);
  await reconcile(server.house.ctx, never);
  expect(await rowOf(server, order)).toMatchObject({ state: 'confirmed', paid_cents: 6_400 });
  expect(await server.house.ctx.db('webhook_events')).toEqual([]);
  server.clock.advance(10 * minute);
  expect((await callOk(server, readHealth, {}, admin)).webhook).toMatchObject({ last_at: null, silent_since: expect.any(String) });
});

testOnBoth('event answered with an error is not gone: Stripe comes again, and then it counts', async (server) => {
  const { db } = server.house.ctx;
  const order = await makeOrder(server);
  await db.schema.renameTable('webhook_events', 'webhook_events_away');
  const body = { id: 'evt_conflict', type: 'checkout.session.completed', data: { object: { object: 'checkout.session', id: 'cs_1', metadata: { order_id: order.order_id } } } };
  expect((await deliver(server, body)).status).toBeGreaterThanOrEqual(500);
  await db.schema.renameTable('webhook_events_away', 'webhook_events');
  expect(await db('webhook_events').where({ id: 'evt_conflict' })).toEqual([]);
  expect((await deliver(server, body)).status).toBe(204);
  expect(await db('webhook_events').where({ id: 'evt_conflict' })).toHaveLength(1);
  expect(await db('outbox').where({ task: 'settle_order', subject: order.order_id }).first()).toMatchObject({ run_at: expect.toSatisfy((at: number) => at <= server.clock.now()) });
});

testOnBoth('queue lag longer than the signature’s tolerance: verified at its arrival, worked on an hour later', async (server) => {
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const { db } = server.house.ctx;
  await until(async () => (await db('webhook_events').pluck('type')).includes('checkout.session.completed'));
  server.clock.advance(60 * minute);
  await server.runDue();
  expect(await rowOf(server, order)).toMatchObject({ state: 'confirmed' });
});

testOnBoth('event dedup survives a restart', async (server) => {
  const order = await makeOrder(server);
  const event = { id: 'evt_once', type: 'checkout.session.completed', data: { object: { object: 'checkout.session', metadata: { order_id: order.order_id } } } };
  expect((await deliver(server, event)).status).toBe(204);
  const due = async (at: TestServer) => (await at.house.ctx.db('outbox').where({ subject: order.order_id }).first()).bell as number;
  const rung = await due(server);
  await using again = await server.restart();
  expect((await deliver(again, event)).status).toBe(204);
  expect(await again.house.ctx.db('webhook_events').where({ id: 'evt_once' })).toHaveLength(1);
  expect(await due(again)).toBe(rung);
});

testOnBoth('cancel on an expired session: it is over, and says so as often as it is asked', async (server) => {
  const order = await makeOrder(server);
  server.clock.advance(36 * minute);
  await server.house.standins!.stripe!.tick();
  for (let times = 0; times < 2; times += 1) await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
  expect(await callOk(server, orderStatus, { params: { orderId: order.order_id } })).toMatchObject({ order_confirmed_at: null, order_deleted_at: expect.any(String), checkout_session_status: 'expired', checkout_url: null });
  expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
});

testOnBoth('cancel in tab A, pay in tab B, browser back: the first session is dead, the second order has one of its own, and no session is forgotten', async (server) => {
  const first = await makeOrder(server);
  await callOk(server, cancelCheckout, { params: { orderId: first.order_id } });
  expect((await payOrder(server, first.checkout_url)).status).toBe(400);
  await holdObjects(server, first.hold_token, first.selected_objects);
  const second = await callOk(server, bookSeats, { params: { eventId: demoEvent }, body: { hold_token: first.hold_token, selected_objects: first.selected_objects } });
  expect([second.order_id === first.order_id, second.checkout_url === first.checkout_url]).toEqual([false, false]);
  const { db } = server.house.ctx;
  const sessions = await sessionsAtStripe(server);
  expect(sessions.map((session) => session.status).toSorted()).toEqual(['expired', 'open']);
  expect((await db('checkout_sessions').pluck('id')).toSorted()).toEqual(sessions.map((session) => session.id).toSorted());
  await payOrder(server, second.checkout_url);
  server.clock.advance(3_000);
  await callOk(server, orderStatus, { params: { orderId: second.order_id } });
  expect([(await rowOf(server, first)).state, (await rowOf(server, second)).state]).toEqual(['deleted', 'confirmed']);
});

testOnBoth('payment declined, then paid: the same session takes the second card, once', async (server) => {
  const order = await makeOrder(server);
  expect((await payOrder(server, order.checkout_url, 'pm_card_chargeDeclined')).status).toBe(402);
  server.clock.advance(3_000);
  expect(await callOk(server, orderStatus, { params: { orderId: order.order_id } })).toMatchObject({ order_confirmed_at: null, order_deleted_at: null, checkout_session_status: 'open' });
  expect((await payOrder(server, order.checkout_url)).status).toBe(200);
  expect((await payOrder(server, order.checkout_url)).status).toBe(400);
  server.clock.advance(3_000);
  expect((await callOk(server, orderStatus, { params: { orderId: order.order_id } })).order_confirmed_at).not.toBeNull();
  expect(await sessionsAtStripe(server)).toHaveLength(1);
});

testOnBoth('events late, doubled and in another order: an expiry that is told after the payment takes nothing away', async (server) => {
  const { faults } = server.house.standins!.stripe!;
  faults.add({ on: 'delivery', action: 'reorder', hold: 3, times: 'always' });
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const { id } = await sessionAtStripe(server, order.order_id);
  const object = { object: 'checkout.session', id, status: 'expired', payment_status: 'unpaid', metadata: { order_id: order.order_id } };
  for (const [index, type] of ['checkout.session.expired', 'checkout.session.async_payment_failed', 'checkout.session.completed', 'checkout.session.expired'].entries()) {
    expect((await deliver(server, { id: `evt_${index}`, type, data: { object } })).status).toBe(204);
    await server.runDue();
  }
  faults.release();
  server.clock.advance(3 * 24 * 60 * minute);
  expect((await deliver(server, { id: 'evt_late', type: 'checkout.session.expired', data: { object } })).status).toBe(204);
  await server.runDue();
  expect(await rowOf(server, order)).toMatchObject({ state: 'confirmed', deleted_at: null });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
});

testOnBoth('webhook before our row is saved: it is matched by the order it names, and a session that nobody knows does no harm', async (server) => {
  const { ctx } = server.house;
  server.house.standins!.stripe!.faults.add({ on: 'request', method: 'POST', path: '/v1/checkout/sessions', action: 'lose_answer', times: 3 });
  const seats = await findSeats(server);
  const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
  const hold_token = await makeHoldToken(server);
  await holdObjects(server, hold_token, selected_objects);
  expect((await ask(server, 'POST', `/api/event/${demoEvent}/book`, { body: { hold_token, selected_objects } })).status).toBe(503);
  const { id } = await ctx.db('orders').where({ hold_token }).first();
  const { id: session } = await sessionAtStripe(server, id);
  expect(await ctx.db('checkout_sessions')).toEqual([]);
  for (const [event, order_id] of [['evt_known', id], ['evt_unknown', 'order-of-nobody']] as const) {
    expect((await deliver(server, { id: event, type: 'checkout.session.completed', data: { object: { object: 'checkout.session', id: session, metadata: { order_id } } } })).status).toBe(204);
  }
  await server.runDue();
  const again = await callOk(server, bookSeats, { params: { eventId: demoEvent }, body: { hold_token, selected_objects } });
  expect(again).toMatchObject({ order_id: id, checkout_url: expect.stringContaining(session) });
  expect(await sessionsAtStripe(server)).toHaveLength(1);
});

testOnBoth('duplicate events make no second ticket and no second mail', async (server) => {
  const { faults } = server.house.standins!.stripe!;
  faults.add({ on: 'delivery', action: 'duplicate', copies: 3, times: 5 });
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const { db } = server.house.ctx;
  await until(async () => (await db('webhook_events').pluck('type')).includes('checkout.session.completed'));
  await Promise.all([server.runDue(), server.runDue(), callOk(server, getOrder, { params: { orderId: order.order_id } })]);
  await until(async () => faults.log.length > 2);
  await server.runDue();
  expect(await db('tickets').where({ order_id: order.order_id })).toHaveLength(2);
  expect(await db('mails').where({ order_id: order.order_id }).pluck('kind')).toEqual(['tickets']);
  expect(await db('audit').where({ subject: order.order_id, action: 'order_confirmed' })).toHaveLength(1);
});

testOnBoth('inactive price or archived product: it leaves the page, and is refused when it is asked for all the same', async (server) => {
  const before = await callOk(server, getEvent, { params: { eventId: demoEvent } });
  const types = before.event.attributes.seat_pricing.find((entry) => entry.category === 'Platea')!.ticketTypes;
  const [full, reduced] = types.map((type) => type.price_id) as [string, string];
  await atStripe(server, 'POST', `prices/${reduced}`, { active: 'false' });
  const { product } = await atStripe<{ product: string }>(server, 'GET', `prices/${full}`);
  await atStripe(server, 'POST', `products/${product}`, { active: 'false' });
  server.clock.advance(2 * minute);
  const after = await callOk(server, getEvent, { params: { eventId: demoEvent } });
  expect(after.prices.filter((price) => price.id === reduced || price.id === full)).toEqual([]);
  const [seat] = await findSeats(server, { count: 1 });
  const hold_token = await makeHoldToken(server);
  const selected_objects = [{ object_id: seat!, ticket_type: 'ridotto' }];
  await holdObjects(server, hold_token, selected_objects);
  const refused = await ask(server, 'POST', `/api/event/${demoEvent}/book`, { body: { hold_token, selected_objects } });
  expect([refused.status, refused.body]).toEqual([422, expect.objectContaining({ code: 'object_without_price' })]);
  expect(await server.house.ctx.db('orders')).toEqual([]);
});

testOnBoth('price changed between page and book: the sum is the server’s, and a payment of another sum is not confirmed in silence', async (server) => {
  const { db } = server.house.ctx;
  const [category] = JSON.parse((await db('events').where({ id: demoEvent }).first()).seat_pricing) as { ticketTypes: { price_id: string }[] }[];
  const dearer = await atStripe<{ id: string }>(server, 'POST', 'prices', { currency: 'eur', unit_amount: '4000', product: (await atStripe<{ product: string }>(server, 'GET', `prices/${category!.ticketTypes[0]!.price_id}`)).product });
  const row = await db('events').where({ id: demoEvent }).first();
  await db('events').where({ id: demoEvent }).update({ seat_pricing: (row.seat_pricing as string).replaceAll(category!.ticketTypes[0]!.price_id, dearer.id) });
  const order = await makeOrder(server);
  expect(await rowOf(server, order)).toMatchObject({ total_cents: 8_000 });
  expect((await sessionAtStripe(server, order.order_id)).amount_total).toBe(8_000);
  await db('orders').where({ id: order.order_id }).update({ total_cents: 7_999 });
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  await callOk(server, orderStatus, { params: { orderId: order.order_id } });
  expect(await rowOf(server, order)).toMatchObject({ state: 'awaiting_payment', needs_attention: 'amount_differs' });
  expect(await db('tickets')).toEqual([]);
});

testOnBoth('price of another currency or without an amount is not for sale', async (server) => {
  const { db } = server.house.ctx;
  const row = await db('events').where({ id: demoEvent }).first();
  const [category] = JSON.parse(row.seat_pricing) as { ticketTypes: { price_id: string }[] }[];
  const [full] = category!.ticketTypes;
  const { product } = await atStripe<{ product: string }>(server, 'GET', `prices/${full!.price_id}`);
  const dollars = await atStripe<{ id: string }>(server, 'POST', 'prices', { currency: 'usd', unit_amount: '3200', product });
  for (const price_id of [dollars.id, 'price_of_nobody']) {
    await db('events').where({ id: demoEvent }).update({ seat_pricing: (row.seat_pricing as string).replaceAll(full!.price_id, price_id) });
    const page = await callOk(server, getEvent, { params: { eventId: demoEvent } });
    expect(page.prices.every((price) => price.id !== price_id && Number.isInteger(price.unit_amount))).toBe(true);
    const [seat] = await findSeats(server, { count: 1 });
    const hold_token = await makeHoldToken(server);
    const selected_objects = [{ object_id: seat!, ticket_type: 'intero' }];
    await holdObjects(server, hold_token, selected_objects);
    expect((await ask(server, 'POST', `/api/event/${demoEvent}/book`, { body: { hold_token, selected_objects } })).status).toBe(422);
  }
});

testOnBoth('API version drift: what an event of an older shape says decides nothing, only which order it is about', async (server) => {
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const { id } = await sessionAtStripe(server, order.order_id);
  const old = { id: 'evt_old', api_version: '2015-01-26', type: 'checkout.session.completed', data: { object: { object: 'checkout.session', id, display_items: [], metadata: null, payment_status: 'unpaid', amount_total: 1 } } };
  expect((await deliver(server, old)).status).toBe(204);
  await server.runDue();
  expect(await rowOf(server, order)).toMatchObject({ state: 'confirmed', paid_cents: 6_400 });
});

testOnBoth('delivery that is forged, old, changed or of the other mode is refused with 400 and changes nothing', async (server) => {
  const { webhookSecret, faults } = server.house.standins!.stripe!;
  faults.add({ on: 'delivery', action: 'drop', times: 'always' });
  const { db } = server.house.ctx;
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const now = Math.floor(Date.now() / 1000);
  const bodyOf = (changes: object) => JSON.stringify({ id: 'evt_odd', object: 'event', type: 'checkout.session.completed', livemode: false, data: { object: { object: 'checkout.session', metadata: { order_id: order.order_id } } }, ...changes });
  const signed = (payload: string, { secret = webhookSecret!, timestamp = now } = {}) => Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const odd: [body: string, signature: string][] = [
    [bodyOf({}), signed(bodyOf({}), { secret: 'whsec_of_somebody_else' })], [bodyOf({}), signed(bodyOf({}), { timestamp: now - 400 })],
    [bodyOf({ livemode: true }), signed(bodyOf({ livemode: true }))], [bodyOf({ id: 'evt_other' }), signed(bodyOf({}))], [bodyOf({}), ''],
  ];
  for (const [raw, signature] of odd) {
    const answer = await ask(server, 'POST', '/api/webhooks/stripe', { raw, headers: { 'content-type': 'application/json', 'stripe-signature': signature } });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'webhook_signature' })]);
  }
  await server.runDue();
  expect(await db('webhook_events')).toEqual([]);
  expect((await rowOf(server, order)).state).toBe('awaiting_payment');
  const fine = await ask(server, 'POST', '/api/webhooks/stripe', { raw: bodyOf({}), headers: { 'content-type': 'application/json', 'stripe-signature': signed(bodyOf({})) } });
  expect(fine.status).toBe(204);
});
