/** Cambio di sala for those whom the new hall has no place for: marked, refunded with the run, and nobody by a run that is called off. */
import { expect } from 'vitest';
import { listHandBacks } from '#server/contract/hand-back.ts';
import { askRefund } from '#server/contract/order/refunds.ts';
import {
  callOffRehousing,
  markForRefund,
  readRehousing,
  seatByHand,
  solveRehousing,
} from '#server/contract/rehousings.ts';
import { composeMail } from '#server/services/mail/compose.ts';
import { testOnBoth as it, testOnSqlite as test } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { aRefusal, ask, callOk, demoEvent, makeOrder, payOrder } from '#tests/support/make.ts';
import { makeSold, soldOf, type Office } from '#tests/support/move.ts';
import { expectSoundBooks, refundRows, setPolicy } from '#tests/support/refunds.ts';
import {
  expectRehoused,
  finish,
  hallOf,
  openOne,
  propose,
  type Plan,
} from '#tests/support/rehousing.ts';
import type { TestServer } from '#tests/support/server.ts';

const newHall = 'sala-nera';

const linesOf = (plan: Plan, order_id: string) =>
  plan.groups.find((group) => group.order_id === order_id)!.lines.map(({ line_id }) => line_id);

/** The new hall has no place for these orders. */
async function leaveOut(server: TestServer, office: Office, orders: readonly string[]) {
  const plan = await propose(server, office, newHall);
  const lines = orders.flatMap((id) =>
    linesOf(plan, id).map((line_id) => ({ line_id, object: null })),
  );
  const body = { version: plan.version, locked: false, lines };
  return callOk(server, seatByHand, { params: hallOf, body }, office);
}

function mark(server: TestServer, office: Office, plan: Plan, orders: readonly string[]) {
  const line_ids = orders.flatMap((id) => linesOf(plan, id));
  const body = { version: plan.version, marked: true, line_ids };
  return callOk(server, markForRefund, { params: hallOf, body }, office);
}

const begin = (server: TestServer, office: Office, { version, counts }: Plan, cents?: number) =>
  ask(server, 'POST', `/api/admin/events/${demoEvent}/rehousing/start`, {
    headers: office,
    body: {
      version,
      refunds: false,
      mails: counts.mails,
      lost: counts.lost_without,
      refunded: counts.refunded,
      refunded_cents: cents ?? counts.refunded_cents,
    },
  });

it('each is placed or marked: a card, cash and an unpaid order are left out, and the run refunds, lists and ends them', async (server, office) => {
  const { ctx } = server.house;
  await openDrawer(server, office);
  const card = await makeSold(server, { count: 2 });
  const cash = await sellAtCounter(server, office, { nth: 1 });
  const unpaid = await makeOrder(server, { event: demoEvent, count: 2, nth: 2 });
  const placed = await makeSold(server, { count: 2, nth: 3, email: 'bruno@example.it' });
  const out = [card.order_id, cash.order_id, unpaid.order_id];
  const open = await leaveOut(server, office, out);
  expect(open.counts).toMatchObject({ unplaced: 6, refunded: 0 });
  expect((await begin(server, office, open)).body).toMatchObject(
    aRefusal(422, 'rehousing_unplaced', { tickets: 6 }).body,
  );
  const plan = await mark(server, office, open, out);
  const paid = await ctx.db('orders').where({ id: card.order_id }).first();
  expect(plan.counts).toMatchObject({
    unplaced: 0,
    refunded: 6,
    refunded_unpaid: 2,
    refunded_cents: paid.paid_cents + 6_400,
    by_hand_cents: 6_400,
  });
  expect((await begin(server, office, plan, 1)).body).toMatchObject({
    code: 'rehousing_refunds',
    detail: { tickets: 6 },
  });
  let deaths = 0;
  ctx.fault = (point) => {
    if (point !== 'rehousing_committed' || deaths > 0) return;
    deaths += 1;
    throw new Error('died after the book had moved');
  };
  expect((await begin(server, office, plan)).status).toBe(200);
  await server.runDue();
  expect(await ctx.db('refunds')).toEqual([]);
  await finish(server);
  for (let at = 0; at < 4; at += 1) {
    server.clock.advance(60_000);
    await server.runDue();
  }
  expect(deaths).toBe(1);
  expect(await refundRows(server, card.order_id)).toMatchObject([
    { origin: 'rehoused', kind: 'stripe', state: 'succeeded', amount_cents: paid.paid_cents },
  ]);
  expect(await refundRows(server, cash.order_id)).toMatchObject([
    { origin: 'rehoused', kind: 'manual', state: 'requested', amount_cents: 6_400 },
  ]);
  const { items } = await callOk(server, listHandBacks, { params: hallOf }, office);
  expect(items.map(({ order_id }) => order_id)).toEqual([cash.order_id]);
  expect(await ctx.db('orders').where({ id: unpaid.order_id }).first()).toMatchObject({
    state: 'deleted',
    end_reason: 'no_place_in_hall',
  });
  expect(await ctx.db('tickets').where({ state: 'valid' }).distinct().pluck('order_id')).toEqual([
    placed.order_id,
  ]);
  const mail = await ctx.db('mails').where({ kind: 'refunded', order_id: card.order_id }).first();
  expect(JSON.stringify(await composeMail(ctx, mail))).toContain(
    'non abbiamo posti adatti per voi',
  );
  const again = { expected_cents: 6_400, ticket_ids: card.tickets };
  const refused = await ask(server, 'POST', `/api/orders/${card.order_id}/refunds`, {
    body: again,
  });
  expect(refused.status).toBe(422);
  const { last } = await callOk(server, readRehousing, { params: hallOf }, office);
  expect(last!.refunded.map(({ order_id, by_hand_cents }) => [order_id, by_hand_cents])).toEqual(
    expect.arrayContaining([
      [card.order_id, 0],
      [cash.order_id, 6_400],
    ]),
  );
  await expectRehoused(server);
});

