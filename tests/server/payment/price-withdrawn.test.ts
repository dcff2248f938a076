/** A price that is archived at Stripe while it is being sold: visitors are told which, their seats are free, every process knows, and the office hears of it once. */
import { expect } from 'vitest';
import { getEvent } from '#server/contract/events.ts';
import { readAttention } from '#server/contract/office.ts';
import { pricesOf, withdrawnAmong } from '#server/services/event/prices.ts';
import { pricingOf } from '#server/domain/price/pricing.ts';
import { findEvent } from '#db/event/events.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { holdSeats, tryBook, callOk, demoEvent } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';

const evening = { eventId: demoEvent };

async function holdOne(server: TestServer, nth: number, ticket_type: string) {
  const held = await holdSeats(server, { count: 1, nth, ticket_type });
  return () => tryBook(server, held);
}

async function reducedPrice(server: TestServer): Promise<string> {
  const page = await callOk(server, getEvent, { params: evening });
  const stalls = page.event.attributes.seat_pricing.find(({ category }) => category === 'Platea');
  return stalls!.ticketTypes.find(({ ticketType }) => ticketType === 'ridotto')!.price_id;
}

async function isOffered(server: TestServer, price_id: string): Promise<boolean> {
  const { prices } = await callOk(server, getEvent, { params: evening });
  return prices.some(({ id }) => id === price_id);
}

test('many visitors at once are told which ticket type is gone, the page offers it no more, and the office is told once, until Stripe sells it again', async (server, admin) => {
  const price_id = await reducedPrice(server);
  const books = [];
  for (let nth = 0; nth < 5; nth += 1) books.push(await holdOne(server, nth, 'ridotto'));
  const full = await holdOne(server, 6, 'intero');
  await atStripe(server, 'POST', `prices/${price_id}`, { active: 'false' });
  const answers = await Promise.all(books.map((book) => book()));
  const told = answers.filter(({ status }) => status === 409);
  expect(told).not.toEqual([]);
  for (const { body } of told)
    expect(body).toMatchObject({
      code: 'price_withdrawn',
      message:
        'Un tipo di biglietto non è più in vendita: scegline un altro. Nessun importo è stato addebitato. Non più in vendita: Ridotto (Platea).',
    });
  // Whoever comes a moment later finds that it has no price any more.
  for (const { status, body } of answers.filter((answer) => !told.includes(answer)))
    expect([status, body]).toMatchObject([422, { code: 'object_without_price' }]);
  const { db } = server.house.ctx;
  expect(await db('orders').distinct('state').pluck('state')).toEqual(['deleted']);
  expect(await db('order_lines').whereNull('released_at')).toEqual([]);
  // A page may be a second old.
  server.clock.advance(1_100);
  expect(await isOffered(server, price_id)).toBe(false);
  expect((await full()).status).toBe(200);

  const waiting = async () => {
    await server.runDue();
    const { items } = await callOk(server, readAttention, {}, admin);
    return items.flatMap((item) => (item.about === 'break' ? [item.subject] : []));
  };
  expect(await waiting()).toEqual([price_id]);
  server.clock.advance(61_000);
  expect(await waiting()).toEqual([price_id]);
  await atStripe(server, 'POST', `prices/${price_id}`, { active: 'true' });
  server.clock.advance(61_000);
  expect(await waiting()).toEqual([]);
  server.clock.advance(3_000);
  expect(await isOffered(server, price_id)).toBe(true);
  expect(await db('outbox').where({ task: 'watch_prices' })).toEqual([]);
});

it('what one process finds out the others know within seconds', async (server) => {
  const { ctx } = server.house;
  const other = { ...ctx, memory: {} };
  const pricing = pricingOf((await findEvent(ctx.db, demoEvent))!);
  const price_id = await reducedPrice(server);
  const knows = async () => (await pricesOf(other, pricing)).every(({ id }) => id !== price_id);
  expect(await knows()).toBe(false);
  await atStripe(server, 'POST', `prices/${price_id}`, { active: 'false' });
  server.clock.advance(2_500);
  expect(await knows()).toBe(false);
  expect(await withdrawnAmong(ctx, [price_id])).toEqual([price_id]);
  server.clock.advance(2_500);
  expect(await knows()).toBe(true);
});
