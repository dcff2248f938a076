/** What was shown is what is paid: rules in the event's answer, and the total in the booking's body. */
import { expect } from 'vitest';
import { getEvent } from '#server/contract/events.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { priceCart } from '#server/domain/price/cart.ts';
import type { GroupRule } from '#server/domain/price/rule.ts';
import { factsOfSale, ruleOfSale } from '#server/domain/price/sale-rule.ts';
import { goodUntil } from '#server/services/site/pages.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, holdSeats, type Held } from '#tests/support/make.ts';
import { addRule, couple, threeForTwo } from '#tests/support/rules-in-force.ts';
import { feeEvent } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const params = { eventId: demoEvent };
const path = `/api/event/${demoEvent}/`;
const seat = {
  category: 'Platea',
  ticket_type: 'intero',
  list_cents: 3_200,
  fee_cents: 0,
  service_cents: 0,
};

const groups: Omit<GroupRule, 'id'> = {
  kind: 'group',
  name: 'Gruppi',
  scope: { ...threeForTwo.scope, ticket_types: null },
  meets: false,
  from_places: 20,
  percent: 20,
  price_cents: null,
  free_every: null,
};

async function endRule({ house: { ctx } }: TestServer, id: string): Promise<void> {
  await ctx.db('price_rules').where({ id }).update({ ended_at: ctx.now() });
}

async function rulesShown(server: TestServer) {
  return (await callOk(server, getEvent, { params })).price_rules;
}

/** What the event page makes of so many full-price seats. */
function shownFor(rules: ReplyOf<typeof getEvent>['price_rules'], count: number): number {
  const cart = Array.from({ length: count }, () => ({ ...seat, whole: null }));
  return priceCart(rules.map(ruleOfSale), cart, factsOfSale(rules, 'site')).total_cents;
}

function book(server: TestServer, held: Held, expected_cents?: number, offer?: string) {
  const body = { ...held, ...(expected_cents !== undefined && { expected_cents }), offer };
  return ask(server, 'POST', `/api/event/${demoEvent}/book`, { body });
}

test('the event tells its rules for the site, and a new or ended one in the very next answer; unchanged it is 304', async (server) => {
  expect(await rulesShown(server)).toEqual([]);
  const id = await addRule(server, threeForTwo, demoEvent);
  await addRule(server, groups);
  await addRule(server, { ...groups, scope: { ...groups.scope, channels: ['till'] } });
  await addRule(server, threeForTwo, feeEvent);
  const { scope, ...plain } = threeForTwo;
  expect(scope.channels).toBeNull();
  const shown = await rulesShown(server);
  expect(shown).toHaveLength(2);
  expect(shown).toContainEqual({
    ...plain,
    id,
    scope: { categories: null, ticket_types: ['intero'] },
  });
  expect(shown).toContainEqual(expect.objectContaining({ kind: 'group', from_places: 20 }));
  const { headers } = await ask(server, 'GET', path);
  const tag = { 'if-none-match': headers.get('etag')! };
  expect((await ask(server, 'GET', path, { headers: tag })).status).toBe(304);
  server.clock.advance(10_000);
  expect((await ask(server, 'GET', path, { headers: tag })).status).toBe(304);
  await endRule(server, id);
  expect((await ask(server, 'GET', path, { headers: tag })).status).toBe(200);
  expect((await rulesShown(server)).map(({ kind }) => kind)).toEqual(['group']);
});

it('a rule is told from its first moment until its last, and no answer is kept beyond either', async (server) => {
  const from = server.clock.now() + 60_000;
  const until = from + 600_000;
  await addRule(server, { ...threeForTwo, scope: { ...threeForTwo.scope, from, until } });
  expect(await rulesShown(server)).toHaveLength(0);
  for (const [turn, told] of [
    [from, 1],
    [until, 0],
  ] as const) {
    server.clock.advance(turn - 500 - server.clock.now());
    expect(await goodUntil(server.house.ctx, { kind: 'event', id: demoEvent })).toBe(turn);
    server.clock.advance(500);
    expect(await rulesShown(server)).toHaveLength(told);
  }
});