test('a run that is called off refunds nobody, keeps the marks, and the office may think again', async (server, office) => {
  const pair = await makeSold(server, { count: 2 });
  await makeSold(server, { count: 2, nth: 1, email: 'bruno@example.it' });
  const plan = await mark(server, office, await leaveOut(server, office, [pair.order_id]), [
    pair.order_id,
  ]);
  expect((await begin(server, office, plan)).status).toBe(200);
  await server.runDue();
  await callOk(server, callOffRehousing, { params: hallOf }, office);
  await server.runDue();
  expect(await server.house.ctx.db('refunds')).toEqual([]);
  expect(await soldOf(server, pair.order_id)).toEqual(pair);
  const back = (await openOne(server, office))!;
  expect(back.counts).toMatchObject({ refunded: 2, unplaced: 0 });
  // The marks stay when the rest is solved again, and go when they are taken away.
  const solved = await callOk(
    server,
    solveRehousing,
    { params: hallOf, body: { version: back.version, first: 'earlier' } },
    office,
  );
  expect(solved).toMatchObject({ placed_first: 'earlier', counts: { refunded: 2 } });
  const body = {
    version: solved.version,
    marked: false,
    line_ids: linesOf(solved, pair.order_id),
  };
  const freed = await callOk(server, markForRefund, { params: hallOf, body }, office);
  expect(freed.counts).toMatchObject({ refunded: 0, unplaced: 2 });
  await expectSoundBooks(server);
});

it('a marked order that is paid in time, or whose buyer asked for the money, gets it once', async (server, office) => {
  const { ctx } = server.house;
  await setPolicy(
    server,
    { refund_request: 'office', refund_days: 30, refund_stop_days: 0 },
    demoEvent,
  );
  const wishes = await makeSold(server, { count: 2 });
  const paying = await makeOrder(server, { event: demoEvent, count: 2, nth: 2 });
  await makeSold(server, { count: 2, nth: 3, email: 'bruno@example.it' });
  const out = [wishes.order_id, paying.order_id];
  const plan = await mark(server, office, await leaveOut(server, office, out), out);
  expect((await begin(server, office, plan)).status).toBe(200);
  await server.runDue();
  await payOrder(server, paying.checkout_url);
  const quote = await ask(server, 'GET', `/api/orders/${wishes.order_id}/refund_quote`);
  const { amount_cents: expected_cents } = quote.body as { amount_cents: number };
  const wish = { ticket_ids: wishes.tickets, expected_cents };
  await callOk(server, askRefund, { params: { orderId: wishes.order_id }, body: wish });
  await finish(server);
  for (let at = 0; at < 3; at += 1) {
    server.clock.advance(60_000);
    await server.runDue();
  }
  for (const id of out) {
    const { paid_cents, refunded_cents } = await ctx.db('orders').where({ id }).first();
    expect([id, refunded_cents]).toEqual([id, paid_cents]);
  }
  const states = (await refundRows(server, wishes.order_id)).map(({ state, failure }) => [
    state,
    failure,
  ]);
  expect(states).toEqual([
    ['canceled', 'left_out'],
    ['succeeded', null],
  ]);
  await expectRehoused(server);
});
