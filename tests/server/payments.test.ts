/** How an order ends: paid, cancelled, run out, or broken off in the middle; the seats come back or stay paid. */
import { expect } from 'vitest';
import { cancelCheckout, getOrder, orderStatus } from '#server/contract/orders.ts';
import { addTask, claimTask, finishTask } from '#db/outbox.ts';
import { reconcile } from '#server/services/payments.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, findSeats, holdObjects, makeHoldToken, makeOrder, payOrder, until, type Booked } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;

async function statusOf(server: TestServer, order: { order_id: string }) {
  const { order_confirmed_at, order_deleted_at, checkout_session_status } = await callOk(server, orderStatus, { params: { orderId: order.order_id } });
  return { confirmed: order_confirmed_at !== null, deleted: order_deleted_at !== null, session: checkout_session_status };
}

async function seatStatuses(server: TestServer, order: Pick<Booked, 'selected_objects'>): Promise<string[]> {
  const objects = await server.house.ctx.seats.read(demoEvent, order.selected_objects.map((object) => object.object_id));
  return [...objects.values()].map((object) => object.status);
}

testOnBoth('a signed webhook confirms the order while nobody looks', async (server) => {
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const { db } = server.house.ctx;
  await until(async () => (await db('orders').where({ id: order.order_id }).first()).state === 'confirmed');
  const stored = await db('orders').where({ id: order.order_id }).first();
  expect(stored).toMatchObject({ total_cents: 6400, session_status: 'complete', deleted_at: null });
  expect(await db('tickets').where({ order_id: order.order_id })).toHaveLength(2);
  await until(async () => (await db('webhook_events').pluck('type')).includes('checkout.session.completed'));
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
}, { worker: true });

