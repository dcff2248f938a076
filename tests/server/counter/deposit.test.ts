/** Part payments of a reservation: money of their day, and what becomes of them when it ends unpaid. */
import { expect } from 'vitest';
import {
  changeTills,
  collectReservation,
  dropReservation,
  listReservations,
  makeSale,
  readCounter,
  takeDeposit,
} from '#server/contract/counter.ts';
import { addressOf, type Asked } from '#server/contract/endpoint.ts';
import { listHandBacks } from '#server/contract/hand-back.ts';
import { getOrder, listOrders, readOrder } from '#server/contract/order/orders.ts';
import { cancelEvent, settleRefund } from '#server/contract/order/refunds.ts';
import { readReport } from '#server/contract/reports.ts';
import { closeShift, readShift } from '#server/contract/shifts.ts';
import { readSummary } from '#server/contract/summaries.ts';
import type { DepositEnd } from '#server/domain/order/payment.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import {
  newSaleKey,
  openDrawer,
  sellAtCounter,
  till,
  type Seller,
} from '#tests/support/counter.ts';
import {
  ask,
  aRefusal,
  callOk,
  demoEvent,
  findSeats,
  holdObjects,
  makeHoldToken,
} from '#tests/support/make.ts';
import { expectSoundBooks, feeEvent } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';
import { passUndo } from '#tests/support/undo.ts';

type Payments = Asked<typeof takeDeposit>['body']['payments'];

const hour = 3_600_000;
const cash = (amount_cents: number) => [{ method: 'cash' as const, amount_cents }];
const twoTills = {
  version: 0,
  gifts_per_event: 10,
  tills: [till, 'cassa-2'].map((id) => ({ id, name: id, layout: '80mm' as const, printer: null })),
};
const dayOf = (server: TestServer) => dayText(romeDay(server.clock.now()));
const inHours = (server: TestServer, hours: number) =>
  new Date(server.clock.now() + hours * hour).toISOString();

/** Two seats for 64 euros, 20 of them paid. */
async function reserve(server: TestServer, seller: Seller, deposit: Payments = cash(2_000)) {
  const reservation = { pay_by: inHours(server, 2), deposit };
  return sellAtCounter(server, seller, { reservation });
}

async function houseRule(server: TestServer, admin: Seller, deposit_end: DepositEnd) {
  const { settings } = await callOk(server, readCounter, {}, admin);
  return callOk(server, changeTills, { body: { ...settings, deposit_end } }, admin);
}

const add = (key: string, payments: Payments) => ({ deposit_key: key, payments });

async function tryTo(
  server: TestServer,
  endpoint: typeof takeDeposit | typeof collectReservation,
  [order_id, body, who]: [string, object, Seller],
) {
  const path = addressOf(endpoint, { orderId: order_id });
  return ask(server, endpoint.method, path, { body, headers: who });
}

/** Rows of one figure of the money report, by column. */
async function moneyOn(server: TestServer, who: Seller, query: object, figure: string) {
  const asked = { params: { report: 'money' as const }, query };
  const { figures } = await callOk(server, readReport, asked, who);
  const { columns, rows } = figures.find(({ id }) => id === figure)!;
  return rows.map((row) => Object.fromEntries(columns.map(({ key }, at) => [key, row[at]])));
}

