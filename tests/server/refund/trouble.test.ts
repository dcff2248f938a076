/** Refunds when Stripe is slow, silent, forgetful, says no, or pays and then does not; and when our process dies in between. */
import { expect } from 'vitest';
import {
  listRefunds,
  quoteRefund,
  retryRefund,
  settleRefund,
} from '#server/contract/order/refunds.ts';
import { readPayment } from '#server/services/payment/payment-record.ts';
import { runRefund } from '#server/services/payment/refunds.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { ask, callOk, aRefusal } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  makePaid,
  passTime,
  refundByOffice,
  refundRows,
  seatStatuses,
  stateOf,
  type PaidOrder,
} from '#tests/support/refunds.ts';
import { atStripe, refundsAtStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const reason = 'Richiesta telefonica';

/** One of two tickets has gone back, once. */
async function expectOneBack(server: TestServer, order: PaidOrder): Promise<void> {
  expect(await refundsAtStripe(server, order.payment_intent)).toEqual([
    { amount: 2800, status: 'succeeded' },
  ]);
  const { tickets, ...state } = await stateOf(server, order);
  expect(state).toMatchObject({
    refunded_cents: 2800,
    refunds: ['succeeded'],
    needs_attention: null,
    mails: ['refunded'],
  });
  expect(tickets.toSorted()).toEqual(['refunded', 'valid']);
  expect(await seatStatuses(server, order)).toEqual(['free', 'booked']);
}

let broken = '';
test(
  'a process that dies at any point of a refund refunds once, and frees the seats once',
  async (server, admin) => {
    const orders: PaidOrder[] = [];
    for (const point of [
      'refund_requested',
      'refund_sent',
      'refund_noted',
      'refund_seats_released',
    ]) {
      const order = await makePaid(server, { nth: orders.length });
      orders.push(order);
      broken = point;
      await refundByOffice(server, admin, order, { ticket_ids: [order.tickets[0]!] }).catch(
        () => {},
      );
      await server.runDue();
      broken = '';
    }
    for (const wait of [minute, 5 * minute, day]) await passTime(server, wait);
    for (const order of orders) await expectOneBack(server, order);
    await expectSoundBooks(server);
  },
  {
    fault(at) {
      if (at === broken) throw new Error(`died at ${at}`);
    },
  },
);

it('refund calls inside trouble: the outcome is unknown, the same key asks again, the buyer gets his money once', async (server, admin) => {
  const { faults, deliveries } = server.house.standins!.stripe!;
  // No webhook tells what the lost answer would have.
  deliveries.pause();
  const actions = ['lose_answer', 'drop', '500', 'saved_500', '429', 'html'] as const;
  for (const [nth, action] of actions.entries()) {
    const order = await makePaid(server, { nth });
    const before = faults.log.length;
    faults.add({ on: 'request', method: 'POST', path: '/v1/refunds', action, times: 3 });
    await refundByOffice(server, admin, order, { ticket_ids: [order.tickets[0]!] });
    for (const wait of [0, 10_000, 30_000, 2 * minute, 10 * minute]) await passTime(server, wait);
    expect([action, faults.log.length > before]).toEqual([action, true]);
    await expectOneBack(server, order);
    faults.clear();
  }
  await expectSoundBooks(server);
});

test('two refunds that Stripe has not seen give way together to one from its dashboard', async (server, admin) => {
  const order = await makePaid(server);
  const { faults } = server.house.standins!.stripe!;
  faults.add({ on: 'request', method: 'POST', path: '/v1/refunds', action: '500', times: 6 });
  for (const ticket of order.tickets)
    await refundByOffice(server, admin, order, { ticket_ids: [ticket] });
  faults.clear();
  const { payment_intent } = order;
  await atStripe(server, 'POST', 'refunds', { payment_intent, amount: '797' });
  await readPayment(server.house.ctx, payment_intent);
  await expectSoundBooks(server);
  await passTime(server, day);
  expect(await refundsAtStripe(server, payment_intent)).toHaveLength(2);
  expect((await stateOf(server, order)).refunded_cents).toBe(2800 + 797);
});

it('an answer lost for two days, longer than Stripe remembers a key: the payment is read first, and nothing is paid twice', async (server, admin) => {
  const order = await makePaid(server);
  const { faults, deliveries } = server.house.standins!.stripe!;
  deliveries.pause();
  faults.add({
    on: 'request',
    method: 'POST',
    path: '/v1/refunds',
    action: 'lose_answer',
    times: 'always',
  });
  faults.add({ on: 'request', method: 'GET', path: '/v1/**', action: '429', times: 'always' });
  await refundByOffice(server, admin, order, { ticket_ids: [order.tickets[0]!] });
  for (let round = 0; round < 12; round += 1) await passTime(server, 4 * 60 * minute);
  expect((await stateOf(server, order)).refunds).toEqual(['requested']);
  faults.clear();
  await passTime(server, 2 * 60 * minute);
  expect(await refundsAtStripe(server, order.payment_intent)).toEqual([
    { amount: 2800, status: 'succeeded' },
  ]);
  expect(await stateOf(server, order)).toMatchObject({
    refunded_cents: 2800,
    refunds: ['succeeded'],
  });
  await expectSoundBooks(server);
});

it('refund pending for lack of balance is neither an error nor done: the seat waits, and is free when the money has gone', async (server, admin) => {
  const order = await makePaid(server, { payment_method: 'pm_card_pendingRefund' });
  await refundByOffice(server, admin, order);
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({
    refunds: ['pending'],
    refunded_cents: 5600,
    tickets: ['refunded', 'refunded'],
    needs_attention: null,
    mails: ['refunded'],
  });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  for (const wait of [minute, 3 * minute]) await passTime(server, wait);
  expect(await stateOf(server, order)).toMatchObject({
    refunds: ['succeeded'],
    refunded_cents: 5600,
    mails: ['refunded'],
  });
  expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
  await expectSoundBooks(server);
});

async function makeFailing(
  server: TestServer,
  admin: { cookie: string },
): Promise<{ order: PaidOrder; refund_id: string }> {
  const order = await makePaid(server, { payment_method: 'pm_card_refundFail' });
  const { refund_id } = await refundByOffice(server, admin, order, { frees_seats: false });
  await server.runDue();
  for (const wait of [minute, 5 * minute]) await passTime(server, wait);
  return { order, refund_id };
}

test('a refund that fails at the bank after it had succeeded: the money is ours again, the tickets stay ended, the office is told, and hands it back in cash: from then on Stripe’s news change nothing', async (server, admin) => {
  const { order, refund_id } = await makeFailing(server, admin);
  expect(await stateOf(server, order)).toMatchObject({
    refunds: ['failed'],
    refunded_cents: 0,
    tickets: ['refunded', 'refunded'],
    needs_attention: 'refund_failed',
  });
  expect((await callOk(server, listRefunds, { query: { open: 'true' } }, admin)).items).toEqual([
    expect.objectContaining({
      refund_id,
      state: 'failed',
      settled_at: null,
      needs_attention: 'refund_failed',
    }),
  ]);
  await expectSoundBooks(server);

  const settle = (note?: string) =>
    ask(server, 'POST', `/api/admin/refunds/${refund_id}/settle`, {
      body: { decision: 'handed_back', note },
      headers: admin,
    });
  expect((await settle('Bonifico del 3')).status).toBe(200);
  expect(await settle()).toMatchObject(aRefusal(409, 'refund_not_open'));
  await passTime(server, day);
  expect(await stateOf(server, order)).toMatchObject({
    refunds: ['succeeded'],
    refunded_cents: 5600,
    needs_attention: null,
  });
  await expectSoundBooks(server);
});

test('a failed refund’s tickets are valid again while the places are still the order’s, and not when somebody else sits there', async (server, admin) => {
  const { order, refund_id } = await makeFailing(server, admin);
  await callOk(
    server,
    settleRefund,
    { params: { refundId: refund_id }, body: { decision: 'restore' } },
    admin,
  );
  expect(await stateOf(server, order)).toMatchObject({
    tickets: ['valid', 'valid'],
    needs_attention: null,
    refunded_cents: 0,
  });
  await expectSoundBooks(server);

  const gone = await makePaid(server, { payment_method: 'pm_card_refundFail', nth: 1 });
  const { refund_id: freed } = await refundByOffice(server, admin, gone);
  await server.runDue();
  expect(await seatStatuses(server, gone)).toEqual(['free', 'free']);
  for (const wait of [minute, 5 * minute]) await passTime(server, wait);
  const restore = () =>
    ask(server, 'POST', `/api/admin/refunds/${freed}/settle`, {
      body: { decision: 'restore' },
      headers: admin,
    });
  expect((await restore()).body).toMatchObject({
    code: 'seats_sold_again',
    detail: { orders: [] },
  });
  const next = await makePaid(server, { nth: 1 });
  const { number } = await server.house.ctx
    .db('orders')
    .where({ id: next.order_id })
    .first('number');
  const answer = await restore();
  expect(answer).toMatchObject(aRefusal(409, 'seats_sold_again', { orders: [number] }));
  await expectSoundBooks(server);
});

test('a failed refund is tried again as a new one, and pressed three times it is one', async (server, admin) => {
  const { order, refund_id } = await makeFailing(server, admin);
  const answers = await Promise.all(
    [1, 2, 3].map(() => callOk(server, retryRefund, { params: { refundId: refund_id } }, admin)),
  );
  expect(new Set(answers.map((answer) => answer.refund_id)).size).toBe(1);
  expect(
    (
      await server.house.ctx
        .db('audit')
        .where({ subject: order.order_id, action: 'refund_retry' })
        .pluck('detail')
    ).map((detail) => JSON.parse(detail).refund_id),
  ).toEqual([answers[0]!.refund_id]);
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({
    refunds: ['failed', 'succeeded'],
    refunded_cents: 5600,
  });
  await expectSoundBooks(server);
});

test('already refunded in the dashboard while ours waits: read again and taken over, never a failure, and the tickets have ended; what no longer fits fails in front of the office', async (server, admin) => {
  const [order, half] = [await makePaid(server), await makePaid(server, { nth: 1 })];
  await refundByOffice(server, admin, order, { with_fees: true });
  await refundByOffice(server, admin, half);
  const { payment_intent } = half;
  await atStripe(server, 'POST', 'refunds', { payment_intent: order.payment_intent });
  await atStripe(server, 'POST', 'refunds', { payment_intent, amount: '3000' });
  await passTime(server, minute);
  expect(await stateOf(server, order)).toMatchObject({
    refunded_cents: 5900,
    needs_attention: null,
    tickets: ['refunded', 'refunded'],
  });
  const rows = await refundRows(server, order.order_id);
  expect(
    rows
      .map(({ origin, state, amount_cents, failure }) => [origin, state, amount_cents, failure])
      .toSorted(),
  ).toEqual([
    ['office', 'succeeded', 0, 'already_refunded'],
    ['stripe', 'succeeded', 5900, null],
  ]);
  expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
  expect(await stateOf(server, half)).toMatchObject({
    refunded_cents: 3000,
    needs_attention: 'refund_failed',
    tickets: ['refunded', 'refunded'],
  });
  await expectSoundBooks(server);
});

it('a disputed payment is not refunded: the quote says so, the button is refused, the office is told', async (server, admin) => {
  const order = await makePaid(server, { payment_method: 'pm_card_createDispute' });
  await passTime(server, minute);
  const quote = await callOk(server, quoteRefund, { params: { orderId: order.order_id } }, admin);
  expect(quote).toMatchObject({ obstacle: 'disputed', amount_cents: 5600 });
  const answer = await ask(server, 'POST', `/api/admin/orders/${order.order_id}/refunds`, {
    body: { expected_cents: 5600, expected_left_cents: 5900, reason },
    headers: admin,
  });
  expect(answer).toMatchObject(aRefusal(422, 'refund_refused', { reason: 'disputed' }));
  expect(await stateOf(server, order)).toMatchObject({
    needs_attention: 'disputed',
    tickets: ['valid', 'valid'],
    refunds: [],
  });
});

test('ten workers and ten webhooks carry out one refund at once: one at Stripe, one mail, the seats freed once', async (server, admin) => {
  const { ctx } = server.house;
  const order = await makePaid(server);
  const { refund_id } = await refundByOffice(server, admin, order);
  await Promise.all([
    ...Array.from({ length: 10 }, () => runRefund(ctx, refund_id)),
    ...Array.from({ length: 10 }, () => readPayment(ctx, order.payment_intent)),
  ]);
  for (const wait of [10_000, minute]) await passTime(server, wait);
  expect(await refundsAtStripe(server, order.payment_intent)).toEqual([
    { amount: 5600, status: 'succeeded' },
  ]);
  expect(await stateOf(server, order)).toMatchObject({
    refunds: ['succeeded'],
    refunded_cents: 5600,
    mails: ['refunded'],
    needs_attention: null,
  });
  const freed = await ctx.db('audit').where({ subject: order.order_id, action: 'seats_freed' });
  expect([freed.length, await seatStatuses(server, order)]).toEqual([1, ['free', 'free']]);
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});
