/** Phases of list prices: which one is sold, what a page was told when one ends, and sales that end one. */
import { expect, inject, test } from 'vitest';
import { getEvent, listPublished } from '#server/contract/events.ts';
import { goodUntil } from '#server/services/site/pages.ts';
import { testOnBoth, testOnSqlite as it } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, holdSeats, type Held } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { priceOfStalls, setPhases } from '#tests/support/price-phases.ts';
import { databaseKinds, type TestServer } from '#tests/support/server.ts';
import { startVendors } from '#tests/support/vendors.ts';

const params = { eventId: demoEvent };
const hour = 3_600_000;
const last = 3_200;

interface Sent {
  expected_cents?: number;
  offer?: string;
}

function book(server: TestServer, held: Held, sent: Sent = {}) {
  return ask(server, 'POST', `/api/event/${demoEvent}/book`, { body: { ...held, ...sent } });
}

const page = (server: TestServer) => callOk(server, getEvent, { params });

/** What the page shows for a full ticket of the stalls, and what it says of the next price. */
async function shown(server: TestServer) {
  const { event, prices, next_prices } = await page(server);
  const id = priceOfStalls({ seat_pricing: JSON.stringify(event.attributes.seat_pricing) });
  const next = next_prices.filter(({ category }) => category === 'Platea');
  return [
    prices.find((price) => price.id === id)?.unit_amount,
    next.map(({ words }) => plainSpaces(words)),
  ];
}

const plainSpaces = (text: string) => text.replaceAll('\u00A0', ' ');

async function startsAt({ house }: TestServer): Promise<number> {
  return (await house.ctx.db('events').where({ id: demoEvent }).first()).starts_at;
}

async function soldAs({ house }: TestServer) {
  return house.ctx.db('orders').orderBy('created_at').select('total_cents', 'sold_in_phase');
}

const turnsOf = async ({ house }: TestServer) =>
  JSON.parse((await house.ctx.db('events').where({ id: demoEvent }).first()).phase_turns ?? '{}');

testOnBoth(
  'a phase is sold until its day, the next one until hours before the start, then the last price: page, home and order say the same, and no answer is kept beyond a turn',
  async (server) => {
    const at = server.clock.now() + hour;
    const before = (await startsAt(server)) - 2 * hour;
    await setPhases(server, [
      { name: 'Prima', until: { kind: 'day', at }, cents: 1_100 },
      { name: 'Seconda', until: { kind: 'hours_before', hours: 2 }, cents: 1_200 },
    ]);
    const turns = [
      [at, 1_100, 'Prima', /^dal .* 12,00 €$/u],
      [before, 1_200, 'Seconda', /^da 2 ore prima 32,00 €$/u],
      [null, last, null, null],
    ] as const;
    for (const [turn, cents, name, words] of turns) {
      expect(await shown(server)).toEqual([cents, words ? [expect.stringMatching(words)] : []]);
      const { items } = await callOk(server, listPublished, {});
      const from = items.find(({ id }) => id === demoEvent)?.from_price;
      expect(from).toBe(Math.min(cents, from!));
      const held = await holdSeats(server, { count: 2 });
      expect((await book(server, held, { expected_cents: cents * 2 })).status).toBe(200);
      expect((await soldAs(server)).at(-1)).toEqual({
        total_cents: cents * 2,
        sold_in_phase: name,
      });
      if (turn === null) continue;
      const path = `/api/event/${demoEvent}/`;
      server.clock.advance(turn - 500 - server.clock.now());
      for (const subject of [{ kind: 'home' } as const, { kind: 'event', id: demoEvent } as const])
        expect(await goodUntil(server.house.ctx, subject)).toBe(turn);
      const { headers } = await ask(server, 'GET', path);
      const tag = { 'if-none-match': headers.get('etag')! };
      server.clock.advance(500);
      expect((await ask(server, 'GET', path, { headers: tag })).status).toBe(200);
    }
  },
);