test('two parts and the rest, on two days, are in the drawer and the reports of their days', async (server, admin) => {
  const { db } = server.house.ctx;
  const { shift_id } = await openDrawer(server, admin);
  const sale = await sellAtCounter(server, admin, {
    reservation: {
      pay_by: inHours(server, 48),
      deposit: [{ method: 'cash', amount_cents: 2_000, given_cents: 5_000 }],
    },
  });
  expect(sale).toMatchObject({ state: 'awaiting_payment', paid_cents: 2_000, change_cents: 3_000 });
  const params = { orderId: sale.order_id };
  const key = newSaleKey();
  const more = add(key, [{ method: 'pos', amount_cents: 1_000 }]);
  server.house.ctx.fault = (point) => {
    if (point === 'deposit_taken') throw new Error('died');
  };
  // The answer is lost; the same key again takes nothing more.
  expect((await tryTo(server, takeDeposit, [sale.order_id, more, admin])).status).toBe(500);
  server.house.ctx.fault = () => {};
  server.logged.length = 0;
  expect(await callOk(server, takeDeposit, { params, body: more }, admin)).toMatchObject({
    paid_cents: 3_000,
    change_cents: 0,
    replayed: true,
  });
  for (const wrong of [0, 3_400, 9_900])
    expect(
      await tryTo(server, takeDeposit, [sale.order_id, add(newSaleKey(), cash(wrong)), admin]),
    ).toMatchObject(aRefusal(422, 'deposit_wrong'));
  const whole = await tryTo(server, collectReservation, [
    sale.order_id,
    { payments: cash(6_400) },
    admin,
  ]);
  expect(whole).toMatchObject(aRefusal(422, 'payment_wrong'));
  const [listed] = (await callOk(server, listReservations, { query: {} }, admin)).items;
  expect(listed).toMatchObject({ total_cents: 6_400, paid_cents: 3_000 });
  const page = await callOk(server, getOrder, { params });
  expect(page).toMatchObject({ paid_cents: 3_000, deposit_end: 'returned', tickets: [] });
  const withDeposit = await callOk(server, listOrders, { query: { money: 'deposit' } }, admin);
  expect(withDeposit.items.map(({ number }) => number)).toEqual([sale.number]);
  const first = dayOf(server);
  const { report } = await callOk(server, readShift, { params: { shiftId: shift_id } }, admin);
  expect(report).toMatchObject({ cash_sales_cents: 2_000, expected_cents: 12_000 });
  const pieces = { '10000': 1, '2000': 1 };
  await callOk(server, closeShift, { body: { pieces, expected_cents: 12_000 } }, admin);
  await expectSoundBooks(server);

  server.clock.advance(24 * hour);
  const office = await asRole(server, 'office');
  await openDrawer(server, office);
  const payments = [
    { method: 'cash' as const, amount_cents: 1_400, given_cents: 2_000 },
    { method: 'pos' as const, amount_cents: 2_000 },
  ];
  expect(
    await callOk(server, collectReservation, { params, body: { payments } }, office),
  ).toMatchObject({ state: 'confirmed', paid_cents: 6_400, change_cents: 600 });
  const file = await callOk(server, readOrder, { params }, office);
  expect(file).toMatchObject({ money: 'paid', paid_by: 'manual' });
  const told = file.timeline.flatMap(({ action, detail }) =>
    action === 'deposit_taken' ? [detail] : [],
  );
  expect(told).toMatchObject([
    { amount_cents: 1_000, rest_cents: 3_400 },
    { amount_cents: 2_000, rest_cents: 4_400 },
  ]);
  const rows: { method: string; amount_cents: number }[] = await db('payments').orderBy('paid_at');
  expect(rows.map(({ method, amount_cents }) => [method, amount_cents])).toEqual([
    ['cash', 2_000],
    ['pos', 1_000],
    ['cash', 1_400],
    ['pos', 2_000],
  ]);
  const second = dayOf(server);
  for (const [day, gross] of [
    [first, 3_000],
    [second, 3_400],
  ] as const) {
    const span = { from: day, to: day };
    expect(await moneyOn(server, office, span, 'sums')).toMatchObject([{ gross, refunded: 0 }]);
    const summary = await callOk(server, readSummary, { query: span }, office);
    expect(summary.total).toMatchObject({ gross_cents: gross, refunded_cents: 0 });
  }
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

test('the first cents of an order pay its surcharges, and no past day changes when the rest comes', async (server, admin) => {
  await openDrawer(server, admin);
  const hold_token = await makeHoldToken(server);
  const selected_objects = (await findSeats(server)).map((object_id) => ({
    object_id,
    ticket_type: 'intero',
  }));
  await holdObjects(server, hold_token, selected_objects, feeEvent);
  const { order_id } = await callOk(
    server,
    makeSale,
    {
      body: {
        sale_key: newSaleKey(),
        event_id: feeEvent,
        hold_token,
        selected_objects,
        expected_cents: 5_900,
        reservation: { pay_by: inHours(server, 48), deposit: cash(200) },
      },
    },
    admin,
  );
  const first = dayOf(server);
  const feesOn = async (day: string, who: Seller) => {
    const span = { from: day, to: day };
    const { total } = await callOk(server, readSummary, { query: span }, who);
    const [sums] = await moneyOn(server, who, span, 'sums');
    return [total.gross_cents, total.fees_cents, sums!['gross'], sums!['presale']];
  };
  expect(await feesOn(first, admin)).toEqual([200, 200, 200, 200]);
  server.clock.advance(24 * hour);
  const office = await asRole(server, 'office');
  await callOk(server, changeTills, { body: twoTills }, await asRole(server, 'admin'));
  await openDrawer(server, office, 'cassa-2');
  const body = { payments: cash(5_700) };
  await callOk(server, collectReservation, { params: { orderId: order_id }, body }, office);
  expect(await feesOn(first, office)).toEqual([200, 200, 200, 200]);
  expect(await feesOn(dayOf(server), office)).toEqual([5_700, 100, 5_700, 100]);
  await expectSoundBooks(server);
});

test('where the house keeps deposits, a lapsed one is its money, beside the takings and without VAT', async (server, admin) => {
  const { db } = server.house.ctx;
  await openDrawer(server, admin);
  const promised = await reserve(server, admin);
  await houseRule(server, admin, 'kept');
  const kept = await reserve(server, admin, [{ method: 'pos', amount_cents: 1_500 }]);
  const later = add(newSaleKey(), cash(1_000));
  await callOk(server, takeDeposit, { params: { orderId: promised.order_id }, body: later }, admin);
  server.clock.advance(3 * hour);
  await server.runDue();
  const rows = await db('refunds').orderBy('amount_cents');
  // The rule of the first part holds for the order.
  expect(rows).toMatchObject([
    { order_id: kept.order_id, kind: 'kept', state: 'succeeded', amount_cents: 1_500 },
    { order_id: promised.order_id, kind: 'manual', state: 'requested', amount_cents: 3_000 },
  ]);
  const [sums] = await moneyOn(server, admin, { event_id: demoEvent }, 'sums');
  expect(sums).toMatchObject({ gross: 4_500, left: 1_500, refunded: 3_000, net: 1_500 });
  const day = dayOf(server);
  const { total } = await callOk(server, readSummary, { query: { from: day, to: day } }, admin);
  expect(total).toMatchObject({
    given: { kept: 1_500 },
    tickets_cents: 0,
    tickets_vat_cents: 0,
  });
  const params = { orderId: kept.order_id };
  expect(await callOk(server, getOrder, { params })).toMatchObject({
    end_reason: 'reservation_expired',
    deposit_end: 'kept',
  });
  const { timeline } = await callOk(server, readOrder, { params }, admin);
  expect(timeline.map(({ action }) => action)).toContain('deposit_kept');
  expect(await db('mails')).toEqual([]);
  await expectSoundBooks(server);
});

test('what goes back is handed over out of a drawer, and a cancelled evening always gives back', async (server, admin) => {
  const { db } = server.house.ctx;
  const { shift_id } = await openDrawer(server, admin);
  const dropped = await reserve(server, admin);
  await houseRule(server, admin, 'kept');
  const cancelled = await reserve(server, admin);
  await callOk(server, dropReservation, { params: { orderId: dropped.order_id } }, admin);
  const ending = { reason: 'Malattia', expected_cents: 0, expected_orders: 0 };
  const params = { eventId: demoEvent };
  await callOk(server, cancelEvent, { params, body: ending }, admin);
  await passUndo(server);
  const late = await tryTo(server, takeDeposit, [
    cancelled.order_id,
    add(newSaleKey(), cash(1_000)),
    admin,
  ]);
  expect(late).toMatchObject(aRefusal(409, 'order_not_reserved'));
  const { items } = await callOk(server, listHandBacks, { params }, admin);
  expect(items.map(({ order_id, amount_cents }) => [order_id, amount_cents]).toSorted()).toEqual(
    [dropped, cancelled].map(({ order_id }) => [order_id, 2_000]).toSorted(),
  );
  for (const { refund_id, ways } of items) {
    expect(ways).toMatchObject([{ method: 'cash', amount_cents: 2_000 }]);
    const body = { decision: 'handed_back' as const };
    await callOk(server, settleRefund, { params: { refundId: refund_id }, body }, admin);
  }
  const { report } = await callOk(server, readShift, { params: { shiftId: shift_id } }, admin);
  expect(report).toMatchObject({ cash_sales_cents: 4_000, cash_refunds_cents: 4_000 });
  expect(await db('orders').select('state', 'refunded_cents')).toEqual(
    [0, 1].map(() => ({ state: 'deleted', refunded_cents: 2_000 })),
  );
  await expectSoundBooks(server);
});

test('of the end of a reservation and its rest at the same moment one wins, and no money is lost', async (server, admin) => {
  const { db } = server.house.ctx;
  await openDrawer(server, admin);
  for (const order of ['lapse first', 'rest first']) {
    const { order_id } = await reserve(server, admin);
    server.clock.advance(2 * hour + 1);
    const rest = () =>
      tryTo(server, collectReservation, [order_id, { payments: cash(4_400) }, admin]);
    const both = [() => server.runDue(), rest];
    await Promise.all((order === 'lapse first' ? both : both.toReversed()).map((run) => run()));
    await server.runDue();
    const { state, paid_cents, refunded_cents } = await db('orders')
      .where({ id: order_id })
      .first();
    expect([
      ['confirmed', 6_400, 0],
      ['deleted', 2_000, 2_000],
    ]).toContainEqual([state, paid_cents, refunded_cents]);
  }
  await expectSoundBooks(server);
});
