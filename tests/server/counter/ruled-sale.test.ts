/** Price rules at the till: its answer, the sale at the sum it shows, a group, and a total set by hand on top. */
import { expect } from 'vitest';
import { makeSale, readTill } from '#server/contract/counter.ts';
import { priceLines } from '#server/domain/price/page-cart.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer, saleBody } from '#tests/support/counter.ts';
import { ask, callOk, demoEvent, findSeats } from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { addRule, threeForTwo } from '#tests/support/rules-in-force.ts';
import type { TestServer } from '#tests/support/server.ts';

const all = { ...threeForTwo.scope, ticket_types: null };
const atTill = { ...threeForTwo, scope: { ...threeForTwo.scope, channels: ['till' as const] } };

/** What the till shows for so many full-price seats of the stalls. */
async function shownAtTill(server: TestServer, seller: { cookie: string }, count: number) {
  const till = await callOk(server, readTill, { params: { eventId: demoEvent } }, seller);
  const line = {
    category: 'Platea',
    ticket_type: 'intero',
    places_cents: Array.from({ length: count }, () => 3_200),
    bears: [],
    whole: null,
  };
  return priceLines([line], till.price_rules, { channel: 'till' })[0]!;
}

const cash = (amount_cents: number) => ({
  expected_cents: amount_cents,
  payments: [{ method: 'cash' as const, amount_cents }],
});

test('three for two at the till: the shown sum is sold, its lines keep list price and reason; the full price is refused', async (server, admin) => {
  await openDrawer(server, admin);
  await addRule(server, { ...atTill, scope: { ...atTill.scope, channels: ['site'] } });
  expect((await shownAtTill(server, admin, 3)).cents).toBe(9_600);
  const id = await addRule(server, atTill);
  const shown = await shownAtTill(server, admin, 3);
  expect(shown).toMatchObject({ cents: 6_400, reason: '3x2: il meno caro è gratis' });
  const seats = await findSeats(server, { count: 3 });
  const body = await saleBody(server, { seats, ...cash(shown.cents) });
  const full = await ask(server, 'POST', makeSale.path, {
    body: { ...body, ...cash(9_600) },
    headers: admin,
  });
  expect(full.body).toMatchObject({ code: 'total_changed', detail: { total_cents: 6_400 } });
  const sale = await callOk(server, makeSale, { body }, admin);
  expect(sale).toMatchObject({ state: 'confirmed', total_cents: 6_400 });
  const lines = await server.house.ctx.db('order_lines').orderBy('position');
  expect(lines.map((line) => [line.list_cents, JSON.parse(line.price_reasons)[0].rule_id])).toEqual(
    lines.map(() => [3_200, id]),
  );
  await expectSoundBooks(server);
});

it('a group pays its price by number, and a total set by hand lies on top of the sum by rules', async (server, admin) => {
  await openDrawer(server, admin);
  const base = { kind: 'group' as const, name: 'Gruppi', scope: all, meets: false };
  const group = { ...base, from_places: 5, percent: 25, price_cents: null, free_every: null };
  await addRule(server, group);
  expect((await shownAtTill(server, admin, 4)).cents).toBe(12_800);
  const shown = await shownAtTill(server, admin, 5);
  expect(shown).toMatchObject({ cents: 12_000, reason: 'Gruppi: 25\u00a0% in meno' });
  const seats = await findSeats(server, { count: 5 });
  const by_hand = { total_cents: 10_000, reason: 'Scuola del quartiere' };
  const body = await saleBody(server, { seats, by_hand, ...cash(10_000) });
  const above = await ask(server, 'POST', makeSale.path, {
    body: { ...body, by_hand: { ...by_hand, total_cents: 12_001 }, ...cash(12_001) },
    headers: admin,
  });
  expect(above.body).toMatchObject({ code: 'price_by_hand_wrong' });
  const sale = await callOk(server, makeSale, { body }, admin);
  expect(sale.total_cents).toBe(10_000);
  expect(sale.lines.map(({ price_cents }) => price_cents)).toEqual(Array(5).fill(2_000));
  await expectSoundBooks(server);
});
