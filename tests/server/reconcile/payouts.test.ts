/** Payouts: read whole whatever gets lost, held against our book line by line to the cent; what does not agree is found, named and mended. */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect } from 'vitest';
import { invariants } from '#db/reconcile/invariants.ts';
import { listBreaks, settleBreak } from '#server/contract/breaks.ts';
import {
  askPayouts,
  exportPayout,
  listPayoutLines,
  listPayouts,
  readPayout,
} from '#server/contract/payouts.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { readPayoutsHourly } from '#server/services/reconcile/payouts.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { ask, callOk } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { makePaid, passTime, type PaidOrder } from '#tests/support/refunds.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const hour = 3_600_000;
const day = 24 * hour;
const never = new AbortController().signal;

type Admin = { cookie: string };

/** Time passes, and sessions end with it: the same person comes in again. */
async function later(server: TestServer, admin: Admin, ...waits: number[]): Promise<void> {
  for (const wait of waits) await passTime(server, wait);
  Object.assign(admin, await asRole(server, 'office'));
}

async function readNow(server: TestServer, admin: Admin): Promise<void> {
  await callOk(server, askPayouts, {}, admin);
  await server.runDue();
}

async function payoutsOf(server: TestServer, admin: Admin) {
  return callOk(server, listPayouts, {}, admin);
}

async function linesOf(server: TestServer, admin: Admin, payoutId: string, differing = false) {
  const query = { limit: '100', ...(differing && { differing: 'true' as const }) };
  return (await callOk(server, listPayoutLines, { params: { payoutId }, query }, admin)).items;
}

async function told(server: TestServer, admin: Admin) {
  return (await callOk(server, listBreaks, {}, admin)).items;
}

/** One paid order in one payout that has reached the bank, all of it read. */
async function makePayout(server: TestServer, admin: Admin, orders = 1) {
  const paid: PaidOrder[] = [];
  for (let nth = 0; nth < orders; nth += 1) paid.push(await makePaid(server, { nth }));
  await later(server, admin, hour, 8 * day, 2 * hour, 2 * day);
  await readNow(server, admin);
  const { items } = await payoutsOf(server, admin);
  expect(items).toEqual([expect.objectContaining({ state: 'paid', read: true, differences: 0 })]);
  return { paid, payout: items[0]! };
}

/** What Stripe's own book says is changed behind everybody's back. */
function tamperAtStripe(server: TestServer, sql: string, ...values: string[]): void {
  const file = new DatabaseSync(join(server.settings['DATA_DIR']!, 'standins.sqlite'));
  try {
    file.exec('PRAGMA busy_timeout = 5000');
    file.prepare(sql).run(...values);
  } finally {
    file.close();
  }
}

/** Ten euros in another shop on the same account. */
const payElsewhere = (server: TestServer, payment_method: string) =>
  atStripe(server, 'POST', 'payment_intents', {
    amount: '1000',
    currency: 'eur',
    confirm: 'true',
    payment_method,
  });

async function chargeOf(server: TestServer, order: PaidOrder): Promise<string> {
  return (await server.house.ctx.db('payments').where({ order_id: order.order_id }).first())
    .charge_id;
}

/** The invariants about payouts that are broken now. */
async function brokenNow(server: TestServer): Promise<string[]> {
  const { db, now } = server.house.ctx;
  const names: string[] = [];
  for (const rule of invariants.filter(({ about }) => about === 'payout'))
    for (const { subject } of await rule.find(db, now())) names.push(`${rule.name} ${subject}`);
  return names;
}