testOnBoth('a webhook without Stripe’s signature changes nothing', async (server) => {
  const order = await makeOrder(server);
  const body = JSON.stringify({ id: 'evt_1', type: 'checkout.session.completed', livemode: false, data: { object: { object: 'checkout.session', metadata: { order_id: order.order_id } } } });
  const forged: Record<string, string>[] = [{}, { 'stripe-signature': 't=1,v1=00' }, { 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` }];
  for (const headers of forged) {
    const answer = await ask(server, 'POST', '/api/webhooks/stripe', { raw: body, headers: { 'content-type': 'application/json', ...headers } });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'webhook_signature' })]);
  }
  expect(await server.house.ctx.db('webhook_events')).toEqual([]);
});

testOnBoth('the visitor cancels: the session is closed first, then the seats are free, and a repeat changes nothing', async (server) => {
  const order = await makeOrder(server);
  await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
  await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
  expect(await statusOf(server, order)).toEqual({ confirmed: false, deleted: true, session: 'expired' });
  expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
  expect((await payOrder(server, order.checkout_url)).status).toBe(400);
  const next = await makeOrder(server, { seats: order.selected_objects.map((object) => object.object_id) });
  expect(next.order_id).not.toBe(order.order_id);
});

testOnBoth('cancelling a paid order changes nothing, and the status says that it is confirmed', async (server) => {
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
  expect(await statusOf(server, order)).toEqual({ confirmed: true, deleted: false, session: 'complete' });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
});

testOnBoth('an unpaid order ends at its time by its waiting row, and its seats go back', async (server) => {
  const order = await makeOrder(server);
  server.clock.advance(14 * minute);
  await server.runDue();
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  server.clock.advance(2 * minute);
  await server.runDue();
  expect(await statusOf(server, order)).toEqual({ confirmed: false, deleted: true, session: 'expired' });
  expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
  expect(await server.house.ctx.db('outbox')).toEqual([]);
});

testOnBoth('a payment in the last second wins over the end of time', async (server) => {
  const order = await makeOrder(server);
  server.clock.advance(16 * minute);
  await payOrder(server, order.checkout_url);
  await server.runDue();
  expect(await statusOf(server, order)).toEqual({ confirmed: true, deleted: false, session: 'complete' });
});

testOnBoth('cancel, webhook, worker and return page at once: one end, never both', async (server) => {
  for (let nth = 0; nth < 3; nth += 1) {
    const order = await makeOrder(server, { nth });
    const orderId = order.order_id;
    await Promise.allSettled([payOrder(server, order.checkout_url), ask(server, 'DELETE', `/api/orders/${orderId}/checkout_session`), callOk(server, getOrder, { params: { orderId } }), server.runDue()]);
    server.clock.advance(3_000);
    const status = await statusOf(server, order);
    expect(status.confirmed).toBe(!status.deleted);
    expect(await seatStatuses(server, order)).toEqual(Array(2).fill(status.confirmed ? 'booked' : 'free'));
    expect(await server.house.ctx.db('tickets').where({ order_id: orderId })).toHaveLength(status.confirmed ? 2 : 0);
  }
  expect(server.logged).toEqual([]);
});

for (const point of ['order_stored', 'seats_booked', 'session_opened', 'confirmed', 'seats_released']) {
  let broken = '';
  testOnBoth(`a process that dies at ${point} loses nothing: the visitor may repeat, or the seats come back`, async (server) => {
    const seats = await findSeats(server);
    const hold_token = await makeHoldToken(server);
    const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
    await holdObjects(server, hold_token, selected_objects);
    const body = { hold_token, selected_objects };
    broken = point;
    const first = await ask(server, 'POST', `/api/event/${demoEvent}/book`, { body });
    broken = '';
    expect(first.status).toBe(point === 'confirmed' || point === 'seats_released' ? 200 : 500);

    await using again = await server.restart();
    const repeated = await ask(again, 'POST', `/api/event/${demoEvent}/book`, { body });
    expect([repeated.status, await again.house.ctx.db('orders').count({ n: '*' }).first()]).toEqual([200, { n: 1 }]);
    const order = repeated.body as { order_id: string };
    again.clock.advance(16 * minute);
    await again.runDue();
    again.clock.advance(minute);
    await again.runDue();
    expect(await statusOf(again, order)).toEqual({ confirmed: false, deleted: true, session: 'expired' });
    expect(await seatStatuses(again, { selected_objects })).toEqual(['free', 'free']);
    expect(await again.house.ctx.db('outbox')).toEqual([]);
  }, { fault(at) { if (at === broken) throw new Error(`died at ${at}`); } });

  testOnBoth(`a process that dies at ${point} and a visitor who never comes back: the seats are free in the end`, async (server) => {
    const seats = await findSeats(server);
    const hold_token = await makeHoldToken(server);
    const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
    await holdObjects(server, hold_token, selected_objects);
    broken = point;
    await ask(server, 'POST', `/api/event/${demoEvent}/book`, { body: { hold_token, selected_objects } });
    for (const ahead of [16, 1, 1, 1]) {
      server.clock.advance(ahead * minute);
      await server.runDue();
      broken = '';
    }
    expect(await seatStatuses(server, { selected_objects })).toEqual(['free', 'free']);
    expect(await server.house.ctx.db('orders').pluck('state')).toEqual(['deleted']);
    expect(await server.house.ctx.db('outbox')).toEqual([]);
  }, { fault(at) { if (at === broken) throw new Error(`died at ${at}`); } });
}

/** As if another process had ended the order though its session lived on. */
async function endBehindOurBack(server: TestServer, order: Booked): Promise<void> {
  const { db, seats } = server.house.ctx;
  await seats.release(demoEvent, order.selected_objects.map(({ object_id }) => ({ label: object_id, quantity: null, ticket_type: 'intero' })), order.order_id);
  await db('orders').where({ id: order.order_id }).update({ state: 'deleted', deleted_at: server.clock.now() });
  await db('order_lines').where({ order_id: order.order_id }).update({ released_at: server.clock.now() });
}

/** Pays, and lets the webhook's work be done. */
async function payLate(server: TestServer, order: Booked): Promise<void> {
  await payOrder(server, order.checkout_url);
  const { db } = server.house.ctx;
  await until(async () => (await db('webhook_events').pluck('type')).includes('checkout.session.completed'));
  await server.runDue();
}

testOnBoth('a payment that comes after the end gets its seats again if they are free', async (server) => {
  const order = await makeOrder(server);
  await endBehindOurBack(server, order);
  await payLate(server, order);
  expect(await statusOf(server, order)).toEqual({ confirmed: true, deleted: false, session: 'complete' });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
});

testOnBoth('a payment that comes after the end is refunded when the seats are gone', async (server) => {
  const order = await makeOrder(server);
  await endBehindOurBack(server, order);
  const winner = await makeOrder(server, { seats: order.selected_objects.map((object) => object.object_id) });
  await payLate(server, order);
  const stored = await server.house.ctx.db('orders').where({ id: order.order_id }).first();
  expect(stored).toMatchObject({ state: 'deleted', needs_attention: null, paid_cents: 6400, refunded_cents: 6400 });
  expect(await seatStatuses(server, winner)).toEqual(['booked', 'booked']);
  const { url, secretKey } = server.house.standins!.stripe!;
  const refunds = await fetch(`${url}/v1/refunds?payment_intent=${stored.payment_intent}`, { headers: { authorization: `Bearer ${secretKey}` } });
  expect(((await refunds.json()) as { data: { amount: number }[] }).data.map((refund) => refund.amount)).toEqual([6400]);
});

testOnBoth('a late payment of another sum than was agreed goes back in full, even if the seats are free', async (server) => {
  const { db } = server.house.ctx;
  const odd = await makeOrder(server);
  await endBehindOurBack(server, odd);
  await db('orders').where({ id: odd.order_id }).update({ total_cents: 1 });
  await payLate(server, odd);
  expect(await db('orders').where({ id: odd.order_id }).first()).toMatchObject({ state: 'deleted', needs_attention: null, paid_cents: 6400, refunded_cents: 6400 });
  expect(await db('refunds').select('state', 'origin', 'amount_cents')).toEqual([{ state: 'succeeded', origin: 'late_payment', amount_cents: 6400 }]);
});

testOnBoth('a standing area booked by the same call ten times at once is one order, and cancelled its places come back', async (server) => {
  const hold_token = await makeHoldToken(server);
  const selected_objects = [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 2 }, { object_id: 'Loggione', ticket_type: 'ridotto', quantity: 1 }];
  await holdObjects(server, hold_token, selected_objects);
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(server, 'POST', `/api/event/${demoEvent}/book`, { body: { hold_token, selected_objects } })));
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(await bookedInLoggione(server)).toBe(3);
  const { order_id } = answers[0]!.body as { order_id: string };
  const cancels = await Promise.all(Array.from({ length: 10 }, () => ask(server, 'DELETE', `/api/orders/${order_id}/checkout_session`)));
  expect(cancels.map((answer) => answer.status)).toEqual(Array(10).fill(204));
  expect(await bookedInLoggione(server)).toBe(0);
  expect(server.logged).toEqual([]);
});

/** Read through the vendor's SDK: what the seat map itself counts. */
async function bookedInLoggione(server: TestServer): Promise<number> {
  const { url, secretKey } = server.house.standins!.seatsio!;
  const answer = await fetch(`${url}/events/${demoEvent}/objects?label=Loggione`, { headers: { authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}` } });
  return ((await answer.json()) as Record<string, { numBooked: number }>)['Loggione']!.numBooked;
}

