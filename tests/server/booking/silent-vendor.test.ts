/** Stripe and the seat map are connected but say nothing: pages show what is known, a visitor who books hears so within eight seconds, and the same call goes on later. */
import { expect, inject, test } from 'vitest';
import { listCharts } from '#server/contract/charts.ts';
import { readTill } from '#server/contract/counter.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { previewPage } from '#server/contract/event-preview.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { getEvent, listPublished } from '#server/contract/events.ts';
import { cancelCheckout, getOrder, orderStatus } from '#server/contract/order/orders.ts';
import { readEventPrices } from '#server/contract/price-matrix.ts';
import { readSeats } from '#server/contract/seats.ts';
import {
  aRefusal,
  ask,
  type Answered,
  demoEvent,
  holdSeats,
  makeAdmin,
  makeOrder,
  payOrder,
  tryBook,
  until,
} from '#tests/support/make.ts';
import { databaseKinds, type DatabaseKind } from '#tests/support/server.ts';
import { startLine } from '#tests/support/silent-line.ts';
import { startVendors } from '#tests/support/vendors.ts';

const params = { eventId: demoEvent };

/** What a visitor's page asks for, and what an office's page asks for. */
const visitorPages = [
  addressOf(getEvent, params),
  addressOf(listPublished),
  '/',
  '/event/la-locandiera',
];
const officePages = [
  addressOf(previewPage, params),
  addressOf(readEvent, params),
  addressOf(readEventPrices, params),
  addressOf(readTill, params),
  addressOf(readSeats, params),
  addressOf(listCharts),
];

/** Milliseconds until each page was answered. */
async function timesOf(asked: readonly (() => Promise<Answered>)[]): Promise<number[]> {
  return Promise.all(
    asked.map(async (request) => {
      const began = performance.now();
      const { status, body } = await request();
      expect([status, status === 200 || body]).toEqual([200, true]);
      return performance.now() - began;
    }),
  );
}

const medianOf = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1]!;

async function withTime<T>(answer: Promise<T>): Promise<[answer: T, seconds: number]> {
  const began = performance.now();
  return [await answer, (performance.now() - began) / 1_000];
}

async function walk(database: DatabaseKind) {
  await using vendors = await startVendors();
  const place = await vendors.emptyPlace(database, inject('postgresUrl'));
  await using stripe = await startLine(place['STRIPE_URL']!);
  await using seatMap = await startLine(place['SEATSIO_URL']!);
  const urls = { STRIPE_URL: stripe.url, SEATSIO_URL: seatMap.url };
  await using server = await vendors.open({ ...place, ...urls });
  const headers = await makeAdmin(server);
  const pages = (paths: readonly string[]) =>
    paths.map((path) => () => ask(server, 'GET', path, { headers }));
  for (const page of pages([...visitorPages, ...officePages]))
    await until(async () => (await page()).status === 200);
  const waiting = await makeOrder(server);
  const held = await holdSeats(server, { nth: 1 });
  const later = await holdSeats(server, { nth: 3 });

  vendors.clock.advance(61_000);
  stripe.silence();
  const booked = withTime(tryBook(server, held));
  const times: number[] = [];
  // Each round is a second later by the house's clock, so that no page is kept from the last one.
  for (let round = 0; round < 9; round += 1, vendors.clock.advance(1_100))
    times.push(...(await timesOf(pages(Array<string>(10).fill(addressOf(getEvent, params))))));
  const { db, seats } = server.house.ctx;
  const [{ object_id }] = held.selected_objects as [{ object_id: string }];
  await until(
    async () => (await seats.read(demoEvent, [object_id])).get(object_id)!.status === 'booked',
  );
  seatMap.silence();
  const orderId = waiting.order_id;
  const [visitors, office, order, ...acts] = await Promise.all([
    timesOf(pages(visitorPages)),
    timesOf(pages(officePages)),
    timesOf(pages([addressOf(getOrder, { orderId }), addressOf(orderStatus, { orderId })])),
    booked,
    withTime(tryBook(server, later)),
    withTime(ask(server, 'DELETE', addressOf(cancelCheckout, { orderId }))),
  ]);
  expect(medianOf(times)).toBeLessThan(1_000);
  expect(Math.max(...visitors)).toBeLessThan(2_000);
  expect(Math.max(...office, ...order)).toBeLessThan(5_000);
  for (const [answer, seconds] of acts) {
    expect(answer).toMatchObject(aRefusal(503, 'provider_silent'));
    expect(seconds).toBeLessThan(8);
  }
  const [silent] = acts[0];
  const [{ link_key }] = await db('orders').where({ hold_token: held.hold_token });
  expect(silent).toMatchObject(aRefusal(503, 'provider_silent', { order_id: link_key }));

  await Promise.all([stripe.mend(), seatMap.mend()]);
  const again = await tryBook(server, held);
  expect([again.status, again.body]).toMatchObject([200, { order_id: link_key }]);
  expect((await tryBook(server, later)).status).toBe(200);
  const { checkout_url } = again.body as { checkout_url: string };
  expect((await payOrder(server, checkout_url)).status).toBe(200);
  expect((await ask(server, 'DELETE', addressOf(cancelCheckout, { orderId }))).status).toBe(204);
  vendors.clock.advance(3_000);
  await ask(server, 'GET', addressOf(orderStatus, { orderId: link_key }));
  const states = await db('orders').orderBy('created_at').pluck('state');
  expect(states).toEqual(['deleted', 'confirmed', 'awaiting_payment']);
}

test('pages, booking, cancelling and the order page while both vendors are silent, on both databases', async () => {
  await Promise.all(databaseKinds.map(walk));
});