it('who was told a phase pays its price for twenty minutes after its end, and without the offer the price of now', async (server) => {
  const at = server.clock.now() + hour;
  await setPhases(server, [{ name: 'Prima', until: { kind: 'day', at }, cents: 1_100 }]);
  const { offer } = await page(server);
  server.clock.advance(hour + 19 * 60_000);
  expect((await page(server)).offer).not.toBe(offer);
  const [one, two] = [await holdSeats(server), await holdSeats(server, { nth: 1 })];
  expect(await book(server, two, { expected_cents: 2_200 })).toMatchObject({
    status: 409,
    body: { code: 'total_changed', detail: { total_cents: last * 2 } },
  });
  expect((await book(server, one, { expected_cents: 2_200, offer })).status).toBe(200);
  server.clock.advance(2 * 60_000);
  expect((await book(server, two, { expected_cents: 2_200, offer })).status).toBe(409);
  expect(await soldAs(server)).toEqual([{ total_cents: 2_200, sold_in_phase: 'Prima' }]);
});

testOnBoth(
  'the order that reaches the number pays the old price whole and ends the phase, for good: a page that was told it pays it still, tickets that come back begin nothing again',
  async (server) => {
    const until = { kind: 'sold', tickets: 3 } as const;
    await setPhases(server, [{ name: 'Primi tre', until, cents: 1_100 }]);
    const { offer } = await page(server);
    expect(await shown(server)).toEqual([1_100, ['ancora 3 biglietti a 11,00 €, poi 32,00 €']]);
    await book(server, await holdSeats(server));
    server.clock.advance(2_000);
    expect(await shown(server)).toEqual([1_100, ['ancora 1 biglietto a 11,00 €, poi 32,00 €']]);
    const { headers } = await ask(server, 'GET', `/api/event/${demoEvent}/`);
    const across = await book(server, await holdSeats(server), { expected_cents: 2_200 });
    const turns = await turnsOf(server);
    expect(Object.keys(turns)).toEqual(['phase-0']);
    const tag = { 'if-none-match': headers.get('etag')! };
    expect((await ask(server, 'GET', `/api/event/${demoEvent}/`, { headers: tag })).status).toBe(
      200,
    );
    expect(await shown(server)).toEqual([last, []]);
    server.clock.advance(60_000);
    await book(server, await holdSeats(server), { expected_cents: 2_200, offer });
    const { order_id } = across.body as { order_id: string };
    const path = `/api/orders/${order_id}/checkout_session`;
    expect((await ask(server, 'DELETE', path)).status).toBe(204);
    expect(await shown(server)).toEqual([last, []]);
    await book(server, await holdSeats(server), { expected_cents: last * 2 });
    expect(await turnsOf(server)).toEqual(turns);
    const phase = { total_cents: 2_200, sold_in_phase: 'Primi tre' };
    expect(await soldAs(server)).toEqual([
      phase,
      phase,
      phase,
      { total_cents: last * 2, sold_in_phase: null },
    ]);
  },
);

test.each(databaseKinds)(
  'orders of several servers at once end the phase by the one that reaches the number (%s)',
  async (database) => {
    await using vendors = await startVendors();
    const place = await vendors.emptyPlace(database, inject('postgresUrl'));
    await using server = await vendors.open(place);
    await using other =
      database === 'postgres'
        ? await vendors.open({ ...place, PORT: String(await freePort()) })
        : null;
    const doors = [server, other ?? server];
    // Two that see each other's order not at all would both fall short of the number.
    for (let round = 1; round <= 5; round += 1) {
      const until = { kind: 'sold', tickets: round * 4 } as const;
      await setPhases(server, [{ name: 'Primi', until, cents: 1_100 }]);
      const carts = [await holdSeats(server), await holdSeats(server)];
      const answers = await Promise.all(carts.map((held, nth) => book(doors[nth]!, held)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(Object.keys(await turnsOf(server))).toEqual(['phase-0']);
    }
    for (const door of doors) expect(await shown(door)).toEqual([last, []]);
  },
);