test('a booking takes the total that was shown; another one is refused with the sum of now, and nothing is stored', async (server) => {
  const id = await addRule(server, threeForTwo);
  const shown = shownFor(await rulesShown(server), 3);
  expect(shown).toBe(6_400);
  await endRule(server, id);
  const held = await holdSeats(server, { count: 3 });
  expect(await book(server, held, shown)).toMatchObject({
    status: 409,
    body: { code: 'total_changed', detail: { total_cents: 9_600 } },
  });
  expect(await server.house.ctx.db('orders')).toEqual([]);
  const booked = await book(server, held, 9_600);
  expect(booked.status).toBe(200);
});

it('without a shown total the price of now counts, and the order keeps list prices and reasons', async (server) => {
  const id = await addRule(server, threeForTwo);
  const booked = await book(server, await holdSeats(server, { count: 3 }));
  expect(booked.status).toBe(200);
  const { order_id } = booked.body as { order_id: string };
  const order = await callOk(server, getOrder, { params: { orderId: order_id } });
  expect(order.total_cents).toBe(6_400);
  expect(order.lines.map((line) => [line.list_cents, line.lowered_by])).toEqual(
    order.lines.map(() => [3_200, ['3x2']]),
  );
  const lines = await server.house.ctx.db('order_lines').orderBy('position');
  expect(lines.map(({ list_cents }) => list_cents)).toEqual([3_200, 3_200, 3_200]);
  expect(lines.flatMap((line) => JSON.parse(line.price_reasons)).map((one) => one.rule_id)).toEqual(
    [id, id, id],
  );
});

it('a repeated call goes on with its order whatever prices are now; with another shown total it is told of that order', async (server) => {
  const id = await addRule(server, threeForTwo);
  const held = await holdSeats(server, { count: 3 });
  const first = await book(server, held, 6_400);
  expect(first.status).toBe(200);
  await endRule(server, id);
  expect((await book(server, held, 6_400)).body).toEqual(first.body);
  expect((await book(server, held)).body).toEqual(first.body);
  const { order_id, checkout_url } = first.body as { order_id: string; checkout_url: string };
  expect(await book(server, held, 9_600)).toMatchObject({
    status: 409,
    body: { code: 'order_pending', detail: { order_id, checkout_url } },
  });
  expect(await server.house.ctx.db('orders')).toHaveLength(1);
});

it('who held seats while a rule ended books at the shown total for twenty minutes, if the offer is ours', async (server) => {
  const until = server.clock.now() + 60_000;
  const ending = { ...threeForTwo, scope: { ...threeForTwo.scope, until } };
  const id = await addRule(server, ending);
  const { offer } = await callOk(server, getEvent, { params });
  server.clock.advance(30_000);
  // One text as long as nothing changes, so that pages share their answer.
  expect((await callOk(server, getEvent, { params })).offer).toBe(offer);
  server.clock.advance(600_000);
  const held = await holdSeats(server, { count: 3 });
  const later = (await callOk(server, getEvent, { params })).offer;
  const [turn, signature] = later.split('.');
  const ofOther = (await callOk(server, getEvent, { params: { eventId: feeEvent } })).offer;
  for (const other of [later, `${until - 1}.${signature}`, `${turn}.x`, ofOther, 'x', undefined])
    expect(await book(server, held, 6_400, other)).toMatchObject({
      status: 409,
      body: { code: 'total_changed', detail: { total_cents: 9_600 } },
    });
  expect((await book(server, held, 6_400, offer)).status).toBe(200);
  const [line] = await server.house.ctx.db('order_lines');
  expect(JSON.parse(line.price_reasons)[0].rule_id).toBe(id);
  server.clock.advance(700_000);
  const late = await holdSeats(server, { count: 3, nth: 2 });
  expect(await book(server, late, 6_400, offer)).toMatchObject({ body: { code: 'total_changed' } });
});

it('an offer keeps a rule that the office ended, and one that came later is not forced on it', async (server) => {
  const id = await addRule(server, threeForTwo);
  const { offer } = await callOk(server, getEvent, { params });
  server.clock.advance(1_000);
  await endRule(server, id);
  await addRule(server, couple);
  server.clock.advance(1_000);
  const held = await holdSeats(server, { count: 3 });
  expect((await book(server, held, 6_400, offer)).status).toBe(200);
});
