/** What the office decides: tickets for money that Stripe does not see, and orders that the machine cannot settle. */
import { expect } from 'vitest';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { bookPayment } from '#server/services/payment/payment-record.ts';
import {
  confirmByOffice,
  settleAttention,
  type OfficeConfirmation,
} from '#server/services/office/decide-order.ts';
import { settleOrder } from '#server/services/payment/settle.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { ask, demoEvent, makeOrder, payOrder, type Booked } from '#tests/support/make.ts';
import { expectSoundBooks, passTime } from '#tests/support/refunds.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const cash: OfficeConfirmation = {
  user_id: 'ada',
  reason: 'Pagato in contanti alla cassa',
  method: 'cash',
  expected_cents: 6400,
};

async function refusalOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );
}

async function seatStatuses(server: TestServer, order: Booked): Promise<string[]> {
  const labels = order.selected_objects.map(({ object_id }) => object_id);
  const objects = await server.house.ctx.seats.read(demoEvent, labels);
  return [...objects.values()].map(({ status }) => status);
}

async function rowOf(server: TestServer, order: Booked, ...fields: string[]) {
  return server.house.ctx
    .db('orders')
    .where({ id: order.order_id })
    .first(...fields);
}

test('a buyer who pays while the office confirms is not asked twice: his payment confirms the order', async (server) => {
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  await confirmByOffice(server.house.ctx, order.order_id, cash);
  expect(await rowOf(server, order, 'state', 'paid_by', 'paid_cents')).toEqual({
    state: 'confirmed',
    paid_by: 'stripe',
    paid_cents: 6400,
  });
  expect(await server.house.ctx.db('payments').pluck('kind')).toEqual(['stripe']);
});

/** Paid, but not what we agreed on. */
async function makeOddOrder(
  server: TestServer,
  nth = 0,
  payment_method = 'pm_card_visa',
): Promise<Booked> {
  const order = await makeOrder(server, { nth });
  await server.house.ctx.db('orders').where({ id: order.order_id }).update({ total_cents: 6000 });
  await server.house.ctx
    .db('order_lines')
    .where({ order_id: order.order_id })
    .update({ price_cents: 3000 });
  await payOrder(server, order.checkout_url, payment_method);
  await settleOrder(server.house.ctx, order.order_id);
  return order;
}

test('money that is not the sum agreed on waits for a person, with its seats; nothing of it happens by itself', async (server) => {
  const order = await makeOddOrder(server);
  await settleOrder(server.house.ctx, order.order_id);
  await ask(server, 'DELETE', `/api/orders/${order.order_id}/checkout_session`);
  server.clock.advance(60 * 60_000);
  await server.runDue();
  expect(await rowOf(server, order, 'state', 'needs_attention', 'paid_cents')).toEqual({
    state: 'awaiting_payment',
    needs_attention: 'amount_differs',
    paid_cents: 6400,
  });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  expect(await server.house.ctx.db('payments').pluck('amount_cents')).toEqual([6400]);
});

const minute = 60_000;
const sendBack = { user_id: 'ada', decision: 'refund', note: 'Importo sbagliato' } as const;

it('the seat map’s answer is lost while the office sends odd money back: the decision stands, and both books agree again by themselves', async (server) => {
  const { ctx } = server.house;
  const order = await makeOddOrder(server);
  const line = ctx.seats;
  let lost = 0;
  ctx.seats = {
    ...line,
    async release(...asked) {
      await line.release(...asked);
      lost += 1;
      throw new ProviderUnavailable('seats.io', 'the answer is lost', null);
    },
  };
  await settleAttention(ctx, order.order_id, sendBack);
  expect([lost, await seatStatuses(server, order)]).toEqual([1, ['free', 'free']]);
  ctx.seats = line;
  for (const wait of [minute, minute]) await passTime(server, wait);
  expect(
    await rowOf(server, order, 'state', 'end_reason', 'needs_attention', 'refunded_cents'),
  ).toEqual({
    state: 'deleted',
    end_reason: 'refunded_by_office',
    needs_attention: null,
    refunded_cents: 6400,
  });
  expect(
    await ctx.db('order_lines').where({ order_id: order.order_id }).whereNull('released_at'),
  ).toEqual([]);
  await expectSoundBooks(server);
});

