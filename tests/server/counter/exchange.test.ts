/** Exchange of tickets for another date at the till: dearer, cheaper, equal; and what ends it. */
import { expect } from 'vitest';
import { changeTills, makeSale, readCounter } from '#server/contract/counter.ts';
import { listOrders, readOrder } from '#server/contract/order/orders.ts';
import { moneyRows } from '#db/report/money.ts';
import { endedCodesOn } from '#db/seat/ended-codes.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter, type Seller } from '#tests/support/counter.ts';
import { exchangeAtTill, exchangeBody, quoteOf } from '#tests/support/exchange.ts';
import { ask, callOk, demoEvent } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  refundByOffice,
  refundRows,
  stateOf,
} from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

/** Two seats of the new evening, with their presale fee. */
const newTotal = 5_900;

/** Two tickets that cost so much, in cash. */
async function soldFor(server: TestServer, seller: Seller, cents: number) {
  return sellAtCounter(server, seller, {
    ...(cents < 6_400 && { by_hand: { total_cents: cents, reason: 'Convenzione scuole' } }),
    expected_cents: cents,
    payments: [{ method: 'cash', amount_cents: cents }],
    buyer: { name: 'Ada Neri', email: 'ada@example.it' },
  });
}

async function drawerOf(server: TestServer, seller: Seller) {
  const { shift } = await callOk(server, readCounter, {}, seller);
  return shift!.report.expected_cents;
}

async function moneyOf(server: TestServer, event_id: string) {
  const { payments, refunds } = await moneyRows(server.house.ctx.db, event_id);
  const sum = (rows: readonly { amount_cents: number }[]) =>
    rows.reduce((all, { amount_cents }) => all + amount_cents, 0);
  return sum(payments) - sum(refunds);
}

test('tickets for a dearer evening: the difference is paid, and the old ones end', async (server, admin) => {
  await openDrawer(server, admin);
  const old = await soldFor(server, admin, 5_000);
  const sale = await exchangeAtTill(server, admin, {
    order_id: old.order_id,
    total_cents: newTotal,
  });
  expect(sale).toMatchObject({
    state: 'confirmed',
    total_cents: newTotal,
    exchange: { credit_cents: 5_000, due_cents: 900, back_cents: 0, back: null },
  });
  expect(await stateOf(server, old)).toMatchObject({
    state: 'confirmed',
    paid_cents: 5_000,
    refunded_cents: 5_000,
    tickets: ['refunded', 'refunded'],
    refunds: ['succeeded'],
    mails: [],
  });
  expect(await stateOf(server, sale)).toMatchObject({
    paid_cents: newTotal,
    refunded_cents: 0,
    tickets: ['valid', 'valid'],
  });
  await server.runDue();
  // The drawer has the old price and the difference, as the money of the day has.
  expect(await drawerOf(server, admin)).toBe(10_000 + 5_000 + 900);
  expect([await moneyOf(server, demoEvent), await moneyOf(server, feeEvent)]).toEqual([5_000, 900]);
  const { db } = server.house.ctx;
  const ended = await endedCodesOn(db, demoEvent);
  expect(ended.map(({ why, to_event_id }) => [why, to_event_id])).toEqual([
    ['exchanged', feeEvent],
    ['exchanged', feeEvent],
  ]);
  const [mine, theirs] = await Promise.all(
    [old, sale].map(({ order_id }) =>
      callOk(server, readOrder, { params: { orderId: order_id } }, admin),
    ),
  );
  expect(mine!.exchanges).toMatchObject([
    { state: 'done', side: 'given', credit_cents: 5_000, other: { number: sale.number } },
  ]);
  expect(theirs!.exchanges).toMatchObject([
    { state: 'done', side: 'got', other: { number: old.number } },
  ]);
  expect(theirs!.exchanges[0]!.seats).toHaveLength(2);
  await expectSoundBooks(server);
});

