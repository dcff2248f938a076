/** What Stripe does with the money after it came in, with us or without us: charge, fee, receipt, refunds from the dashboard, disputes; told in any order, by webhooks or found by reading. */
import { expect } from 'vitest';
import { askRefund, listRefunds, orderRefunds } from '#server/contract/order/refunds.ts';
import { bookPayment, readPayment } from '#server/services/payment/payment-record.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { ask, callOk, makeAdmin, aRefusal } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import {
  expectSoundBooks,
  makePaid,
  passTime,
  refundRows,
  refundByOffice,
  seatStatuses,
  type PaidOrder,
} from '#tests/support/refunds.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

async function orderRow(server: TestServer, { order_id }: PaidOrder) {
  return server.house.ctx.db('orders').where({ id: order_id }).first();
}

async function ticketStates(server: TestServer, { order_id }: PaidOrder): Promise<string[]> {
  return server.house.ctx.db('tickets').where({ order_id }).orderBy('place').pluck('state');
}

/** What the office has decided, as the order's story has it. */
async function decisionsOf(server: TestServer, { order_id }: PaidOrder): Promise<string[]> {
  return server.house.ctx
    .db('audit')
    .where({ subject: order_id })
    .whereLike('actor', 'user:%')
    .orderBy('at')
    .pluck('action');
}

async function openRefunds(server: TestServer, admin: { cookie: string }) {
  return (await callOk(server, listRefunds, { query: { open: 'true' } }, admin)).items;
}

function settle(server: TestServer, headers: { cookie: string }, id: string, decision: string) {
  return ask(server, 'POST', `/api/admin/refunds/${id}/settle`, { body: { decision }, headers });
}

it('charge, method and Stripe’s fee come when Stripe has them; the reading comes back by itself, and not for ever', async (server) => {
  const { db } = server.house.ctx;
  const order = await makePaid(server);
  for (const wait of [20_000, minute]) await passTime(server, wait);
  expect(await db('payments').where({ order_id: order.order_id })).toEqual([
    expect.objectContaining({
      kind: 'stripe',
      method: 'card',
      payment_intent: order.payment_intent,
      charge_id: expect.stringMatching(/^ch_/),
      amount_cents: 5900,
      stripe_fee_cents: 114,
      receipt_url: expect.stringMatching(/^http/),
      disputed: 0,
    }),
  ]);
  expect(await db('outbox').where({ task: 'read_payment' })).toHaveLength(1);
  for (let day6 = 0; day6 < 6; day6 += 1) await passTime(server, 6 * 60 * minute);
  expect(await db('outbox').where({ task: 'read_payment' })).toEqual([]);

  // A payment of nobody, or one that Stripe does not know, changes nothing and is not asked about again.
  const { ctx } = server.house;
  expect(await readPayment(ctx, 'pi_nobody')).toBeNull();
  const foreign = await atStripe(server, 'POST', 'payment_intents', {
    amount: '1000',
    currency: 'eur',
    confirm: 'true',
    payment_method: 'pm_card_visa',
  });
  expect(await readPayment(ctx, foreign['id'] as string)).toBeNull();
  expect([(await db('payments')).length, await db('refunds')]).toEqual([1, []]);
});

it('a receipt number that comes hours later is found without any webhook', async (server) => {
  const { db } = server.house.ctx;
  server.house.standins!.stripe!.deliveries.pause();
  const order = await makePaid(server);
  await atStripe(
    server,
    'POST',
    `charges/${(await server.house.ctx.payments.payment(order.payment_intent)).charge!.id}`,
    { receipt_email: 'ada@example.com' },
  );
  for (let round = 0; round < 4; round += 1) await passTime(server, 30 * minute);
  const payment = await db('payments').where({ order_id: order.order_id }).first();
  expect(payment.receipt_number).toMatch(/^\d{4}-\d{4}$/);
  expect((await orderRow(server, order)).receipt_number).toBe(payment.receipt_number);
});

