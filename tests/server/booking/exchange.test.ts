/** Exchange of tickets by their buyer: paid at Stripe, cancelled, too late, or overtaken. */
import { expect } from 'vitest';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { cancelCheckout } from '#server/contract/order/orders.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import {
  allowExchange,
  begun,
  exchangeOf,
  exchangeOnline,
  ownQuote,
  pay,
} from '#tests/support/exchange.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  passTime,
  refundByOffice,
  refundRows,
  stateOf,
} from '#tests/support/refunds.ts';
import { passUndo } from '#tests/support/undo.ts';

const minute = 60_000;

test('a buyer pays the difference at Stripe, and only then the old tickets end', async (server) => {
  await allowExchange(server, { exchange_fee_cents: 100 });
  const old = await makePaid(server);
  expect(await ownQuote(server, old)).toMatchObject({
    worth_cents: 5_600,
    fee_cents: 200,
    obstacle: null,
    dates: expect.arrayContaining([expect.objectContaining({ event_id: demoEvent })]),
  });
  const order = await begun(server, old);
  expect(await stateOf(server, old)).toMatchObject({ tickets: ['valid', 'valid'] });
  await expectSoundBooks(server);
  await pay(server, order);
  expect(await stateOf(server, order)).toMatchObject({
    state: 'confirmed',
    paid_cents: 6_600,
    tickets: ['valid', 'valid'],
  });
  const { db } = server.house.ctx;
  const paid = await db('payments').where({ order_id: order.order_id }).orderBy('kind');
  expect(paid.map(({ kind, amount_cents }) => [kind, amount_cents])).toEqual([
    ['exchange', 5_600],
    ['stripe', 1_000],
  ]);
  expect(await db('orders').where({ id: order.order_id }).first()).toMatchObject({
    service_cents: 200,
    total_cents: 6_600,
  });
  expect(await stateOf(server, old)).toMatchObject({ tickets: ['refunded', 'refunded'] });
  expect(await exchangeOf(server)).toMatchObject({ state: 'done' });
  await passTime(server, 20 * minute);
  await expectSoundBooks(server);
});

test('a checkout that is cancelled or expires leaves the old tickets as they were', async (server) => {
  await allowExchange(server);
  const old = await makePaid(server);
  const { body } = await exchangeOnline(server, old);
  const { order_id: link } = body as { order_id: string };
  await callOk(server, cancelCheckout, { params: { orderId: link } });
  expect(await exchangeOf(server)).toMatchObject({ state: 'ended', ended_why: 'unpaid' });
  const order = await begun(server, old);
  await passTime(server, 60 * minute);
  expect(await stateOf(server, order)).toMatchObject({ state: 'deleted' });
  expect(await stateOf(server, old)).toMatchObject({ tickets: ['valid', 'valid'], refunds: [] });
  await expectSoundBooks(server);
});

test('an old ticket that is given back meanwhile sends the difference back in full', async (server, admin) => {
  await allowExchange(server);
  const old = await makePaid(server);
  const order = await begun(server, old);
  await refundByOffice(server, admin, old, { ticket_ids: [old.tickets[0]!] });
  await pay(server, order);
  expect(await stateOf(server, order)).toMatchObject({
    state: 'deleted',
    paid_cents: 800,
    refunded_cents: 800,
    mails: ['late_refunded'],
    tickets: [],
  });
  expect(await exchangeOf(server)).toMatchObject({ state: 'ended', ended_why: 'changed' });
  expect((await stateOf(server, old)).tickets.toSorted()).toEqual(['refunded', 'valid']);
  await expectSoundBooks(server);
});

test('a ticket that waits for another payment is exchanged once, and the evening that is called off ends it', async (server, admin) => {
  await allowExchange(server);
  const old = await makePaid(server);
  const order = await begun(server, old);
  const again = await exchangeOnline(server, old, { nth: 7 });
  expect(again.body).toMatchObject({ code: 'exchange_refused', detail: { reason: 'in_exchange' } });
  const params = { eventId: feeEvent };
  const preview = await callOk(server, previewCancellation, { params }, admin);
  await callOk(
    server,
    cancelEvent,
    {
      params,
      body: {
        expected_cents: preview.sum_cents,
        expected_orders: preview.orders,
        reason: 'malattia',
      },
    },
    admin,
  );
  await pay(server, order);
  await passUndo(server);
  expect(await stateOf(server, order)).toMatchObject({ state: 'deleted', refunded_cents: 800 });
  expect(await stateOf(server, old)).toMatchObject({ refunded_cents: 5_900 });
  await expectSoundBooks(server);
});

it('who may not change the date is told why', async (server) => {
  const old = await makePaid(server);
  expect(await ownQuote(server, old)).toMatchObject({ obstacle: 'not_offered', until: null });
  const refused = await exchangeOnline(server, old);
  expect(refused.body).toMatchObject({ code: 'exchange_refused' });
  await allowExchange(server, { exchange_until_hours: 10_000 });
  expect(await ownQuote(server, old)).toMatchObject({ obstacle: 'too_late' });
});

test('a later return goes first to the payment of the old tickets', async (server, admin) => {
  await allowExchange(server);
  const old = await makePaid(server);
  const order = await begun(server, old);
  await pay(server, order);
  await refundByOffice(server, admin, order);
  await server.runDue();
  const rows = await refundRows(server, order.order_id);
  const mine = await server.house.ctx.db('orders').where({ id: order.order_id }).first();
  expect(
    rows
      .map(({ payment_intent, amount_cents, state }) => [payment_intent, amount_cents, state])
      .toSorted(),
  ).toEqual(
    [
      [old.payment_intent, 5_600, 'succeeded'],
      [mine.payment_intent, 800, 'succeeded'],
    ].toSorted(),
  );
  await passTime(server, 20 * minute);
  expect(await stateOf(server, order)).toMatchObject({
    refunded_cents: 6_400,
    needs_attention: null,
  });
  expect(await stateOf(server, old)).toMatchObject({
    refunded_cents: 5_600,
    needs_attention: null,
  });
  await expectSoundBooks(server);
});
