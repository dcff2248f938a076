/** A refund without money in the account waits for it. */
import { expect, test } from 'vitest';
import { lastRefund, payOutByHand, startShop } from './shop.ts';

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
