/** The closing of a day: counted blind, recounted by SQL, signed once, and corrected by another sheet. */
import { expect } from 'vitest';
import { changeTills } from '#server/contract/counter.ts';
import {
  countDaySheet,
  downloadDaySheet,
  exportDaySheet,
  listDays,
  readDaySheet,
  signDaySheet,
} from '#server/contract/days.ts';
import { addressOf, type Asked } from '#server/contract/endpoint.ts';
import { makeRefund, quoteRefund } from '#server/contract/order/refunds.ts';
import { closeShift, moveCash, readShift } from '#server/contract/shifts.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter, till, type Seller } from '#tests/support/counter.ts';
import { exchangeAtTill } from '#tests/support/exchange.ts';
import { ask, callOk } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { makePaid, refundByOffice } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

const todayOf = (server: TestServer) => dayText(romeDay(server.clock.now()));

/** Counts the drawer of a shift as it should be, or a little more. */
async function close(server: TestServer, seller: Seller, shift_id: string, more = 0) {
  const office = await asRole(server, 'office');
  const { report } = await callOk(server, readShift, { params: { shiftId: shift_id } }, office);
  const expected_cents = report.expected_cents!;
  const body = {
    shift_id,
    pieces: {
      '1': expected_cents % 10_000,
      '10000': 0,
      '100': more / 100,
      '5000': 2 * Math.floor(expected_cents / 10_000),
    },
    expected_cents,
    ...(more > 0 && { difference_reason: 'Un resto dimenticato' }),
  };
  return callOk(server, closeShift, { body }, seller);
}

/** Half in cash and half by card goes back in both ways. */
async function giveHalfBack(server: TestServer, office: Seller, order_id: string) {
  const params = { orderId: order_id };
  const query = { amount_cents: '3200' };
  const quote = await callOk(server, quoteRefund, { params, query }, office);
  const body = {
    amount_cents: 3_200,
    expected_cents: quote.amount_cents,
    expected_left_cents: quote.left_cents,
    handed_back: true,
    reason: 'Ha sbagliato sera',
  };
  return callOk(server, makeRefund, { params, body }, office);
}

const cashOf = (day: { counted: { reckoning: { cash: { expected_cents: number } } } | null }) =>
  day.counted!.reckoning.cash.expected_cents;

async function tryTo(
  server: TestServer,
  endpoint: typeof signDaySheet | typeof countDaySheet,
  body: object,
  who: Seller,
) {
  const path = addressOf(endpoint);
  return (await ask(server, endpoint.method, path, { body, headers: who })).body;
}

test('two tills, parts in two ways, an exchange and what was paid online are one sheet, and SQL counts the same', async (server, admin) => {
  const { db } = server.house.ctx;
  const tills = [till, 'cassa-2'].map((id) => ({
    id,
    name: id,
    layout: '80mm' as const,
    printer: null,
  }));
  await callOk(server, changeTills, { body: { version: 0, gifts_per_event: 10, tills } }, admin);
  const cashier = await asRole(server, 'cassa');
  const mine = await openDrawer(server, admin);
  const theirs = await openDrawer(server, cashier, 'cassa-2');
  const mixed = await sellAtCounter(server, admin, {
    payments: [
      { method: 'cash', amount_cents: 3_200 },
      { method: 'pos', amount_cents: 3_200 },
    ],
  });
  await giveHalfBack(server, admin, mixed.order_id);
  const sold = await sellAtCounter(server, cashier, { nth: 3 });
  const { exchange } = await exchangeAtTill(server, cashier, {
    order_id: sold.order_id,
    total_cents: 5_900,
  });
  const move = { amount_cents: -1_000, reason: 'Per la cassaforte' };
  await callOk(server, moveCash, { body: move }, cashier);
  const paid = await makePaid(server, { nth: 9 });
  await refundByOffice(server, admin, paid);

  const day = todayOf(server);
  const count: Asked<typeof countDaySheet>['body'] = {
    day,
    pieces: { '5000': 1, '2000': 1 },
    left_cents: 20_000,
    terminals: { [mine.shift_id]: 1_600 },
  };
  expect(await tryTo(server, countDaySheet, count, admin)).toMatchObject({
    code: 'day_shift_open',
  });
  await close(server, admin, mine.shift_id);
  await close(server, cashier, theirs.shift_id, 100);

  const before = await callOk(server, readDaySheet, { query: { day } }, admin);
  expect(before).toMatchObject({ counted: null, signed: [], float_cents: 20_000 });
  expect(JSON.stringify(before)).not.toMatch(/expected_cents|counted_cents/);

  const counted = await callOk(server, countDaySheet, { body: count }, admin);
  const sum = async (table: string, where: object) =>
    Number((await db(table).where(where).sum({ n: 'amount_cents' }))[0]!.n ?? 0);
  const shifts: string[] = await db('shifts').pluck('id');
  const inTills = async (table: string, method: string) => {
    let total = 0;
    for (const shift_id of shifts) total += await sum(table, { shift_id, method });
    return total;
  };
  const net = async (method: string) =>
    (await inTills('payments', method)) -
    (await inTills('refunds', method)) -
    (await inTills('refund_parts', method));
  const online =
    (await sum('payments', { kind: 'stripe' })) - (await sum('refunds', { kind: 'stripe' }));
  expect(await sum('payments', { kind: 'exchange' })).toBeGreaterThan(0);
  expect(counted.counted!.reckoning.takings).toEqual({
    cash_cents: await net('cash'),
    pos_cents: await net('pos'),
    outside_cents: 0,
    online_cents: online,
    total_cents: (await net('cash')) + (await net('pos')) + online,
  });
  expect(await net('pos')).toBe(1_600);
  expect(await net('cash')).toBe(1_600 + 6_400 - exchange!.back_cents);
  const expected = (await net('cash')) - 1_000;
  expect(counted.counted!.reckoning).toMatchObject({
    cash: {
      expected_cents: expected,
      found_cents: expected + 100,
      banked_cents: 7_000,
      difference_cents: 7_000 - expected,
    },
    pos: { expected_cents: 1_600, typed_cents: 1_600, difference_cents: 0 },
  });
  expect(counted.counted!.figures.online).toMatchObject({ payments: 1, refunds: 1 });
});

