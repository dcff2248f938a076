/** The presale fee: the same in the page's prices, in the order, at Stripe and in what is kept; and no sale without it. */
import { expect } from 'vitest';
import { getEvent, listPublished } from '#server/contract/events.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { callOk, makeOrder } from '#tests/support/make.ts';
import { expectSoundBooks, feeEvent, makePaid } from '#tests/support/refunds.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';

const evening = { eventId: feeEvent };

test('what the page shows is what the order says and what Stripe takes: prices, fee per ticket, total', async (server) => {
  const page = await callOk(server, getEvent, { params: evening });
  expect(page.fee).toEqual({ price_id: expect.stringMatching(/^price_/), unit_amount: 150 });
  const other = await callOk(server, getEvent, { params: { eventId: 'la-locandiera' } });
  expect(other.fee).toBeNull();
  const { items } = await callOk(server, listPublished, {});
  expect(items.map(({ id, from_price }) => [id, from_price])).toEqual([
    ['la-locandiera', 1200],
    [feeEvent, 1150],
  ]);
  const order = await makePaid(server, { count: 3 });
  expect(await callOk(server, getOrder, { params: { orderId: order.order_id } })).toMatchObject({
    total_cents: 3 * (2800 + 150),
    fee_cents: 450,
    paid_cents: 8850,
    refunded_cents: 0,
  });
  expect((await server.house.ctx.payments.payment(order.payment_intent)).charge!.amount).toBe(8850);
  expect(
    await server.house.ctx.db('order_lines').where({ order_id: order.order_id }).pluck('fee_cents'),
  ).toEqual([150, 150, 150]);
  await expectSoundBooks(server);
});

it('a fee that Stripe no longer sells stops the sale, on the page as in the booking: nobody pays less than was agreed', async (server) => {
  const { fee_price_id } = await server.house.ctx.db('events').where({ id: feeEvent }).first();
  await callOk(server, getEvent, { params: evening });
  await atStripe(server, 'POST', `prices/${fee_price_id}`, { active: 'false' });
  await expect(makeOrder(server, { event: feeEvent })).rejects.toThrow(/502.*checkout_refused/);
  await server.runDue();
  expect(await server.house.ctx.db('breaks').pluck('subject')).toEqual([fee_price_id]);
  server.clock.advance(2 * 60_000);
  const page = await callOk(server, getEvent, { params: evening });
  expect([page.fee, page.prices, page.event.attributes.seat_pricing]).toEqual([null, [], []]);
  await expect(makeOrder(server, { event: feeEvent, nth: 1 })).rejects.toThrow(
    /502.*checkout_refused/,
  );
  expect(await server.house.ctx.db('orders').where({ state: 'awaiting_payment' })).toEqual([]);
});
