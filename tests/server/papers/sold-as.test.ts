/** What a ticket was sold as: an order keeps its VAT rates and a line its kind of entry, whatever the office says later. */
import { expect } from 'vitest';
import { readEvening, readSummary } from '#server/contract/summaries.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { callOk, demoEvent, findSeats, makeAdmin } from '#tests/support/make.ts';
import { makeSold, tryMove } from '#tests/support/move.ts';
import { addRule, threeForTwo } from '#tests/support/rules-in-force.ts';
import type { TestServer } from '#tests/support/server.ts';

const buyer = { email: 'eva@example.it' };
const month = { from: '2026-01-01', to: '2027-12-31' };

async function papersOf(server: TestServer, admin: { cookie: string }) {
  const evening = await callOk(server, readEvening, { params: { eventId: demoEvent } }, admin);
  const summary = await callOk(server, readSummary, { query: month }, admin);
  return { categories: evening.categories, rates: evening.rates, days: summary.rows };
}

/** What was sold, by the kind of entry and the price of a ticket. */
function soldIn({ categories }: Awaited<ReturnType<typeof papersOf>>) {
  return categories.flatMap(({ lines }) =>
    lines.map(({ kind, price_cents, tickets }) => `${tickets} ${kind} ${price_cents}`),
  );
}

function linesIn({ house: { ctx } }: TestServer) {
  return ctx.db('order_lines').select('entry_kind', 'order_id');
}

/** Other rates from now on, and a price list in which the full price stands last. */
async function changeEvent({ house: { ctx } }: TestServer): Promise<void> {
  const { seat_pricing } = await ctx.db('events').where({ id: demoEvent }).first('seat_pricing');
  const pricing: { ticketTypes: unknown[] }[] = JSON.parse(seat_pricing);
  const turned = pricing.map((one) => ({ ...one, ticketTypes: one.ticketTypes.toReversed() }));
  await ctx
    .db('events')
    .where({ id: demoEvent })
    .update({ vat_percent: 22, fee_vat_percent: 4, seat_pricing: JSON.stringify(turned) });
}

test('other VAT rates and another price list change nothing in the papers of what was sold', async (server) => {
  const admin = await makeAdmin(server);
  await addRule(server, threeForTwo);
  await makePaidOrder(server, buyer, { count: 3 });
  const before = await papersOf(server, admin);
  // Three at full price for two are no full prices.
  expect(soldIn(before)).toEqual(['1 reduced 2134', '2 reduced 2133']);
  for (const line of await linesIn(server)) expect(line).toMatchObject({ entry_kind: 'reduced' });
  await changeEvent(server);
  expect(await papersOf(server, admin)).toEqual(before);
  await makePaidOrder(server, buyer, { count: 1 });
  const after = await papersOf(server, admin);
  expect(after.rates.map(({ percent }) => percent)).toEqual([22, 10]);
  // The full price stands last in the new list.
  expect(soldIn(after)).toContain('1 reduced 3200');
});

test('what was sold before lines kept it is reckoned by its order and the price list of today', async (server) => {
  const admin = await makeAdmin(server);
  await makePaidOrder(server, buyer, { count: 1 });
  const before = await papersOf(server, admin);
  expect(soldIn(before)).toEqual(['1 full 3200']);
  const none = { entry_kind: null };
  await server.house.ctx.db('order_lines').update(none);
  expect(await papersOf(server, admin)).toEqual(before);
  // Sold with rules in force, which did not lower it, and before: they read alike.
  await addRule(server, threeForTwo);
  await makePaidOrder(server, buyer, { count: 1 });
  expect(soldIn(await papersOf(server, admin))).toEqual(['2 full 3200']);
  await server.house.ctx.db('order_lines').update(none);
  await changeEvent(server);
  const after = await papersOf(server, admin);
  expect(after.rates.map(({ percent }) => percent)).toEqual([10]);
  expect(soldIn(after)).toEqual(['2 reduced 3200']);
});

test('a price by hand at the till is reduced, and a move that changes no price keeps what was sold', async (server) => {
  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  const by_hand = { total_cents: 3_000, reason: 'Abbonato' };
  const payments = [{ method: 'cash' as const, amount_cents: 3_000 }];
  const seats = await findSeats(server, { count: 1 });
  await sellAtCounter(server, admin, { seats, by_hand, expected_cents: 3_000, payments });
  const sold = await makeSold(server, { count: 1 });
  const kindsOf = async () => (await linesIn(server)).map(({ entry_kind }) => entry_kind);
  expect((await kindsOf()).toSorted()).toEqual(['full', 'reduced']);
  await changeEvent(server);
  const moved = await tryMove(server, admin, sold, await findSeats(server, { count: 1 }));
  expect(moved.status).toBe(200);
  expect((await kindsOf()).toSorted()).toEqual(['full', 'reduced']);
});