test('refund made in the dashboard: taken over by its webhook, and the office decides about the tickets: they end, or it keeps them; what is left may still be refunded, no more', async (server, admin) => {
  const [order, part] = [await makePaid(server), await makePaid(server, { nth: 1 })];
  await atStripe(server, 'POST', 'refunds', {
    payment_intent: order.payment_intent,
    reason: 'fraudulent',
  });
  await passTime(server, minute);
  expect(await orderRow(server, order)).toMatchObject({
    state: 'confirmed',
    refunded_cents: 5900,
    needs_attention: 'refunded_at_stripe',
  });
  const items = await openRefunds(server, admin);
  expect(items).toMatchObject([
    { origin: 'stripe', state: 'succeeded', amount_cents: 5900, actor: 'stripe' },
  ]);
  expect((await settle(server, admin, items[0]!.refund_id, 'void')).status).toBe(200);
  await server.runDue();
  expect([
    await ticketStates(server, order),
    await seatStatuses(server, order),
    (await orderRow(server, order)).needs_attention,
  ]).toEqual([['refunded', 'refunded'], ['free', 'free'], null]);
  expect(await openRefunds(server, admin)).toEqual([]);

  const { payment_intent } = part;
  await atStripe(server, 'POST', 'refunds', { payment_intent, amount: '900' });
  await passTime(server, minute);
  const [taken] = await refundRows(server, part.order_id);
  expect((await settle(server, admin, taken!.id, 'keep')).status).toBe(200);
  expect([
    await ticketStates(server, part),
    (await orderRow(server, part)).needs_attention,
  ]).toEqual([['valid', 'valid'], null]);
  expect(await settle(server, admin, taken!.id, 'void')).toMatchObject(
    aRefusal(409, 'refund_not_open'),
  );
  expect(await decisionsOf(server, part)).toEqual(['refund_keep']);
  const all = { with_fees: true, expected_cents: 5900, expected_left_cents: 5900 };
  expect(
    await ask(server, 'POST', `/api/admin/orders/${part.order_id}/refunds`, {
      body: { ...all, reason: 'Tutto' },
      headers: admin,
    }),
  ).toMatchObject({ status: 409, body: { detail: { amount_cents: 5000, left_cents: 5000 } } });
  // The office does not want to hear of it again.
  await bookPayment(server.house.ctx, payment_intent);
  expect((await orderRow(server, part)).needs_attention).toBeNull();
  await expectSoundBooks(server);
});

test('a wish of the buyer’s that still waits does not keep its ticket alive when the office ends the tickets after a refund in the dashboard; where all was refunded nothing is left to decide about it', async (server, admin) => {
  const [order, other] = [await makePaid(server), await makePaid(server, { nth: 1 })];
  const wishOf = ({ order_id, tickets }: PaidOrder) =>
    callOk(server, askRefund, {
      params: { orderId: order_id },
      body: { ticket_ids: [tickets[0]!], expected_cents: 2800 },
    });
  const [wish, late] = [await wishOf(order), await wishOf(other)];
  const { payment_intent } = order;
  await atStripe(server, 'POST', 'refunds', { payment_intent, amount: '2000' });
  await passTime(server, minute);
  const taken = (await refundRows(server, order.order_id)).find((row) => row.origin === 'stripe');
  await settle(server, admin, taken!.id, 'void');
  await server.runDue();
  expect([await ticketStates(server, order), await seatStatuses(server, order)]).toEqual([
    ['refunded', 'refunded'],
    ['free', 'free'],
  ]);
  const rows = await refundRows(server, order.order_id);
  expect(rows.find((row) => row.id === wish.refund_id)).toMatchObject({
    state: 'canceled',
    failure: 'already_refunded',
  });
  // What is no news to the buyer is not told to him.
  const { refunds } = await callOk(server, orderRefunds, { params: { orderId: order.order_id } });
  expect(refunds.map((refund) => refund.refund_id)).not.toContain(wish.refund_id);

  await atStripe(server, 'POST', 'refunds', { payment_intent: other.payment_intent });
  for (const wait of [minute, minute]) await passTime(server, wait);
  expect((await openRefunds(server, admin)).map((item) => item.origin)).toEqual(['stripe']);
  expect(
    await ask(server, 'POST', `/api/admin/refunds/${late.refund_id}/decide`, {
      body: { decision: 'approve' },
      headers: admin,
    }),
  ).toMatchObject(aRefusal(409, 'refund_not_open'));
  const told = { subject: other.order_id, action: 'refund_done_elsewhere' };
  expect(await server.house.ctx.db('audit').where(told)).toHaveLength(1);
  await expectSoundBooks(server);
});