test('a process that dies while odd money goes back: all of it goes back once, and the seats are free', async (server) => {
  const { ctx } = server.house;
  for (const [nth, point] of ['attention_settled', 'seats_released', 'order_ended'].entries()) {
    const order = await makeOddOrder(server, nth);
    const dying = {
      ...ctx,
      fault(at: string) {
        if (at === point) throw new Error(`died at ${at}`);
      },
    };
    const { order_id } = order;
    expect(await refusalOf(settleAttention(dying, order_id, sendBack))).toContain('died at');
    for (const wait of [minute, 5 * minute]) await passTime(server, wait);
    expect(await rowOf(server, order, 'state', 'needs_attention', 'refunded_cents')).toEqual({
      state: 'deleted',
      needs_attention: null,
      refunded_cents: 6400,
    });
    const refunds = await ctx.db('refunds').where({ order_id }).select('state', 'amount_cents');
    expect([point, refunds]).toEqual([point, [{ state: 'succeeded', amount_cents: 6400 }]]);
    expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
    const noted = { subject: order_id, action: 'attention_settled' };
    expect(await ctx.db('audit').where(noted)).toHaveLength(1);
  }
  await expectSoundBooks(server);
});

it('what the dashboard has given back of odd money is not given back again; when all of it has gone, it cannot be accepted any more', async (server) => {
  const { ctx } = server.house;
  const [partly, wholly] = [await makeOddOrder(server), await makeOddOrder(server, 1)];
  for (const [order, amount] of [
    [partly, '1000'],
    [wholly, '6400'],
  ] as const) {
    const { payment_intent } = await rowOf(server, order, 'payment_intent');
    await atStripe(server, 'POST', 'refunds', { payment_intent, amount });
    await bookPayment(ctx, payment_intent);
  }
  expect(
    await refusalOf(settleAttention(ctx, wholly.order_id, { ...sendBack, decision: 'accept' })),
  ).toBe('decision_not_possible');
  for (const order of [partly, wholly]) await settleAttention(ctx, order.order_id, sendBack);
  for (const wait of [0, minute]) await passTime(server, wait);
  for (const order of [partly, wholly]) {
    expect(await rowOf(server, order, 'state', 'needs_attention', 'refunded_cents')).toEqual({
      state: 'deleted',
      needs_attention: null,
      refunded_cents: 6400,
    });
    expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
  }
  expect(await ctx.db('refunds').where({ origin: 'office' }).pluck('amount_cents')).toEqual([5400]);
  await expectSoundBooks(server);
});

test('a decision that could not be carried out is not in the book; one that was is there once', async (server) => {
  const { ctx } = server.house;
  const order = await makeOddOrder(server);
  const [label] = order.selected_objects.map((object) => object.object_id);
  // Somebody at the seat map has freed and sold a seat of it by hand.
  const seat = { label: label!, quantity: null, ticket_type: 'intero' };
  await ctx.seats.release(demoEvent, [seat], order.order_id);
  await ctx.seats.book(demoEvent, [seat], { orderId: 'ospiti', holdToken: null });
  expect(
    await refusalOf(settleAttention(ctx, order.order_id, { ...sendBack, decision: 'accept' })),
  ).toBe('seats_taken');
  expect(await ctx.db('audit').where({ action: 'attention_settled' })).toEqual([]);
  await settleAttention(ctx, order.order_id, sendBack);
  expect(
    (await ctx.db('audit').where({ action: 'attention_settled' })).map((row) => [
      row.actor,
      JSON.parse(row.detail),
    ]),
  ).toEqual([['user:ada', { reason: 'amount_differs', decision: 'refund', note: sendBack.note }]]);
});

test('an order whose money went back is confirmed by hand later: the book keeps what came in before and what went back', async (server) => {
  const { ctx } = server.house;
  for (const [nth, method] of (['cash', 'guest'] as const).entries()) {
    const order = await makeOddOrder(server, nth);
    await settleAttention(ctx, order.order_id, sendBack);
    await passTime(server, minute);
    await confirmByOffice(ctx, order.order_id, { ...cash, method, expected_cents: 6000 });
    const columns = ['state', 'paid_by', 'paid_cents', 'refunded_cents'];
    expect(await rowOf(server, order, ...columns)).toEqual({
      state: 'confirmed',
      paid_by: method === 'cash' ? 'manual' : 'free',
      paid_cents: method === 'cash' ? 12_400 : 6400,
      refunded_cents: 6400,
    });
  }
  await expectSoundBooks(server);
});

it('an order whose money is still with us is not confirmed for cash as well', async (server) => {
  const { ctx } = server.house;
  const order = await makeOddOrder(server, 0, 'pm_card_refundFail');
  await settleAttention(ctx, order.order_id, sendBack);
  for (const wait of [minute, minute]) await passTime(server, wait);
  expect(await rowOf(server, order, 'state', 'needs_attention', 'refunded_cents')).toEqual({
    state: 'deleted',
    needs_attention: 'refund_failed',
    refunded_cents: 0,
  });
  expect(
    await refusalOf(confirmByOffice(ctx, order.order_id, { ...cash, expected_cents: 6000 })),
  ).toBe('decision_not_possible');
});