async function bookLoggione(server: TestServer, quantity: number) {
  const hold_token = await makeHoldToken(server);
  const selected_objects = [{ object_id: 'Loggione', ticket_type: 'intero', quantity }];
  await holdObjects(server, hold_token, selected_objects);
  return (await ask(server, 'POST', `/api/event/${demoEvent}/book`, { body: { hold_token, selected_objects } })).body as { order_id: string; checkout_url: string };
}

testOnBoth('giving back places of a standing area never takes somebody else’s', async (server) => {
  const sold = await bookLoggione(server, 9);
  await payOrder(server, sold.checkout_url);
  server.clock.advance(3_000);
  expect((await statusOf(server, sold)).confirmed).toBe(true);
  const other = await bookLoggione(server, 2);
  await Promise.all(Array.from({ length: 10 }, () => ask(server, 'DELETE', `/api/orders/${other.order_id}/checkout_session`)));
  server.clock.advance(20 * minute);
  await server.runDue();
  expect(await bookedInLoggione(server)).toBe(9);
});

for (const point of ['order_stored', 'seats_booked', 'session_opened', 'seats_released']) {
  let broken = '';
  testOnBoth(`a standing area loses no place when the process dies at ${point}`, async (server) => {
    broken = point;
    await bookLoggione(server, 4);
    for (const ahead of [16, 1, 1, 1]) {
      server.clock.advance(ahead * minute);
      await server.runDue();
      broken = '';
    }
    expect(await server.house.ctx.db('orders').pluck('state')).toEqual(['deleted']);
    expect(await bookedInLoggione(server)).toBe(0);
  }, { fault(at) { if (at === broken) throw new Error(`died at ${at}`); } });
}