test('ten readings at once and every event told again, late, doubled and in another order: the same books', async (server, admin) => {
  const { ctx, standins } = server.house;
  const order = await makePaid(server);
  await refundByOffice(server, admin, order, { ticket_ids: [order.tickets[0]!] });
  await server.runDue();
  await atStripe(server, 'POST', 'refunds', {
    payment_intent: order.payment_intent,
    amount: '500',
  });
  await passTime(server, minute);
  const books = async () => ({
    order: await orderRow(server, order),
    payments: await ctx.db('payments'),
    refunds: await ctx.db('refunds').orderBy('id'),
    lines: await ctx.db('refund_lines').orderBy('line_id'),
    tickets: await ctx.db('tickets').orderBy('id'),
  });
  const before = await books();
  expect(before.refunds).toHaveLength(2);
  await Promise.all(Array.from({ length: 10 }, () => readPayment(ctx, order.payment_intent)));
  await standins!.stripe!.deliveries.replayAll();
  // As if the endpoint had never heard of any of them.
  await ctx.db('webhook_events').delete();
  standins!.stripe!.faults.add({ on: 'delivery', action: 'reorder', hold: 4, times: 'always' });
  await standins!.stripe!.deliveries.replayAll();
  standins!.stripe!.faults.clear();
  await passTime(server, minute);
  expect(await books()).toEqual(before);
  await expectSoundBooks(server);
});

test('a dispute stops refunds and is told at once; won, everything is as before', async (server) => {
  const { db } = server.house.ctx;
  const order = await makePaid(server, { payment_method: 'pm_card_createDispute' });
  await passTime(server, minute);
  expect(await orderRow(server, order)).toMatchObject({
    needs_attention: 'disputed',
    state: 'confirmed',
  });
  const [dispute] = await db('disputes');
  expect(dispute).toMatchObject({
    order_id: order.order_id,
    status: 'needs_response',
    reason: 'fraudulent',
    amount_cents: 5900,
    closed_at: null,
  });
  expect((await db('payments').first()).disputed).toBe(1);
  await atStripe(server, 'POST', `disputes/${dispute.id}`, {
    'evidence[uncategorized_text]': 'winning_evidence',
  });
  for (const wait of [minute, 5 * minute]) await passTime(server, wait);
  expect(await db('disputes')).toEqual([
    expect.objectContaining({ status: 'won', closed_at: expect.any(Number) }),
  ]);
  expect([
    (await db('payments').first()).disputed,
    await orderRow(server, order),
    await ticketStates(server, order),
  ]).toEqual([0, expect.objectContaining({ needs_attention: null }), ['valid', 'valid']]);
});

it('a dispute that is lost stays before the office until it has decided about the tickets', async (server, admin) => {
  const order = await makePaid(server, { payment_method: 'pm_card_createDispute' });
  await passTime(server, minute);
  await atStripe(
    server,
    'POST',
    `disputes/${(await server.house.ctx.db('disputes').first()).id}/close`,
  );
  await passTime(server, minute);
  expect(await orderRow(server, order)).toMatchObject({ needs_attention: 'dispute_lost' });
  const settled = await ask(server, 'POST', `/api/admin/orders/${order.order_id}/settle`, {
    body: { decision: 'void', note: 'Soldi ripresi dalla banca' },
    headers: admin,
  });
  expect(settled.status).toBeLessThan(300);
  await server.runDue();
  expect([
    await ticketStates(server, order),
    await seatStatuses(server, order),
    (await orderRow(server, order)).needs_attention,
  ]).toEqual([['void', 'void'], ['free', 'free'], null]);
  expect(await decisionsOf(server, order)).toEqual(
    expect.arrayContaining(['attention_settled', 'refund_requested']),
  );
  await expectSoundBooks(server);
});

it('a refund that waits for longer than ten days is told to the office, and no longer when it has arrived', async (server) => {
  await makeAdmin(server);
  await atStripe(server, 'POST', 'balance_settings', {
    'payments[payouts][schedule][interval]': 'manual',
  });
  const order = await makePaid(server);
  await passTime(server, 8 * day);
  await atStripe(server, 'POST', 'payouts', { amount: '5000', currency: 'eur' });
  await refundByOffice(server, await asRole(server, 'office'), order);
  await server.runDue();
  expect((await refundRows(server, order.order_id))[0]).toMatchObject({
    state: 'pending',
    failure: 'insufficient_funds',
  });
  for (let half = 0; half < 18; half += 1) await passTime(server, day / 2);
  expect((await orderRow(server, order)).needs_attention).toBeNull();
  for (let half = 0; half < 4; half += 1) await passTime(server, day / 2);
  expect((await orderRow(server, order)).needs_attention).toBe('refund_pending');
  expect(await openRefunds(server, await asRole(server, 'office'))).toHaveLength(1);
  await makePaid(server, { nth: 1, count: 4, event: 'concerto-di-natale' });
  for (const wait of [2 * minute, 2 * minute]) await passTime(server, wait);
  expect([
    (await refundRows(server, order.order_id))[0]!.state,
    (await orderRow(server, order)).needs_attention,
  ]).toEqual(['succeeded', null]);
  await expectSoundBooks(server);
});
