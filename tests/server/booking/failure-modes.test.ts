/** The ways in which other ticket sites lost money, seats or orders, one by one, and that they do not happen here: the list, and those between a visitor and his checkout. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testOnSqlite as it } from '#tests/support/both.ts';
import { bookSeats, cancelCheckout, orderStatus } from '#server/contract/order/orders.ts';
import {
  callOk,
  demoEvent,
  holdObjects,
  makeHoldToken,
  makeOrder,
  payOrder,
  recordOf,
} from '#tests/support/make.ts';
import { rowOf, seatStatuses } from '#tests/support/order-end.ts';
import { sessionsAtStripe } from '#tests/support/stripe-desk.ts';

const minute = 60_000;

/** Failure mode, and the beginning of the name of the test that proves its absence, wherever it stands. */
const modes: readonly (readonly [mode: string, test: string])[] = [
  [
    'money lost when capacity is gone after payment',
    'a payment that comes after the end is refunded when the seats are gone',
  ],
  [
    'late payment always refunded though seats are free',
    'a payment that comes after the end gets its seats again if they are free',
  ],
  ['hold expires while paying', 'hold expires while paying'],
  ['webhook lost', 'webhook lost'],
  ['200 answered on a conflict, event gone', 'event answered with an error is not gone'],
  [
    'queue lag longer than the signature’s tolerance',
    'queue lag longer than the signature’s tolerance',
  ],
  ['event dedup in a cache', 'event dedup survives a restart'],
  [
    'paid order cancelled by the unpaid-order job',
    'a payment in the last second wins over the end of time',
  ],
  ['expire fails because the session is complete', 'cancelling a paid order changes nothing'],
  ['cancel crashes on an expired session', 'cancel on an expired session'],
  ['cancel in tab A, pay in tab B, browser back', 'cancel in tab A, pay in tab B'],
  ['double click, slow network', 'the same call ten times at once is one order with one session'],
  ['same idempotency key after a decline', 'payment declined, then paid'],
  [
    'a failure saved under the idempotency key',
    'a failure that Stripe remembers under its key does not block the order',
  ],
  [
    'completed and expired nearly together, or other order of events',
    'events late, doubled and in another order',
  ],
  ['webhook before our row is saved', 'webhook before our row is saved'],
  ['expired page is not clear', '"%s" is said of %j, back from the checkout'],
  ['reserved seats never return', 'an unpaid order ends at its time by its waiting row'],
  ['refund made in the dashboard', 'refund made in the dashboard'],
  ['already refunded in the dashboard', 'already refunded in the dashboard while ours waits'],
  ['refund pending for lack of balance', 'refund pending for lack of balance'],
  ['refund call without an idempotency key', 'an answer lost for two days'],
  [
    'duplicate complete, duplicate tickets and mails',
    'duplicate events make no second ticket and no second mail',
  ],
  ['inactive price in a live configuration', 'inactive price or archived product'],
  ['price changed between page and book', 'price changed between page and book'],
  ['session of another sum', 'a session that asks for another sum than was agreed on'],
  ['rounding and currency', 'price of another currency or without an amount'],
  ['API version drift in webhooks', 'signed is not well-formed, nor of this API version'],
  [
    'signature wrong, old, of the other mode, or body changed',
    'delivery that is forged, old, changed or of the other mode',
  ],
  ['answer of a refund lost', 'an answer lost for two days'],
  ['mail accepted, process dead', 'a crash between the server’s yes and our mark'],
];

test('every known failure mode has a test that is named after it', () => {
  const folder = join(import.meta.dirname, '../..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.test.ts') && !file.startsWith('.out'),
  );
  const names = files.flatMap((file) =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /(?:\b(?:it|test\w*|\w*[bB]oth\w*)|\]\))\(\s*['`]([^'`]+)/g,
      ),
    ].map((match) => match[1]!),
  );
  expect(
    modes.filter(([, name]) => !names.some((candidate) => candidate.startsWith(name))),
  ).toEqual([]);
  expect(new Set(modes.map(([mode]) => mode)).size).toBe(modes.length);
});

it('hold expires while paying: the seats belong to the order, not to the browser', async (server) => {
  const order = await makeOrder(server);
  server.clock.advance(14 * minute);
  await server.house.standins!.stripe!.tick();
  // Whatever became of the hold: another visitor does not get these seats.
  const other = await makeHoldToken(server);
  expect((await holdObjects(server, other, order.selected_objects)).status).not.toBe(200);
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  expect(
    (await callOk(server, orderStatus, { params: { orderId: order.order_id } })).order_confirmed_at,
  ).not.toBeNull();
});

it('cancel on an expired session: it is over, and says so as often as it is asked', async (server) => {
  const order = await makeOrder(server);
  server.clock.advance(36 * minute);
  await server.house.standins!.stripe!.tick();
  for (let times = 0; times < 2; times += 1)
    await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
  expect(await callOk(server, orderStatus, { params: { orderId: order.order_id } })).toMatchObject({
    order_confirmed_at: null,
    order_deleted_at: expect.any(String),
    checkout_session_status: 'expired',
    checkout_url: null,
  });
  expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
});

it('cancel in tab A, pay in tab B, browser back: the first session is dead, the second order has one of its own, and no session is forgotten', async (server) => {
  const first = await makeOrder(server);
  await callOk(server, cancelCheckout, { params: { orderId: first.order_id } });
  expect((await payOrder(server, first.checkout_url)).status).toBe(400);
  await holdObjects(server, first.hold_token, first.selected_objects);
  const second = await callOk(server, bookSeats, {
    params: { eventId: demoEvent },
    body: { hold_token: first.hold_token, selected_objects: first.selected_objects },
  });
  expect([second.order_id === first.link_key, second.checkout_url === first.checkout_url]).toEqual([
    false,
    false,
  ]);
  const { db } = server.house.ctx;
  const sessions = await sessionsAtStripe(server);
  expect(sessions.map((session) => session.status).toSorted()).toEqual(['expired', 'open']);
  expect((await db('checkout_sessions').pluck('id')).toSorted()).toEqual(
    sessions.map((session) => session.id).toSorted(),
  );
  await payOrder(server, second.checkout_url);
  server.clock.advance(3_000);
  await callOk(server, orderStatus, { params: { orderId: second.order_id } });
  const kept = { order_id: await recordOf(server, second) };
  expect([(await rowOf(server, first)).state, (await rowOf(server, kept)).state]).toEqual([
    'deleted',
    'confirmed',
  ]);
});

it('payment declined, then paid: the same session takes the second card, once', async (server) => {
  const order = await makeOrder(server);
  expect((await payOrder(server, order.checkout_url, 'pm_card_chargeDeclined')).status).toBe(402);
  server.clock.advance(3_000);
  expect(await callOk(server, orderStatus, { params: { orderId: order.order_id } })).toMatchObject({
    order_confirmed_at: null,
    order_deleted_at: null,
    checkout_session_status: 'open',
  });
  expect((await payOrder(server, order.checkout_url)).status).toBe(200);
  expect((await payOrder(server, order.checkout_url)).status).toBe(400);
  server.clock.advance(3_000);
  expect(
    (await callOk(server, orderStatus, { params: { orderId: order.order_id } })).order_confirmed_at,
  ).not.toBeNull();
  expect(await sessionsAtStripe(server)).toHaveLength(1);
});