test('a day is signed once, with a reason for what differs, and a correction names the sheet before', async (server, admin) => {
  const { shift_id } = await openDrawer(server, admin);
  await sellAtCounter(server, admin);
  await close(server, admin, shift_id);
  const day = todayOf(server);
  const count = { day, pieces: { '5000': 1 }, left_cents: 10_000, terminals: {} };
  const hand = { day, expected: { cash_cents: 6_400, pos_cents: 0 }, handed_to: 'Rita Bianchi' };
  expect(await tryTo(server, signDaySheet, hand, admin)).toMatchObject({ code: 'day_not_counted' });
  const stranger = { ...count, terminals: { another: 1 } };
  expect(await tryTo(server, countDaySheet, stranger, admin)).toMatchObject({
    code: 'bad_request',
  });
  const far = { ...count, day: '2099-01-01' };
  expect(await tryTo(server, countDaySheet, far, admin)).toMatchObject({ code: 'day_ahead' });
  expect(cashOf(await callOk(server, countDaySheet, { body: count }, admin))).toBe(6_400);
  // Counted once more before it is signed: still the first sheet.
  await callOk(server, countDaySheet, { body: count }, admin);
  const off = { ...hand, expected: { cash_cents: 6_300, pos_cents: 0 } };
  expect(await tryTo(server, signDaySheet, off, admin)).toMatchObject({ code: 'day_changed' });
  expect(await tryTo(server, signDaySheet, hand, admin)).toMatchObject({ code: 'day_unexplained' });
  const why = { ...hand, difference_reason: 'Manca un pezzo da dieci' };
  const first = await callOk(server, signDaySheet, { body: why }, admin);
  expect(first).toMatchObject({
    counted: null,
    changed: false,
    signed: [{ nth: 1, corrects: null, handed_to: 'Rita Bianchi' }],
  });

  expect(await tryTo(server, signDaySheet, why, admin)).toMatchObject({ code: 'day_not_counted' });
  expect(await tryTo(server, countDaySheet, count, admin)).toMatchObject({ code: 'day_signed' });
  await makePaid(server, { nth: 9 });
  const later = await callOk(server, readDaySheet, { query: { day } }, admin);
  expect(later).toMatchObject({ changed: true, signed: first.signed });

  const whole = { ...count, pieces: { '5000': 1, '200': 7 }, corrects: 1 };
  await callOk(server, countDaySheet, { body: whole }, admin);
  const second = await callOk(server, signDaySheet, { body: hand }, admin);
  expect(second.signed).toMatchObject([
    { nth: 2, corrects: 1, difference_reason: null },
    first.signed[0],
  ]);
  const { items } = await callOk(server, listDays, {}, admin);
  expect(items).toMatchObject([{ day, shifts: 1, open_shifts: 0, sheet: { nth: 2 } }]);
  const told = await server.house.ctx.db('audit').where({ subject: day }).orderBy('at');
  expect(told.map(({ action }) => action).toSorted()).toEqual([
    'day_counted',
    'day_counted',
    'day_counted',
    'day_signed',
    'day_signed',
  ]);
});

it('the sheet is a paper with two lines to sign and a file, and only the office has it', async (server, admin) => {
  const { shift_id } = await openDrawer(server, admin);
  await sellAtCounter(server, admin);
  await close(server, admin, shift_id);
  const day = todayOf(server);
  const count = { day, pieces: { '5000': 1, '200': 7 }, left_cents: 10_000, terminals: {} };
  await callOk(server, countDaySheet, { body: count }, admin);
  const hand = { day, expected: { cash_cents: 6_400, pos_cents: 0 }, handed_to: 'Rita Bianchi' };
  await callOk(server, signDaySheet, { body: hand }, admin);

  const fetchFile = (address: string) => fetch(server.url + address, { headers: admin });
  const paper = await fetchFile(addressOf(downloadDaySheet, {}, { day, nth: '1' }));
  const { pages } = readPdf(Buffer.from(await paper.arrayBuffer()));
  const text = pages.flatMap(({ lines }) => lines).join('\n');
  for (const words of ['Chiusura di giornata', 'Rita Bianchi', 'Ricevuto per la banca', 'Cassa 1'])
    expect(text).toContain(words);
  const file = await fetchFile(addressOf(exportDaySheet, {}, { day, nth: '1' }));
  expect(await file.text()).toContain('Contato per la banca;64,00');
  const none = await fetchFile(addressOf(exportDaySheet, {}, { day, nth: '2' }));
  expect(await none.json()).toMatchObject({ code: 'day_sheet_not_found' });
  for (const role of ['cassa', 'viewer', 'door'] as const)
    expect(await tryTo(server, countDaySheet, count, await asRole(server, role))).toMatchObject({
      code: 'not_allowed',
    });
});
