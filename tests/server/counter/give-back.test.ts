/** Money that goes back over the counter: out of whose drawer, by whom, and once. */
import { expect } from 'vitest';
import { changeTills, collectReservation, makeSale } from '#server/contract/counter.ts';
import { closeShift, giveBack, listOwnSales, readShift } from '#server/contract/shifts.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer, saleBody, sellAtCounter, till, type Seller } from '#tests/support/counter.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { ask, callOk, makeAdmin, aRefusal } from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

async function giveBackAll(server: TestServer, seller: Seller, sale: { order_id: string }) {
  const tickets = await server.house.ctx.db('tickets').where({ order_id: sale.order_id });
  const lines = await server.house.ctx.db('order_lines').where({ order_id: sale.order_id });
  const expected_cents = lines.reduce((sum, line) => sum + line.price_cents + line.fee_cents, 0);
  const path = addressOf(giveBack, { orderId: sale.order_id });
  const body = {
    ticket_ids: tickets.map(({ id }) => id),
    expected_cents,
    reason: 'Ha sbagliato sera',
  };
  const answer = await ask(server, giveBack.method, path, { body, headers: seller });
  return { status: answer.status, ...(answer.body as { code?: string; amount_cents?: number }) };
}

/** A cashier at the first till, the admin at the second. */
async function twoSellers(server: TestServer) {
  const admin = await makeAdmin(server);
  const printer = null;
  const tills = [till, 'cassa-2'].map((id) => ({ id, name: id, layout: '80mm' as const, printer }));
  await callOk(server, changeTills, { body: { version: 0, gifts_per_event: 10, tills } }, admin);
  const cashier = await asRole(server, 'cassa');
  const shift = await openDrawer(server, cashier);
  await openDrawer(server, admin, 'cassa-2');
  return { admin, cashier, shift };
}

test('a cashier gives back what the own open shift sold: the drawer says so, the tickets end, and twice is once', async (server) => {
  const { admin, cashier, shift } = await twoSellers(server);
  const sale = await sellAtCounter(server, cashier);
  const [before] = (await callOk(server, listOwnSales, {}, cashier)).items;
  expect(before).toMatchObject({ number: sale.number, methods: ['cash'], refunded_cents: 0 });
  expect(before!.tickets.map(({ paid_cents, state }) => [paid_cents, state])).toEqual([
    [3_200, 'valid'],
    [3_200, 'valid'],
  ]);
  const answers = await Promise.all([1, 2, 3].map(() => giveBackAll(server, cashier, sale)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const { report } = await callOk(
    server,
    readShift,
    { params: { shiftId: shift.shift_id } },
    admin,
  );
  expect(report).toMatchObject({ cash_refunds_cents: 6_400, expected_cents: 10_000 });
  const { items } = await callOk(server, listOwnSales, {}, cashier);
  expect(items[0]).toMatchObject({ refunded_cents: 6_400 });
  expect(items[0]!.tickets.map(({ state }) => state)).toEqual(['refunded', 'refunded']);
  await server.runDue();
  expect(await server.house.ctx.db('order_lines').whereNull('released_at')).toEqual([]);
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

it('a cashier gives back nothing of another drawer, nor of an earlier shift', async (server) => {
  const { admin, cashier } = await twoSellers(server);
  const others = await sellAtCounter(server, admin);
  expect(await giveBackAll(server, cashier, others)).toMatchObject({
    status: 403,
    code: 'not_own_shift',
  });
  // Not even a gift, for which no money goes back.
  const gift = await sellAtCounter(server, admin, { gift: { reason: 'Stampa' } });
  expect(await giveBackAll(server, cashier, gift)).toMatchObject({ code: 'not_own_shift' });
  // Reserved here, paid into another drawer.
  const pay_by = new Date(server.clock.now() + 3_600_000).toISOString();
  const reserved = await sellAtCounter(server, cashier, { reservation: { pay_by } });
  const params = { orderId: reserved.order_id };
  const payments = [{ method: 'cash' as const, amount_cents: 6_400 }];
  await callOk(server, collectReservation, { params, body: { payments } }, admin);
  expect(await giveBackAll(server, cashier, reserved)).toMatchObject({ code: 'not_own_shift' });
  // The own one, after the count.
  const own = await sellAtCounter(server, cashier);
  const pieces = { '10000': 1, '5000': 1, '1000': 1, '200': 2 };
  await callOk(server, closeShift, { body: { pieces, expected_cents: 16_400 } }, cashier);
  expect(await giveBackAll(server, cashier, own)).toMatchObject({ code: 'shift_not_open' });
  await openDrawer(server, cashier);
  expect(await giveBackAll(server, cashier, own)).toMatchObject({ code: 'not_own_shift' });
  expect(await server.house.ctx.db('refunds')).toEqual([]);
  // The office gives it back, out of its own drawer.
  expect(await giveBackAll(server, admin, own)).toMatchObject({
    status: 200,
    amount_cents: 6_400,
  });
  await expectSoundBooks(server);
});

it('a bank transfer is marked by who sees the account, not at the window', async (server) => {
  const { admin, cashier } = await twoSellers(server);
  const payments = [{ method: 'transfer' as const, amount_cents: 6_400 }];
  const body = await saleBody(server, { payments });
  const refused = await ask(server, 'POST', makeSale.path, { body, headers: cashier });
  expect(refused).toMatchObject(aRefusal(403, 'transfer_not_allowed'));
  expect(await server.house.ctx.db('orders')).toEqual([]);
  const pay_by = new Date(server.clock.now() + 3_600_000).toISOString();
  const { order_id } = await sellAtCounter(server, cashier, { reservation: { pay_by }, nth: 1 });
  const path = addressOf(collectReservation, { orderId: order_id });
  const said = await ask(server, 'POST', path, { body: { payments }, headers: cashier });
  expect(said.body).toMatchObject({ code: 'transfer_not_allowed' });
  await callOk(
    server,
    collectReservation,
    { params: { orderId: order_id }, body: { payments } },
    admin,
  );
  expect(await server.house.ctx.db('payments').pluck('method')).toEqual(['transfer']);
});