test('payments, refunds and disputes, won and lost: what was paid out and what is on its way is all there is, to the cent', async (server, admin) => {
  const { db } = server.house.ctx;
  const [kept, back] = [await makePaid(server), await makePaid(server, { nth: 1 })];
  for (const nth of [2, 3])
    await makePaid(server, { nth, payment_method: 'pm_card_createDispute' });
  await passTime(server, hour);
  await atStripe(server, 'POST', 'refunds', {
    payment_intent: back.payment_intent,
    amount: '2000',
  });
  const disputes = (await atStripe<{ data: { id: string }[] }>(server, 'GET', 'disputes')).data;
  for (const [n, { id }] of disputes.entries())
    await atStripe(server, 'POST', `disputes/${id}`, {
      'evidence[uncategorized_text]': n === 0 ? 'winning_evidence' : 'losing_evidence',
    });
  for (let n = 0; n < 12; n += 1) await passTime(server, day);
  const late = await makePaid(server, { nth: 4 });
  await later(server, admin, hour);
  await readNow(server, admin);
  const { items, on_the_way } = await payoutsOf(server, admin);
  expect(items.map(({ differences, read }) => [differences, read])).toEqual(
    items.map(() => [0, true]),
  );
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  const payments: { amount_cents: number; stripe_fee_cents: number }[] = await db('payments');
  const earned = sum(payments.map((row) => row.amount_cents - row.stripe_fee_cents));
  const lost = 5900 + 2 * 2000;
  expect(sum(items.map(({ amount_cents }) => amount_cents)) + on_the_way.net_cents).toBe(
    earned - 2000 - lost,
  );
  expect(on_the_way).toMatchObject({ lines: 1, net_cents: 5900 - 114 });
  expect(on_the_way.days).toHaveLength(1);
  const lines = (
    await Promise.all(items.map(({ payout_id }) => linesOf(server, admin, payout_id)))
  ).flat();
  expect(lines.map(({ kind, standing }) => `${kind} ${standing}`).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 'charge agrees'),
    ...Array.from({ length: 3 }, () => 'dispute agrees'),
    'refund agrees',
  ]);
  const ofOrders = lines.filter(({ kind }) => kind === 'charge').map(({ order_id }) => order_id);
  expect(ofOrders).toContain(kept.order_id);
  expect(ofOrders).not.toContain(late.order_id);
  // What went back is a number in the file, too.
  const files = await Promise.all(
    items.map(({ payout_id }) =>
      ask(server, 'GET', addressOf(exportPayout, { payoutId: payout_id }), { headers: admin }),
    ),
  );
  const rows = files.flatMap(({ body }) => String(body).trim().split('\r\n').slice(1));
  const nets = rows.map((row) => Number(row.split(';')[6]!.replace(',', '.')) * 100);
  expect(Math.round(sum(nets))).toBe(sum(items.map(({ amount_cents }) => amount_cents)));
  expect(await told(server, admin)).toEqual([]);
  expect(await brokenNow(server)).toEqual([]);
  expect(server.logged).toEqual([]);
});

test('without a single webhook the hourly reading finds payout, lines and late fee; twice it changes nothing', async (server, admin) => {
  const { ctx } = server.house;
  server.house.standins!.stripe!.deliveries.pause();
  const order = await makePaid(server);
  await later(server, admin, 10 * day, hour);
  // As if Stripe had not counted its fee when the payment was last read.
  await ctx.db('payments').update({ stripe_fee_cents: null });
  for (let n = 0; n < 2; n += 1) {
    await readPayoutsHourly(ctx, never);
    server.clock.advance(2 * hour);
  }
  const { items, on_the_way } = await payoutsOf(server, admin);
  expect(items).toEqual([
    expect.objectContaining({ amount_cents: 5786, sum_cents: 5786, lines: 1, differences: 0 }),
  ]);
  expect(on_the_way.lines).toBe(0);
  expect(await linesOf(server, admin, items[0]!.payout_id)).toEqual([
    expect.objectContaining({ order_id: order.order_id, standing: 'agrees', fee_cents: 114 }),
  ]);
  expect((await ctx.db('payments').first()).stripe_fee_cents).toBe(114);
});

