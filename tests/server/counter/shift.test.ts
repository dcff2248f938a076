/** Shifts at the tills: what should lie in the drawer, what was counted, and that nothing changes once it is closed. */
import { expect } from 'vitest';
import { makeSale, readCounter } from '#server/contract/counter.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { makeRefund, quoteRefund } from '#server/contract/order/refunds.ts';
import {
  closeShift,
  downloadShift,
  listShifts,
  moveCash,
  openShift,
  readShift,
} from '#server/contract/shifts.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer, saleBody, sellAtCounter, till } from '#tests/support/counter.ts';
import { aRefusal, ask, callOk } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

async function refusal(
  server: TestServer,
  endpoint: { method: string; path: string },
  body: unknown,
  headers: { cookie: string },
) {
  return (
    (await ask(server, endpoint.method, endpoint.path, { body, headers })).body as { code: string }
  ).code;
}

it('the office counts the drawer of whoever has gone home, and the till is free again; a cashier counts only the own one', async (server, admin) => {
  const { shift_id } = await openDrawer(server, admin);
  const [cashier, office] = [await asRole(server, 'cassa'), await asRole(server, 'office')];
  const opening = { till_id: till, float_cents: 0 };
  expect(await refusal(server, openShift, opening, cashier)).toBe('till_busy');
  const body = { shift_id, pieces: { 5000: 2 }, expected_cents: 10_000 };
  expect(await refusal(server, closeShift, body, cashier)).toBe('shift_not_found');
  // Though the clock was set back after a sale, the shift ends no earlier than that.
  await sellAtCounter(server, admin, { payments: [{ method: 'pos', amount_cents: 6_400 }] });
  server.clock.advance(-30_000);
  const closed = await callOk(server, closeShift, { body }, office);
  expect(closed).toMatchObject({ shift_id, counted_cents: 10_000 });
  expect(await refusal(server, closeShift, body, office)).toBe('shift_not_open');
  await callOk(server, openShift, { body: opening }, cashier);
  const { db } = server.house.ctx;
  const [{ paid_at }] = await db('payments').where({ shift_id });
  expect(await db('shifts').where({ id: shift_id }).pluck('closed_at')).toEqual([paid_at]);
  const [told] = await db('audit').where({ action: 'shift_closed' });
  expect(told).toMatchObject({ actor: 'user:office', subject: shift_id });
});

test('the reading counts float, sales, refunds and movements, and the closed shift keeps it', async (server, admin) => {
  const { shift_id } = await openDrawer(server, admin);
  const sale = await sellAtCounter(server, admin);
  await sellAtCounter(server, admin, { payments: [{ method: 'pos', amount_cents: 6_400 }] });
  await sellAtCounter(server, admin, { gift: { reason: 'Compagnia' } });
  await callOk(
    server,
    moveCash,
    { body: { amount_cents: -5_000, reason: 'Versamento in cassaforte' } },
    admin,
  );
  await handBack(server, admin, sale.order_id);

  const { report } = await callOk(server, readShift, { params: { shiftId: shift_id } }, admin);
  expect(report).toMatchObject({
    cash_sales_cents: 6_400,
    cash_refunds_cents: 6_400,
    moved_out_cents: 5_000,
    expected_cents: 5_000,
    payments: [
      { method: 'cash', count: 1, amount_cents: 6_400 },
      { method: 'pos', count: 1, amount_cents: 6_400 },
    ],
    gifts: [{ gift_reason: 'Compagnia', tickets: 2 }],
  });
  expect(
    report.sold.map(({ gift, tickets, amount_cents }) => [gift, tickets, amount_cents]),
  ).toEqual(
    expect.arrayContaining([
      [false, 4, 12_800],
      [true, 2, 0],
    ]),
  );

  const close = (body: object) => refusal(server, closeShift, body, admin);
  const pieces = { '2000': 2, '500': 1, '100': 4 };
  expect(await close({ pieces, expected_cents: 4_000 })).toBe('shift_changed');
  expect(await close({ pieces, expected_cents: 5_000 })).toBe('difference_unexplained');
  expect(await close({ pieces: { '37': 1 }, expected_cents: 5_000 })).toBe('bad_request');
  const closed = await callOk(
    server,
    closeShift,
    { body: { pieces, expected_cents: 5_000, difference_reason: 'Un resto sbagliato' } },
    admin,
  );
  expect(closed).toMatchObject({ counted_cents: 4_900, expected_cents: 5_000 });
  expect(await close({ pieces, expected_cents: 5_000 })).toBe('shift_not_open');

  const later = await openDrawer(server, admin);
  await sellAtCounter(server, admin, { nth: 1 });
  const kept = await callOk(server, readShift, { params: { shiftId: shift_id } }, admin);
  expect(kept).toEqual(closed);
  const { items } = await callOk(server, listShifts, {}, admin);
  expect(items.map((item) => item.shift_id)).toEqual([later.shift_id, shift_id]);
  const paper = await fetch(`${server.url}${downloadShift.path.replace(':shiftId', shift_id)}`, {
    headers: admin,
  });
  const { pages } = readPdf(Buffer.from(await paper.arrayBuffer()));
  const text = pages.flatMap(({ lines }) => lines).join('\n');
  for (const words of ['Cassa 1', 'Contante atteso', 'Un resto sbagliato', 'Compagnia'])
    expect(text).toContain(words);
  await expectSoundBooks(server);
});

