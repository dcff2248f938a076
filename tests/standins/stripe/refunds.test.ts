/** Refunds are partial or full, immediate or pending, and some of them fail. */
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import {
  eventsOf,
  lastCharge,
  lastRefund,
  payOutByHand,
  refuses,
  startShop,
  type Shop,
} from './shop.ts';

/** Paid, with nothing that follows by itself yet. */
async function pay(shop: Shop, payment_method = 'pm_card_visa'): Promise<string> {
  const session = await shop.open();
  await shop.confirm(session, { payment_method, email: 'anna@example.it' });
  return (await shop.stripe.checkout.sessions.retrieve(session.id)).payment_intent as string;
}

async function typesAfter(shop: Shop, work: () => Promise<unknown>): Promise<string[]> {
  const before = (await eventsOf(shop.stripe)).length;
  await work();
  return (await eventsOf(shop.stripe)).slice(before).map(({ type }) => type);
}

test('money is given back in part and in whole, never more than was paid', async () => {
  await using shop = await startShop();
  const { refunds } = shop.stripe;
  const payment_intent = await pay(shop);
  const asked = { amount: 2000, metadata: { ticket: 't1' } };
  const part = await refunds.create({ payment_intent, reason: 'requested_by_customer', ...asked });
  expect(part).toMatchObject({
    ...asked,
    object: 'refund',
    status: 'succeeded',
    receipt_number: expect.stringMatching(/^\d{4}-\d{4}$/),
  });
  await refuses(
    { statusCode: 400, param: 'amount', message: expect.stringMatching(/3001.*3000/) },
    refunds.create({ payment_intent, amount: 3001 }),
  );
  expect(await lastCharge(shop)).toMatchObject({ amount_refunded: 2000, refunded: false });
  expect(await refunds.create({ payment_intent })).toMatchObject({ amount: 3000 });
  expect(await lastCharge(shop)).toMatchObject({ amount_refunded: 5000, refunded: true });
  await refuses({ code: 'charge_already_refunded' }, refunds.create({ payment_intent }));
  const listed = (await refunds.list({ payment_intent })).data;
  expect(listed.map(({ amount }) => amount)).toEqual([3000, 2000]);
  await shop.running.tick();
  const types = shop.receiver.got.map(({ type }) => type);
  for (const type of ['refund.created', 'charge.refunded'])
    expect(types.filter((one) => one === type)).toHaveLength(2);
});

test('what cannot be refunded is refused with its code', async () => {
  await using shop = await startShop();
  const { refunds } = shop.stripe;
  const failed = await shop.pay('pm_card_chargeDeclined');
  const payment_intent = failed.payment_intent as string;
  const cases: [Stripe.RefundCreateParams, object][] = [
    [{ payment_intent: 'pi_none' }, { code: 'resource_missing', param: 'payment_intent' }],
    [{}, { code: 'parameter_missing' }],
    [{ payment_intent }, { param: 'payment_intent' }],
    [
      { payment_intent, amount: 0 },
      { code: 'parameter_invalid_integer', param: 'amount' },
    ],
    [{ payment_intent, reason: 'because' as 'duplicate' }, { param: 'reason' }],
  ];
  for (const [params, refusal] of cases) await refuses(refusal, refunds.create(params));
  expect((await refunds.list()).data).toEqual([]);
});

test('a slow refund is pending first and succeeds by itself', async () => {
  await using shop = await startShop();
  const { refunds } = shop.stripe;
  const payment_intent = await pay(shop, 'pm_card_pendingRefund');
  const { status, pending_reason } = await refunds.create({ payment_intent });
  expect([status, pending_reason]).toEqual(['pending', 'processing']);
  const types = await typesAfter(shop, async () => {
    shop.clock.now += 5000;
    expect(await lastRefund(shop)).toMatchObject({ status: 'succeeded' });
  });
  expect(types).toEqual(expect.arrayContaining(['refund.updated', 'charge.refund.updated']));
  expect(await lastRefund(shop)).not.toHaveProperty('pending_reason');
});

test('a refund that fails later gives the money back to the account, and the charge can be refunded again', async () => {
  await using shop = await startShop();
  const { balanceTransactions, refunds } = shop.stripe;
  const payment_intent = await pay(shop, 'pm_card_refundFail');
  const { id, status } = await refunds.create({ payment_intent, amount: 2000 });
  expect(status).toBe('succeeded');
  const types = await typesAfter(shop, async () => {
    shop.clock.now += 5000;
    await shop.running.tick();
  });
  expect(types).toEqual(
    expect.arrayContaining(['refund.updated', 'charge.refund.updated', 'refund.failed']),
  );
  const [back] = (await balanceTransactions.list({ source: id })).data;
  expect(back).toMatchObject({ amount: 2000, type: 'refund_failure' });
  expect(await lastRefund(shop)).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    failure_balance_transaction: back!.id,
  });
  expect(await lastCharge(shop)).toMatchObject({ amount_refunded: 0, refunded: false });
  expect(await refunds.create({ payment_intent })).toMatchObject({ amount: 5000 });
});

test('when the account has been emptied a refund waits for money, and fails after a month without any', async () => {
  for (const comes of [true, false]) {
    await using shop = await startShop();
    const { payouts, refunds } = shop.stripe;
    await payOutByHand(shop.stripe);
    const payment_intent = (await shop.pay('pm_card_bypassPending')).payment_intent as string;
    await payouts.create({ amount: 4900, currency: 'eur' });
    const refund = await refunds.create({ payment_intent });
    expect(refund).toMatchObject({
      status: 'pending',
      pending_reason: 'insufficient_funds',
      balance_transaction: null,
    });
    shop.clock.now += 60_000;
    expect((await lastRefund(shop)).status).toBe('pending');
    if (comes) await shop.pay();
    shop.clock.now += comes ? 60_000 : 31 * 24 * 3_600_000;
    expect(await lastRefund(shop)).toMatchObject(
      comes
        ? { status: 'succeeded', balance_transaction: expect.stringMatching(/^txn_/) }
        : { status: 'failed', failure_reason: 'insufficient_funds' },
    );
  }
});