test('a line with another amount, at Stripe or here, is found, named and told; reading it again mends our side', async (server, admin) => {
  const { db } = server.house.ctx;
  const { paid, payout } = await makePayout(server, admin);
  await db('payout_lines').where({ kind: 'charge' }).update({ gross_cents: 5800, net_cents: 5686 });
  expect(await brokenNow(server)).toEqual([
    `payout_agrees ${payout.payout_id}`,
    `payout_adds_up ${payout.payout_id}`,
  ]);
  await readNow(server, admin);
  const [found, ...others] = await told(server, admin);
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    kind: 'payout_differs',
    subject: payout.payout_id,
    actions: ['read_payout', 'take_note'],
    detail: {
      amount_cents: 5786,
      sum_cents: 5686,
      lines: [{ standing: 'amount_differs', gross_cents: 5800, our_cents: 5900 }],
    },
  });
  expect(await brokenNow(server)).toEqual([]);
  const page = await callOk(server, readPayout, { params: { payoutId: payout.payout_id } }, admin);
  expect(page).toMatchObject({ differences: 2, break_id: found!.break_id });
  expect(await linesOf(server, admin, payout.payout_id, true)).toEqual([
    expect.objectContaining({ standing: 'amount_differs', order_id: paid[0]!.order_id }),
  ]);
  await callOk(
    server,
    settleBreak,
    { params: { breakId: found!.break_id }, body: { action: 'read_payout' } },
    admin,
  );
  expect((await payoutsOf(server, admin)).items[0]!.differences).toBe(0);
  // Now it is Stripe that says so: reading again does not help, taking note does.
  tamperAtStripe(
    server,
    `UPDATE stripe_objects SET body = json_set(body, '$.fee', 200, '$.net', 5700) WHERE kind = 'balance_transaction' AND body ->> '$.source' = ?`,
    await chargeOf(server, paid[0]!),
  );
  await db('payouts').update({ state: 'in_transit' });
  await readNow(server, admin);
  const [again] = await told(server, admin);
  expect(again!.detail).toMatchObject({
    lines: [{ standing: 'fee_differs', fee_cents: 200, our_fee_cents: 114 }],
  });
  const settle = (action: string) =>
    ask(server, 'POST', `/api/admin/breaks/${again!.break_id}/settle`, {
      body: { action },
      headers: admin,
    });
  expect((await settle('read_payout')).body).toMatchObject({ code: 'break_persists' });
  expect((await settle('take_note')).status).toBe(204);
  await readNow(server, admin);
  expect(await told(server, admin)).toEqual([]);
  expect(await brokenNow(server)).toEqual([]);
});

test('a line that is missing, one that is there twice, and one that nobody knows: each is found and named', async (server, admin) => {
  const { db } = server.house.ctx;
  const { paid, payout } = await makePayout(server, admin, 2);
  const [first, second] = [await chargeOf(server, paid[0]!), await chargeOf(server, paid[1]!)];
  const stands = async () =>
    (await told(server, admin)).flatMap(({ kind, detail }) => [
      kind,
      ...((detail['lines'] ?? []) as { standing: string; source_id: string }[]).map(
        ({ standing, source_id }) => `${standing} ${source_id}`,
      ),
    ]);
  const readAnew = async () => {
    await db('payouts').update({ state: 'in_transit' });
    await readNow(server, admin);
  };

  const removed = await db('payout_lines').where({ source_id: first }).first();
  await db('payout_lines').where({ source_id: first }).delete();
  expect(await brokenNow(server)).toEqual(
    expect.arrayContaining([`payout_adds_up ${payout.payout_id}`]),
  );
  tamperAtStripe(
    server,
    `UPDATE stripe_objects SET private = '{"payout":"po_other"}' WHERE id = ?`,
    removed.id,
  );
  await readAnew();
  expect((await stands()).toSorted()).toEqual(['payment_not_paid_out', 'payout_differs']);
  await db('payout_lines').insert(removed);
  await readNow(server, admin);
  expect(await stands()).toEqual([]);

  await db('payout_lines').insert({ ...removed, id: 'txn_second', payout_id: 'po_elsewhere' });
  await readNow(server, admin);
  expect(await stands()).toEqual(['payout_differs', `twice ${first}`]);
  await db('payout_lines').where({ id: 'txn_second' }).delete();

  // Our book has lost the payment, and Stripe does not know it any more when it is asked.
  const row = await db('payments').where({ charge_id: second }).first();
  await db('payments').where({ charge_id: second }).delete();
  const order = await db('orders').where({ id: row.order_id }).first();
  await db('orders').where({ id: order.id }).update({ payment_intent: null });
  tamperAtStripe(
    server,
    `UPDATE stripe_objects SET id = 'pi_gone' WHERE id = ?`,
    row.payment_intent,
  );
  await readNow(server, admin);
  expect(await stands()).toEqual(['payout_differs', `unknown ${second}`]);
  await db('payments').insert(row);
  await readNow(server, admin);
  expect(await stands()).toEqual([]);
  expect(await brokenNow(server)).toEqual([]);
});

it('another shop on the same account is named and counted, and is no difference', async (server, admin) => {
  await makePaid(server);
  await payElsewhere(server, 'pm_card_visa');
  await later(server, admin, hour, 8 * day, 2 * hour);
  const { items } = await payoutsOf(server, admin);
  expect(items).toEqual([expect.objectContaining({ lines: 2, differences: 0 })]);
  const lines = await linesOf(server, admin, items[0]!.payout_id);
  expect(lines.map(({ standing, gross_cents }) => [standing, gross_cents]).toSorted()).toEqual([
    ['agrees', 5900],
    ['foreign', 1000],
  ]);
});

