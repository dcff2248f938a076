/** Giving money back: in part and in whole, at once or later, and what happens when it does not arrive. */
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { payOutByHand, refusalOf, startShop, type Shop } from './shop.ts';

async function pay(shop: Shop, payment_method = 'pm_card_visa'): Promise<string> {
  const session = await shop.open();
  await shop.confirm(session, { payment_method, expected_amount: 5000, email: 'anna@example.it' });
  return (await shop.stripe.checkout.sessions.retrieve(session.id)).payment_intent as string;
}

async function chargeOf(shop: Shop, payment_intent: string): Promise<Stripe.Charge> {
  return (await shop.stripe.charges.list({ payment_intent })).data[0]!;
}

async function typesAfter(shop: Shop, work: () => Promise<unknown>): Promise<string[]> {
  const before = (await shop.stripe.events.list({ limit: 1 })).data[0]!;
  await work();
  return (await shop.stripe.events.list({ ending_before: before.id, limit: 100 })).data
    .map((event) => event.type)
    .reverse();
}

test('money is given back in part and in whole, never more than was paid', async () => {
  await using shop = await startShop();
  const payment_intent = await pay(shop);
  const part = await shop.stripe.refunds.create({
    payment_intent,
    amount: 2000,
    reason: 'requested_by_customer',
    metadata: { ticket: 't1' },
  });
  expect(part).toMatchObject({
    object: 'refund',
    status: 'succeeded',
    amount: 2000,
    metadata: { ticket: 't1' },
    receipt_number: expect.stringMatching(/^\d{4}-\d{4}$/),
  });
  expect(
    await refusalOf(shop.stripe.refunds.create({ payment_intent, amount: 3001 })),
  ).toMatchObject({
    statusCode: 400,
    param: 'amount',
    message: expect.stringMatching(/3001.*3000/),
  });
  expect(await shop.stripe.charges.retrieve(part.charge as string)).toMatchObject({
    amount_refunded: 2000,
    refunded: false,
  });
  expect(await shop.stripe.refunds.create({ charge: part.charge as string })).toMatchObject({
    amount: 3000,
  });
  expect(
    await shop.stripe.charges.retrieve(part.charge as string, { expand: ['refunds'] }),
  ).toMatchObject({
    amount_refunded: 5000,
    refunded: true,
    refunds: { data: [{ amount: 3000 }, { amount: 2000 }] },
  });
  expect(await refusalOf(shop.stripe.refunds.create({ payment_intent }))).toMatchObject({
    code: 'charge_already_refunded',
  });
  expect(
    (await shop.stripe.refunds.list({ payment_intent })).data.map((refund) => refund.amount),
  ).toEqual([3000, 2000]);
  await shop.running.tick();
  const types = shop.receiver.got.map(({ type }) => type);
  expect(types.filter((type) => type === 'refund.created')).toHaveLength(2);
  expect(types.filter((type) => type === 'charge.refunded')).toHaveLength(2);
});

test('what cannot be refunded is refused with its code', async () => {
  await using shop = await startShop();
  const declined = await shop.open();
  await shop.confirm(declined, { payment_method: 'pm_card_chargeDeclined', expected_amount: 5000 });
  const [failed] = (await shop.stripe.charges.list()).data;
  const cases: [Stripe.RefundCreateParams, object][] = [
    [{ payment_intent: 'pi_none' }, { code: 'resource_missing', param: 'payment_intent' }],
    [{ charge: 'ch_none' }, { code: 'resource_missing', param: 'charge' }],
    [{}, { code: 'parameter_missing' }],
    [
      { charge: failed!.id, payment_intent: failed!.payment_intent as string },
      { code: 'parameter_missing' },
    ],
    [{ charge: failed!.id }, { param: 'charge' }],
    [
      { charge: failed!.id, amount: 0 },
      { code: 'parameter_invalid_integer', param: 'amount' },
    ],
    [{ charge: failed!.id, reason: 'because' as 'duplicate' }, { param: 'reason' }],
  ];
  for (const [params, expected] of cases)
    expect(await refusalOf(shop.stripe.refunds.create(params))).toMatchObject(expected);
  expect((await shop.stripe.refunds.list()).data).toEqual([]);
});

