/** Money back for orders that rules priced: what is given back leaves the least price of what remains, here and at Stripe. */
import { expect } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { askRefund, orderRefunds, quoteRefund } from '#server/contract/order/refunds.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { callOk, type Chosen } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  makePaid,
  passTime,
  refundByOffice,
  setPolicy,
  stateOf,
  type PaidOrder,
} from '#tests/support/refunds.ts';
import { addRule, couple, threeForTwo } from '#tests/support/rules-in-force.ts';
import { refundsAtStripe, sessionAtStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const locandiera = 'la-locandiera';

function seats(types: readonly ('intero' | 'ridotto')[]): Chosen[] {
  return types.map((ticket_type, at) => ({ object_id: `Platea-B-${at + 1}`, ticket_type }));
}

async function quoteFor(server: TestServer, { order_id }: PaidOrder, tickets?: string[]) {
  const query = { ticket_ids: tickets?.join(',') };
  return callOk(server, orderRefunds, { params: { orderId: order_id }, query });
}

async function givenAtStripe(server: TestServer, order: PaidOrder): Promise<number[]> {
  return (await refundsAtStripe(server, order.payment_intent))
    .map(({ amount }) => amount)
    .toSorted((a, b) => a - b);
}

test('of a 3x2 one ticket gives nothing, a second one what the third leaves, and then all is back', async (server, admin) => {
  await addRule(server, threeForTwo);
  await setPolicy(server, { refund_request: 'automatic', refund_stop_days: 0 }, locandiera);
  const order = await makePaid(server, {
    event: locandiera,
    selected_objects: seats(['intero', 'intero', 'intero']),
  });
  const [a, b, c] = order.tickets as [string, string, string];
  const two = /^Non viene restituito nulla\. Restano due biglietti: senza 3x2 costano 64,00\s€\.$/;
  expect(await quoteFor(server, order, [a])).toMatchObject({
    amount_cents: 0,
    because: expect.stringMatching(two),
    obstacle: 'nothing_left',
  });
  const ask = { params: { orderId: order.order_id }, query: { ticket_ids: a } };
  expect(await callOk(server, quoteRefund, ask, admin)).toMatchObject({
    amount_cents: 0,
    because: expect.stringMatching(two),
    obstacle: null,
  });
  await refundByOffice(server, admin, order, { ticket_ids: [a] });
  expect(await quoteFor(server, order, [b])).toMatchObject({
    amount_cents: 3_200,
    because: expect.stringMatching(/^Resta un biglietto: senza 3x2 costa 32,00\s€\.$/),
  });
  const body = { ticket_ids: [b], expected_cents: 3_200 };
  await callOk(server, askRefund, { params: { orderId: order.order_id }, body });
  await server.runDue();
  await expectSoundBooks(server);
  expect(await givenAtStripe(server, order)).toEqual([3_200]);
  expect(await quoteFor(server, order, [c])).toMatchObject({ amount_cents: 3_200, because: null });
  await refundByOffice(server, admin, order, { ticket_ids: [c] });
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({
    paid_cents: 6_400,
    refunded_cents: 6_400,
    tickets: ['void', 'refunded', 'refunded'],
  });
  expect(await givenAtStripe(server, order)).toEqual([3_200, 3_200]);
  await passTime(server, 60_000);
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

test('one cart under a 3x2 and a package: booking, Stripe, order, page and refund say the same sum', async (server, admin) => {
  await addRule(server, threeForTwo);
  await addRule(server, couple);
  const order = await makePaid(server, {
    selected_objects: seats(['intero', 'intero', 'intero', 'intero', 'ridotto']),
  });
  // Three of 28,00 for two, one with a reduced one for 40,00, and five fees of 1,50.
  const total = 5_600 + 4_000 + 5 * 150;
  const { db } = server.house.ctx;
  const stored = await db('orders').where({ id: order.order_id }).first();
  expect([stored.total_cents, stored.fee_cents, stored.paid_cents]).toEqual([total, 750, total]);
  const lines: { list_cents: number; price_cents: number; price_reasons: string }[] = await db(
    'order_lines',
  )
    .where({ order_id: order.order_id })
    .orderBy('position');
  expect(lines.map(({ list_cents }) => list_cents)).toEqual([2800, 2800, 2800, 2800, 2200]);
  expect(lines.reduce((sum, { price_cents }) => sum + price_cents, 0)).toBe(9_600);
  expect((await sessionAtStripe(server, order.order_id)).amount_total).toBe(total);
  const { charge } = await server.house.ctx.payments.payment(order.payment_intent);
  expect(charge!.amount).toBe(total);
  expect(await callOk(server, getOrder, { params: { orderId: order.order_id } })).toMatchObject({
    total_cents: total,
    fee_cents: 750,
    paid_cents: total,
  });
  // Without the reduced one no package is left: the cheapest of four is free.
  const { ticket_id } = (await quoteFor(server, order)).lines[4]!;
  const reduced = await refundByOffice(server, admin, order, { ticket_ids: [ticket_id!] });
  expect(reduced.amount_cents).toBe(9_600 - 3 * 2_800);
  const rest = await refundByOffice(server, admin, order, { with_fees: true });
  expect(rest).toMatchObject({ amount_cents: total - 1_200, fee_cents: 750 });
  await server.runDue();
  expect(await givenAtStripe(server, order)).toEqual([1_200, total - 1_200]);
  expect(await stateOf(server, order)).toMatchObject({ refunded_cents: total });
  await passTime(server, 60_000);
  await expectSoundBooks(server);
});

it('an amount that the office chooses stands outside: it only limits what is left', async (server, admin) => {
  await addRule(server, threeForTwo);
  const order = await makePaid(server, {
    event: locandiera,
    selected_objects: seats(['intero', 'intero', 'intero']),
  });
  await refundByOffice(server, admin, order, { amount_cents: 1_000 });
  const [a, b, c] = order.tickets as [string, string, string];
  const two = await refundByOffice(server, admin, order, { ticket_ids: [a, b] });
  expect(two.amount_cents).toBe(3_200);
  const last = await refundByOffice(server, admin, order, { ticket_ids: [c] });
  expect(last.amount_cents).toBe(2_200);
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({ refunded_cents: 6_400 });
  await expectSoundBooks(server);
});