testOnBoth('twelve buyers of a standing area at once all get places of their own', async (server) => {
  const orders = await Promise.all(Array.from({ length: 12 }, () => bookLoggione(server, 3)));
  expect(new Set(orders.map((order) => order.order_id)).size).toBe(12);
  const places: string[] = await server.house.ctx.db('order_lines').whereNull('released_at').pluck('place');
  expect([places.length, new Set(places).size]).toEqual([36, 36]);
  expect(await bookedInLoggione(server)).toBe(36);
});

testOnBoth('a cancel that comes while the booking is under way waits for it, and nothing stays booked', async (server) => {
  for (let nth = 0; nth < 3; nth += 1) {
    const seats = await findSeats(server, { nth });
    const hold_token = await makeHoldToken(server);
    const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
    await holdObjects(server, hold_token, selected_objects);
    const booking = ask(server, 'POST', `/api/event/${demoEvent}/book`, { body: { hold_token, selected_objects } });
    const { db } = server.house.ctx;
    await until(async () => (await db('orders').where({ hold_token }).first()) !== undefined);
    const { id } = await db('orders').where({ hold_token }).first();
    const cancel = await ask(server, 'DELETE', `/api/orders/${id}/checkout_session`);
    expect([(await booking).status, cancel.status]).toEqual([expect.toSatisfy((status: number) => status === 200 || status === 409), 204]);
    expect(await statusOf(server, { order_id: id })).toMatchObject({ confirmed: false, deleted: true });
    expect(await seatStatuses(server, { selected_objects })).toEqual(['free', 'free']);
  }
  expect(server.logged).toEqual([]);
});

testOnBoth('an order that Stripe does not know does not keep the others waiting', async (server) => {
  const { ctx } = server.house;
  const poison = await makeOrder(server);
  const paid = await makeOrder(server, { nth: 1 });
  await ctx.db('orders').where({ id: poison.order_id }).update({ session_id: 'cs_test_nobody', created_at: server.clock.now() - 60 * minute });
  await payOrder(server, paid.checkout_url);
  server.clock.advance(2 * minute);
  await reconcile(ctx, new AbortController().signal);
  expect(await ctx.db('orders').where({ id: paid.order_id }).first()).toMatchObject({ state: 'confirmed' });
  expect(await ctx.db('orders').where({ id: poison.order_id }).first()).toMatchObject({ state: 'awaiting_payment', needs_attention: 'provider_refused' });
  expect((await ask(server, 'GET', `/api/orders/${poison.order_id}/status`)).status).toBe(200);
  expect((await ask(server, 'DELETE', `/api/orders/${poison.order_id}/checkout_session`)).status).toBe(503);
});

testOnBoth('a task that is asked for while it is being finished is not lost', async (server) => {
  const { db, now, newId } = server.house.ctx;
  for (let round = 0; round < 30; round += 1) {
    const row = { id: newId(), task: 'settle_order' as const, subject: `order-${round}`, run_at: now() };
    await db.transaction((trx) => addTask(trx, row));
    const claimed = (await claimTask(db, now(), 60_000))!;
    await Promise.all([finishTask(db, claimed), db.transaction((trx) => addTask(trx, { ...row, id: newId(), run_at: now() }))]);
    const left = await db('outbox').where({ subject: row.subject });
    expect(left).toHaveLength(1);
    expect(left[0].locked_until).toBeNull();
    await db('outbox').where({ subject: row.subject }).delete();
  }
});
