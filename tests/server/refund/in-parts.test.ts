/** A refund that goes back in several parts, because tickets of another date paid for a part. */
import { expect } from 'vitest';
import {
  askRefund,
  decideRefund,
  orderRefunds,
  retryRefund,
  settleRefund,
} from '#server/contract/order/refunds.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import { readPayment } from '#server/services/payment/payment-record.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { allowExchange, begun, exchangeAtTill, pay } from '#tests/support/exchange.ts';
import { callOk, demoEvent, findSeats } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  passTime,
  refundByOffice,
  refundRows,
  setPolicy,
  stateOf,
  type PaidOrder,
} from '#tests/support/refunds.ts';
import { atStripe, refundsAtStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;
const failing = 'pm_card_refundFail';
/** What two old tickets give of the 64 euros of the new ones, and the rest. */
const [given, due] = [5_600, 800];

/** An exchange online; each payment by its card. */
async function exchanged(
  server: TestServer,
  { first, second }: { first?: string; second?: string } = {},
): Promise<{ old: PaidOrder; order: PaidOrder }> {
  await allowExchange(server);
  const old = await makePaid(server, { ...(first && { payment_method: first }) });
  const order = await begun(server, old);
  await pay(server, order, second);
  const { db } = server.house.ctx;
  const { link_key, payment_intent } = await db('orders').where({ id: order.order_id }).first();
  const tickets: string[] = await db('tickets').where({ order_id: order.order_id }).pluck('id');
  return { old, order: { ...old, order_id: order.order_id, link_key, payment_intent, tickets } };
}

/** The parts of the order's refund, as they stand. */
async function partsOf(server: TestServer, { order_id }: PaidOrder) {
  return (await refundRows(server, order_id))
    .filter(({ failure }) => failure !== 'tried_again')
    .map(({ payment_intent, amount_cents, state, kind }) => ({
      payment_intent,
      amount_cents,
      state,
      kind,
    }))
    .toSorted((a, b) => b.amount_cents - a.amount_cents);
}

const partOf = (payment_intent: string, amount_cents: number, state: string) => ({
  payment_intent,
  amount_cents,
  state,
  kind: 'stripe',
});

async function failedOf(server: TestServer, { order_id }: PaidOrder) {
  const refundId = (await refundRows(server, order_id)).find(
    ({ state, settled_at }) => state === 'failed' && settled_at === null,
  )!.id;
  return { refundId };
}

for (const [name, cards] of Object.entries({
  'the part for the old tickets': { first: failing },
  'the part for the difference': { second: failing },
}))
  test(`${name} fails, fails again when it is repeated, and is handed back once`, async (server, admin) => {
    const { old, order } = await exchanged(server, cards);
    await refundByOffice(server, admin, order);
    for (const wait of [minute, 5 * minute]) await passTime(server, wait);
    const [ofOld, ofNew] = 'first' in cards ? ['failed', 'succeeded'] : ['succeeded', 'failed'];
    const parts = [
      partOf(old.payment_intent, given, ofOld),
      partOf(order.payment_intent, due, ofNew),
    ];
    expect(await partsOf(server, order)).toEqual(parts);
    await expectSoundBooks(server);
    await callOk(server, retryRefund, { params: await failedOf(server, order) }, admin);
    await expectSoundBooks(server);
    for (const wait of [minute, 5 * minute]) await passTime(server, wait);
    expect(await partsOf(server, order)).toEqual(parts);
    await expectSoundBooks(server);
    const body = { decision: 'handed_back' as const };
    await callOk(server, settleRefund, { params: await failedOf(server, order), body }, admin);
    await passTime(server, minute);
    expect(await stateOf(server, order)).toMatchObject({
      refunded_cents: given + due,
      needs_attention: null,
      tickets: ['refunded', 'refunded'],
    });
    await expectSoundBooks(server);
  });

test('the wish of a buyer is granted in two parts, each to its payment', async (server, admin) => {
  const { old, order } = await exchanged(server);
  await setPolicy(server, { refund_request: 'office', refund_stop_days: 0 }, demoEvent);
  const params = { orderId: order.link_key };
  const quote = await callOk(server, orderRefunds, { params });
  const ticket_ids = quote.lines.flatMap(({ ticket_id }) => ticket_id ?? []);
  const wish = { ticket_ids, expected_cents: quote.amount_cents };
  const { refund_id } = await callOk(server, askRefund, { params, body: wish });
  await expectSoundBooks(server);
  const decided = { params: { refundId: refund_id }, body: { decision: 'approve' as const } };
  await callOk(server, decideRefund, decided, admin);
  await passTime(server, minute);
  expect(await partsOf(server, order)).toEqual([
    partOf(old.payment_intent, given, 'succeeded'),
    partOf(order.payment_intent, due, 'succeeded'),
  ]);
  expect(await refundsAtStripe(server, old.payment_intent)).toEqual([
    { amount: given, status: 'succeeded' },
  ]);
  expect((await stateOf(server, order)).tickets).toEqual(['refunded', 'refunded']);
  await expectSoundBooks(server);
});

test('a refund in Stripe’s dashboard of the old payment counts for the order that has its money', async (server, admin) => {
  const { old, order } = await exchanged(server);
  const { payment_intent } = old;
  await atStripe(server, 'POST', 'refunds', { payment_intent, amount: '1000' });
  await readPayment(server.house.ctx, payment_intent);
  await expectSoundBooks(server);
  expect(await stateOf(server, order)).toMatchObject({
    refunded_cents: 1_000,
    needs_attention: 'refunded_at_stripe',
  });
  expect(await stateOf(server, old)).toMatchObject({
    refunded_cents: given,
    needs_attention: null,
  });
  await readPayment(server.house.ctx, payment_intent);
  await refundByOffice(server, admin, order);
  await passTime(server, minute);
  expect(await stateOf(server, order)).toMatchObject({ refunded_cents: given + due });
  expect((await refundsAtStripe(server, payment_intent)).map(({ amount }) => amount)).toEqual([
    given - 1_000,
    1_000,
  ]);
  await expectSoundBooks(server);
});

test('a dispute about the old payment is told with the order that lives on its money', async (server) => {
  const { old, order } = await exchanged(server);
  const { ctx } = server.house;
  const { payment_intent } = old;
  const { payment } = ctx.payments;
  for (const [status, told] of [
    ['needs_response', 'disputed'],
    ['won', null],
  ] as const) {
    const dispute = {
      id: 'dp_1',
      charge_id: 'ch_1',
      payment_intent,
      amount: 5_900,
      reason: 'fraudulent',
      status,
      due_by: null,
      created_at: ctx.now(),
    };
    ctx.payments.payment = async (intent) => ({ ...(await payment(intent)), disputes: [dispute] });
    await readPayment(ctx, payment_intent);
    const attention = [await stateOf(server, order), await stateOf(server, old)];
    expect(attention.map(({ needs_attention }) => needs_attention)).toEqual([told, told]);
  }
  await expectSoundBooks(server);
});

test('a part that was refunded in the dashboard before leaves the other part and its tickets', async (server, admin) => {
  await allowExchange(server);
  const seats = await findSeats(server, { category: 'Galleria' });
  const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
  const old = await makePaid(server, { event: demoEvent, selected_objects });
  const order = await begun(server, old, { event: feeEvent });
  await pay(server, order);
  const { faults } = server.house.standins!.stripe!;
  faults.add({ on: 'request', method: 'POST', path: '/v1/refunds', action: '500', times: 6 });
  await refundByOffice(server, admin, order);
  faults.clear();
  const { payment_intent } = old;
  await atStripe(server, 'POST', 'refunds', { payment_intent });
  await readPayment(server.house.ctx, payment_intent);
  await expectSoundBooks(server);
  await passTime(server, 24 * 60 * minute);
  expect(await stateOf(server, order)).toMatchObject({
    refunded_cents: 5_600,
    tickets: ['refunded', 'refunded'],
  });
  expect(await refundsAtStripe(server, payment_intent)).toHaveLength(1);
  await expectSoundBooks(server);
});

test('what a second exchange leaves over goes back in two ways, the part by hand by the office', async (server, admin) => {
  await openDrawer(server, admin);
  const seats = await findSeats(server, { category: 'Galleria' });
  const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
  const first = await makePaid(server, { event: demoEvent, selected_objects });
  const second = await exchangeAtTill(server, admin, {
    order_id: first.order_id,
    total_cents: 5_900,
  });
  const third = await exchangeAtTill(server, admin, {
    order_id: second.order_id,
    event_id: demoEvent,
    nth: 8,
    total_cents: 1_000,
    body: { by_hand: { total_cents: 1_000, reason: 'Convenzione scuole' } },
  });
  expect(third.exchange).toMatchObject({ credit_cents: 1_000, back_cents: 4_600, back: 'mixed' });
  await passTime(server, minute);
  const [exchange, byHand, byStripe] = (await refundRows(server, second.order_id)).toSorted(
    (a, b) => a.kind.localeCompare(b.kind),
  );
  expect(exchange).toMatchObject({ kind: 'exchange', amount_cents: 1_000, state: 'succeeded' });
  expect([byHand, byStripe]).toEqual([
    expect.objectContaining({ kind: 'manual', amount_cents: 1_000, state: 'requested' }),
    expect.objectContaining({
      kind: 'stripe',
      amount_cents: 3_600,
      state: 'succeeded',
      payment_intent: first.payment_intent,
    }),
  ]);
  await expectSoundBooks(server);
  const params = { refundId: byHand!.id };
  await callOk(server, settleRefund, { params, body: { decision: 'handed_back' } }, admin);
  await expectSoundBooks(server);
  expect(await compareBooks(server.house.ctx, new AbortController().signal)).toBe(0);
});

test('after two exchanges all goes back first to the first payment, then in cash', async (server, admin) => {
  await openDrawer(server, admin);
  const first = await makePaid(server);
  const second = await exchangeAtTill(server, admin, {
    order_id: first.order_id,
    event_id: demoEvent,
    total_cents: 6_400,
  });
  const third = await exchangeAtTill(server, admin, {
    order_id: second.order_id,
    nth: 8,
    total_cents: 5_900,
  });
  expect(third.exchange).toMatchObject({ credit_cents: 5_900, due_cents: 0, back_cents: 500 });
  await passTime(server, minute);
  await expectSoundBooks(server);
  await refundByOffice(server, admin, third, { handed_back: true });
  await passTime(server, minute);
  expect(await stateOf(server, third)).toMatchObject({ refunded_cents: given });
  const back = await refundsAtStripe(server, first.payment_intent);
  expect(back.reduce((sum, { amount }) => sum + amount, 0)).toBe(given);
  const byHand = (await refundRows(server, third.order_id)).filter(({ kind }) => kind === 'manual');
  expect(byHand).toMatchObject([{ amount_cents: 500, method: 'cash', state: 'succeeded' }]);
  await expectSoundBooks(server);
});

test('two orders that live on one payment are given back at once: together they take what its tickets gave', async (server, admin) => {
  const { old, order } = await exchanged(server);
  await openDrawer(server, admin);
  const [, second] = order.tickets;
  const again = { order_id: order.order_id, ticket_ids: [second!], event_id: feeEvent, nth: 9 };
  const third = await exchangeAtTill(server, admin, { ...again, total_cents: 2_950 });
  const both = [{ ...order, order_id: third.order_id }, order];
  await Promise.all(both.map((one) => refundByOffice(server, admin, one)));
  for (const wait of [minute, 5 * minute]) await passTime(server, wait);
  for (const one of both)
    expect(await stateOf(server, one)).toMatchObject({ needs_attention: null });
  const sent = await refundsAtStripe(server, old.payment_intent);
  expect(sent.reduce((sum, { amount }) => sum + amount, 0)).toBe(given);
  await expectSoundBooks(server);
});