test('tickets for a cheaper evening: the rest goes back out of the seller’s drawer', async (server, admin) => {
  await openDrawer(server, admin);
  const old = await soldFor(server, admin, 6_400);
  expect(await quoteOf(server, admin, old)).toMatchObject({ worth_cents: 6_400, back: 'drawer' });
  const sale = await exchangeAtTill(server, admin, {
    order_id: old.order_id,
    total_cents: newTotal,
  });
  expect(sale.exchange).toMatchObject({
    credit_cents: newTotal,
    due_cents: 0,
    back_cents: 500,
    back: 'drawer',
  });
  expect(await stateOf(server, old)).toMatchObject({
    refunded_cents: 6_400,
    refunds: ['succeeded', 'succeeded'],
  });
  const paid = await server.house.ctx.db('orders').where({ id: sale.order_id }).first();
  expect(paid).toMatchObject({ paid_by: 'exchange', paid_cents: newTotal });
  for (const { number: q } of [old, sale]) {
    const { items } = await callOk(server, listOrders, { query: { q } }, admin);
    const found = items.map(({ order_id }) => order_id);
    expect(found.toSorted()).toEqual([old.order_id, sale.order_id].toSorted());
  }
  expect(await drawerOf(server, admin)).toBe(10_000 + newTotal);
  await server.runDue();
  await expectSoundBooks(server);
});

test('an equal exchange moves no money, and the same call again is the same sale', async (server, admin) => {
  await openDrawer(server, admin);
  const old = await soldFor(server, admin, newTotal);
  const body = await exchangeBody(server, admin, {
    order_id: old.order_id,
    total_cents: newTotal,
  });
  const sale = await callOk(server, makeSale, { body }, admin);
  const again = await callOk(server, makeSale, { body }, admin);
  expect(again).toMatchObject({ order_id: sale.order_id, replayed: true });
  expect(await drawerOf(server, admin)).toBe(10_000 + newTotal);
  expect(await refundRows(server, old.order_id)).toHaveLength(1);
  await expectSoundBooks(server);
});

test('tickets that were paid online give at the till what a return would, and the rest goes back at Stripe', async (server, admin) => {
  await openDrawer(server, admin);
  const old = await makePaid(server);
  const quote = await quoteOf(server, admin, old);
  expect(quote).toMatchObject({ worth_cents: 5_600, kept_fee_cents: 300, back: 'stripe' });
  const sale = await exchangeAtTill(server, admin, {
    order_id: old.order_id,
    ticket_ids: old.tickets,
    event_id: demoEvent,
    total_cents: 6_400,
  });
  expect(sale.exchange).toMatchObject({ credit_cents: 5_600, due_cents: 800 });
  await server.runDue();
  expect(await stateOf(server, old)).toMatchObject({ paid_cents: 5_900, refunded_cents: 5_600 });
  await expectSoundBooks(server);
});

test('a ticket that was given back meanwhile cannot be exchanged', async (server, admin) => {
  await openDrawer(server, admin);
  const old = await soldFor(server, admin, 6_400);
  const body = await exchangeBody(server, admin, {
    order_id: old.order_id,
    total_cents: newTotal,
  });
  const [first] = body.exchange!.ticket_ids;
  await refundByOffice(server, admin, old, { ticket_ids: [first!], handed_back: true });
  const refused = await ask(server, 'POST', makeSale.path, { body, headers: admin });
  expect(refused.body).toMatchObject({
    code: 'exchange_refused',
    detail: { reason: 'ticket_gone' },
  });
  expect(await server.house.ctx.db('exchanges').first()).toBeUndefined();
  await expectSoundBooks(server);
});

const twoTills = ['1', '2'].map((nth) => ({
  id: `cassa-${nth}`,
  name: `Cassa ${nth}`,
  layout: '80mm' as const,
  printer: null,
}));

it('a cashier leaves money of another drawer to the office', async (server, admin) => {
  const settings = { version: 0, gifts_per_event: 10, tills: twoTills };
  await callOk(server, changeTills, { body: settings }, admin);
  await openDrawer(server, admin);
  const old = await soldFor(server, admin, 6_400);
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, cashier, 'cassa-2');
  const sale = await exchangeAtTill(server, cashier, {
    order_id: old.order_id,
    total_cents: newTotal,
  });
  expect(sale.exchange).toMatchObject({ back_cents: 500, back: 'office' });
  const [rest] = (await refundRows(server, old.order_id)).filter(({ rest_of }) => rest_of !== null);
  expect(rest).toMatchObject({ state: 'requested', kind: 'manual', amount_cents: 500 });
  await expectSoundBooks(server);
});