it('a payout that the bank sends back is told with its reason, until its money is in the next one', async (server, admin) => {
  const { payout } = await makePayout(server, admin);
  await server.house.standins!.stripe!.failPayout(payout.payout_id, 'no_account');
  await server.runDue();
  expect(await told(server, admin)).toEqual([
    expect.objectContaining({
      kind: 'payout_failed',
      subject: payout.payout_id,
      detail: { amount_cents: 5786, failure: 'no_account' },
    }),
  ]);
  await readNow(server, admin);
  expect((await payoutsOf(server, admin)).on_the_way).toMatchObject({ net_cents: 5786 });
  await later(server, admin, day, hour);
  await readNow(server, admin);
  const { items, on_the_way } = await payoutsOf(server, admin);
  expect(items.map(({ state, differences }) => [state, differences])).toEqual([
    ['in_transit', 0],
    ['failed', 0],
  ]);
  expect(on_the_way.net_cents).toBe(0);
  expect(await told(server, admin)).toEqual([]);
  expect(await brokenNow(server)).toEqual([]);
});

it('a crash between reading and storing, and between two pages of lines, leaves nothing half: the next reading has it all', async (server, admin) => {
  const { ctx } = server.house;
  for (let n = 0; n < 103; n += 1) await payElsewhere(server, 'pm_card_bypassPending');
  server.house.standins!.stripe!.deliveries.pause();
  await makePaid(server, { payment_method: 'pm_card_bypassPending' });
  await later(server, admin, hour, day, hour);
  const { fault } = ctx;
  for (const point of ['payout_lines_stored', 'payout_read', 'payout_lines_stored']) {
    let times = point === 'payout_lines_stored' ? 3 : 1;
    ctx.fault = (at) => {
      if (at === point && (times -= 1) === 0) throw new Error(`died at ${point}`);
    };
    await expect(readPayoutsHourly(ctx, never)).rejects.toThrow('died');
    server.clock.advance(2 * hour);
  }
  ctx.fault = fault;
  await readPayoutsHourly(ctx, never);
  const { items, on_the_way } = await payoutsOf(server, admin);
  expect(items).toEqual([expect.objectContaining({ lines: 104, read: true, differences: 0 })]);
  expect(on_the_way.lines).toBe(0);
  const params = { payoutId: items[0]!.payout_id };
  const first = await callOk(server, listPayoutLines, { params, query: { limit: '100' } }, admin);
  const cursor = first.next_cursor!;
  const second = await callOk(server, listPayoutLines, { params, query: { cursor } }, admin);
  expect(new Set([...first.items, ...second.items].map(({ line_id }) => line_id)).size).toBe(104);
  expect(second.next_cursor).toBeNull();
  const file = await ask(server, 'GET', addressOf(exportPayout, params), { headers: admin });
  const rows = String(file.body).trim().split('\r\n');
  expect(rows).toHaveLength(105);
  expect(rows[0]).toContain('Movimento;Data;Ordine');
  expect(rows.filter((row) => row.includes('Quadra'))).toHaveLength(1);
});

it('Stripe that does not answer is asked again soon; a payout made by hand says that it has no lines', async (server, admin) => {
  const { ctx } = server.house;
  await atStripe(server, 'POST', 'balance_settings', {
    'payments[payouts][schedule][interval]': 'manual',
  });
  await makePaid(server, { payment_method: 'pm_card_bypassPending' });
  await passTime(server, hour);
  await atStripe(server, 'POST', 'payouts', { amount: '1000', currency: 'eur' });
  await later(server, admin, 3 * day);
  const { faults } = server.house.standins!.stripe!;
  const silent = faults.add({
    on: 'request',
    path: '/v1/balance_transactions',
    action: 'drop',
    times: 'always',
  });
  await readPayoutsHourly(ctx, never);
  expect((await payoutsOf(server, admin)).read_until).toBeNull();
  faults.remove(silent.id);
  server.clock.advance(6 * 60_000);
  await readPayoutsHourly(ctx, never);
  const { items, on_the_way } = await payoutsOf(server, admin);
  expect(items).toEqual([
    expect.objectContaining({ automatic: false, read: false, differences: 0, sum_cents: null }),
  ]);
  expect(on_the_way.net_cents).toBe(5786 - 1000);
  expect(await told(server, admin)).toEqual([]);
  expect(
    (await ask(server, 'GET', '/api/admin/payouts/po_none', { headers: admin })).body,
  ).toMatchObject({ code: 'payout_not_found' });
});