test('a slow refund is pending first and succeeds by itself', async () => {
  await using shop = await startShop();
  const payment_intent = await pay(shop, 'pm_card_pendingRefund');
  const refund = await shop.stripe.refunds.create({ payment_intent });
  expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' });
  expect(
    await typesAfter(shop, async () => {
      shop.clock.now += 5000;
      expect(await shop.stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'succeeded' });
    }),
  ).toEqual(expect.arrayContaining(['refund.updated', 'charge.refund.updated']));
  expect(await shop.stripe.refunds.retrieve(refund.id)).not.toHaveProperty('pending_reason');
});

test('a refund that fails later gives the money back to the account, and the charge can be refunded again', async () => {
  await using shop = await startShop();
  const payment_intent = await pay(shop, 'pm_card_refundFail');
  const refund = await shop.stripe.refunds.create({ payment_intent, amount: 2000 });
  expect(refund.status).toBe('succeeded');
  const types = await typesAfter(shop, async () => {
    shop.clock.now += 5000;
    await shop.running.tick();
  });
  expect(types).toEqual(
    expect.arrayContaining(['refund.updated', 'charge.refund.updated', 'refund.failed']),
  );
  const failed = await shop.stripe.refunds.retrieve(refund.id, {
    expand: ['failure_balance_transaction'],
  });
  expect(failed).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    failure_balance_transaction: { amount: 2000, type: 'refund_failure' },
  });
  expect(await chargeOf(shop, payment_intent)).toMatchObject({
    amount_refunded: 0,
    refunded: false,
  });
  expect(await shop.stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 5000 });
});

test('when the account has been emptied a refund waits for money instead of failing', async () => {
  await using shop = await startShop();
  await payOutByHand(shop.stripe);
  const payment_intent = await pay(shop, 'pm_card_bypassPending');
  await shop.running.tick();
  const { available } = await shop.stripe.balance.retrieve();
  expect(available).toMatchObject([{ amount: 4900, currency: 'eur' }]);
  expect(
    await refusalOf(shop.stripe.payouts.create({ amount: 4901, currency: 'eur' })),
  ).toMatchObject({ code: 'balance_insufficient' });
  await shop.stripe.payouts.create({ amount: 4900, currency: 'eur' });
  const refund = await shop.stripe.refunds.create({ payment_intent });
  expect(refund).toMatchObject({
    status: 'pending',
    pending_reason: 'insufficient_funds',
    balance_transaction: null,
  });
  shop.clock.now += 60_000;
  expect((await shop.stripe.refunds.retrieve(refund.id)).status).toBe('pending');
  await pay(shop);
  await shop.running.tick();
  shop.clock.now += 60_000;
  expect(await shop.stripe.refunds.retrieve(refund.id)).toMatchObject({
    status: 'succeeded',
    balance_transaction: expect.stringMatching(/^txn_/),
  });
});

test('a refund that never finds money fails after a month', async () => {
  await using shop = await startShop();
  await payOutByHand(shop.stripe);
  const payment_intent = await pay(shop, 'pm_card_bypassPending');
  await shop.running.tick();
  await shop.stripe.payouts.create({ amount: 4900, currency: 'eur' });
  const refund = await shop.stripe.refunds.create({ payment_intent });
  shop.clock.now += 31 * 24 * 3_600_000;
  expect(await shop.stripe.refunds.retrieve(refund.id)).toMatchObject({
    status: 'failed',
    failure_reason: 'insufficient_funds',
  });
});

test('a direct debit that is still on its way can be refunded: the refund goes the debit’s way', async () => {
  await using shop = await startShop();
  for (const [method, status] of [
    ['pm_success_at', 'succeeded'],
    ['pm_failed_at', 'failed'],
  ] as const) {
    const payment_intent = await pay(shop, method);
    const refund = await shop.stripe.refunds.create({ payment_intent });
    expect(refund).toMatchObject({
      id: expect.stringMatching(/^pyr_/),
      status: 'pending',
      pending_reason: 'charge_pending',
    });
    shop.clock.now += 5000;
    expect((await shop.stripe.refunds.retrieve(refund.id)).status).toBe(status);
  }
});

test('card refunds cannot be cancelled, their metadata can be changed', async () => {
  await using shop = await startShop();
  const refund = await shop.stripe.refunds.create({ payment_intent: await pay(shop) });
  expect(await refusalOf(shop.stripe.refunds.cancel(refund.id))).toMatchObject({
    statusCode: 400,
    message: expect.stringContaining('requires_action'),
  });
  expect(
    (await shop.stripe.refunds.update(refund.id, { metadata: { order: '7' } })).metadata,
  ).toEqual({ order: '7' });
});