test('a cashier counts blind: no answer tells the cash or what gives it until the count, which is kept and then compared', async (server, admin) => {
  const cashier = await asRole(server, 'cassa');
  const { shift_id } = await openDrawer(server, cashier);
  await sellAtCounter(server, cashier);
  const params = { shiftId: shift_id };
  const { report } = await callOk(server, readShift, { params }, cashier);
  expect(report).toMatchObject({ cash_sales_cents: null, expected_cents: null, payments: [] });
  expect(report.sold.map(({ amount_cents }) => amount_cents)).toEqual([null]);
  const desk = await callOk(server, readCounter, {}, cashier);
  expect(desk.shift?.report).toEqual(report);
  const paper = addressOf(downloadShift, params);
  const pdf = await fetch(`${server.url}${paper}`, { headers: cashier });
  const { pages } = readPdf(Buffer.from(await pdf.arrayBuffer()));
  expect(pages.flatMap(({ lines }) => lines).join()).not.toMatch(/atteso|164,00|64,00/);
  const close = (body: object, who = cashier) =>
    ask(server, 'POST', closeShift.path, { body, headers: who });
  const out = { amount_cents: -20_000, reason: 'In banca' };
  const low = await ask(server, 'POST', moveCash.path, { body: out, headers: cashier });
  expect(low).toMatchObject(aRefusal(409, 'drawer_too_low', { till: 'Cassa 1' }));
  const pieces = { '100': 160 };
  expect(await close({ pieces, expected_cents: 1 })).toMatchObject(
    aRefusal(409, 'shift_changed', {}),
  );
  const told = { counted_cents: 16_000, expected_cents: 16_400 };
  expect(await close({ pieces })).toMatchObject(aRefusal(422, 'difference_unexplained', told));
  const { db } = server.house.ctx;
  const counts = await db('audit').where({ action: 'shift_counted', subject: shift_id });
  expect(counts.map(({ detail }) => JSON.parse(detail))).toEqual([told]);
  const seen = await callOk(server, readShift, { params }, admin);
  expect(seen.report).toMatchObject({ expected_cents: 16_400 });
  const body = { pieces, expected_cents: 16_400, difference_reason: 'Un resto' };
  const closed = await callOk(server, closeShift, { body }, cashier);
  expect(closed).toMatchObject({ ...told, report: { cash_sales_cents: 6_400 } });
});

async function handBack(server: TestServer, admin: { cookie: string }, order_id: string) {
  const params = { orderId: order_id };
  const quote = await callOk(server, quoteRefund, { params, query: { with_fees: 'true' } }, admin);
  const body = {
    with_fees: true,
    expected_cents: quote.amount_cents,
    expected_left_cents: quote.left_cents,
    reason: 'Non può più venire',
    handed_back: true,
  };
  return callOk(server, makeRefund, { params, body }, admin);
}

it('cash of a counter sale goes back only out of one’s own open drawer', async (server, admin) => {
  const office = await asRole(server, 'office');
  await openDrawer(server, admin);
  const sale = await sellAtCounter(server, admin);
  await expect(handBack(server, office, sale.order_id)).rejects.toThrow('shift_not_open');
  expect(await server.house.ctx.db('refunds')).toEqual([]);
  await handBack(server, admin, sale.order_id);
  expect(await server.house.ctx.db('refunds').select('method', 'state')).toEqual([
    { method: 'cash', state: 'succeeded' },
  ]);
});

test('a person has one drawer, a till has one person', async (server, admin) => {
  const office = await asRole(server, 'office');
  const body = { till_id: till, float_cents: 0 };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => ask(server, 'POST', openShift.path, { body, headers: admin })),
  );
  expect(
    answers
      .map(({ status, body: said }) => [status, (said as { code?: string }).code])
      .toSorted(([a], [b]) => Number(a) - Number(b)),
  ).toEqual([[200, undefined], ...Array.from({ length: 4 }, () => [409, 'shift_open'])]);
  expect(await refusal(server, openShift, body, admin)).toBe('shift_open');
  expect(await refusal(server, openShift, body, office)).toBe('till_busy');
  expect(await refusal(server, openShift, { ...body, till_id: 'boh' }, office)).toBe(
    'till_unknown',
  );
});

test('a shift that closes while it sells takes all of a sale or nothing of it', async (server, admin) => {
  const { shift_id } = await openDrawer(server, admin);
  const bodies = [];
  for (let nth = 0; nth < 4; nth += 1) bodies.push(await saleBody(server));
  const close = { pieces: { '10000': 1 }, expected_cents: 10_000 };
  const [closing, ...sales] = await Promise.all([
    ask(server, 'POST', closeShift.path, { body: close, headers: admin }),
    ...bodies.map((body) => ask(server, 'POST', makeSale.path, { body, headers: admin })),
  ]);
  const sold = sales.filter(({ status }) => status === 200).length;
  expect(closing.status === 200 ? sold : sold > 0).toBe(closing.status === 200 ? 0 : true);
  const inShift = await server.house.ctx.db('payments').where({ shift_id });
  expect(inShift).toHaveLength(sold);
  expect(await server.house.ctx.db('tickets')).toHaveLength(sold * 2);
  await expectSoundBooks(server);
});
