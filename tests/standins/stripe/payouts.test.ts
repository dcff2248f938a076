/** Payouts: what became available leaves every day by itself, and each says what it is made of. */
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { payOutByHand, refuses, startShop, type Shop } from './shop.ts';

const day = 24 * 3_600_000;

async function pass(shop: Shop, ms: number): Promise<void> {
  shop.clock.now += ms;
  await shop.running.tick();
}

/** Read page by page. */
async function linesOf(shop: Shop, payout: string): Promise<Stripe.BalanceTransaction[]> {
  const lines = shop.stripe.balanceTransactions.list({ payout, limit: 5 });
  return lines.autoPagingToArray({ limit: 1_000 });
}

test('what became available is paid out at the beginning of the next day, line by line', async () => {
  await using shop = await startShop();
  const { stripe } = shop;
  const payment_intent = (await shop.pay()).payment_intent as string;
  await stripe.refunds.create({ payment_intent, amount: 1000 });
  await pass(shop, 7 * day - 3_600_000);
  expect((await stripe.payouts.list()).data).toEqual([]);
  const later = await shop.pay();
  await pass(shop, day + 3_600_000);
  const [payout, ...others] = (await stripe.payouts.list()).data;
  expect(others).toEqual([]);
  expect(payout).toMatchObject({
    amount: 3900,
    automatic: true,
    status: 'in_transit',
    reconciliation_status: 'in_progress',
  });
  await pass(shop, 60_000);
  expect(await stripe.payouts.retrieve(payout!.id)).toMatchObject({
    reconciliation_status: 'completed',
  });
  const lines = await linesOf(shop, payout!.id);
  expect(lines.map(({ type, net }) => [type, net])).toEqual([
    ['payout', -3900],
    ['refund', -1000],
    ['charge', 4900],
  ]);
  expect(lines.map(({ id }) => id)).toContain(payout!.balance_transaction);
  expect(lines.map(({ source }) => source)).not.toContain(later.id);
  await pass(shop, 2 * day);
  expect(await stripe.payouts.retrieve(payout!.id)).toMatchObject({ status: 'paid' });
  const types = shop.receiver.got.map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('payout'))).toEqual([
    'payout.created',
    'payout.reconciliation_completed',
    'payout.paid',
  ]);
});

test('a payout that the bank sends back puts its money into the next one', async () => {
  await using shop = await startShop();
  const { payouts } = shop.stripe;
  await shop.pay();
  await pass(shop, 11 * day);
  const [payout] = (await payouts.list()).data;
  await pass(shop, 3 * day);
  await shop.running.failPayout(payout!.id, 'no_account');
  const failed = await payouts.retrieve(payout!.id);
  expect(failed).toMatchObject({ status: 'failed', failure_code: 'no_account' });
  await expect(shop.running.failPayout(payout!.id)).rejects.toThrow('failed already');
  await pass(shop, day);
  const [next] = (await payouts.list()).data;
  expect(next).toMatchObject({ amount: 4900, automatic: true });
  expect((await linesOf(shop, next!.id)).map(({ id, type }) => [id, type])).toContainEqual([
    failed.failure_balance_transaction,
    'payout_failure',
  ]);
});

test('what a dispute takes is taken from the next payout; while the account owes nothing is paid out', async () => {
  await using shop = await startShop();
  const { balanceTransactions, payouts } = shop.stripe;
  await shop.pay('pm_card_createDispute');
  await pass(shop, 2 * day);
  expect((await payouts.list()).data).toEqual([]);
  await shop.pay();
  await shop.pay();
  await pass(shop, 9 * day);
  const moves = (await balanceTransactions.list()).data;
  const taken = moves.filter(({ type }) => type === 'adjustment');
  expect(taken.map(({ net }) => net)).toEqual([-7000]);
  const amounts = (await payouts.list()).data.map(({ amount }) => amount);
  expect(amounts).toEqual([3 * 4900 - 7000]);
});

test('an account that pays out by hand keeps its money until somebody asks, and such a payout has no lines', async () => {
  await using shop = await startShop();
  const { stripe } = shop;
  await payOutByHand(stripe);
  await shop.pay();
  await pass(shop, 9 * day);
  expect((await stripe.payouts.list()).data).toEqual([]);
  const payout = (await stripe.payouts.create({ amount: 1000, currency: 'eur' })).id;
  await refuses({ statusCode: 400, param: 'payout' }, stripe.balanceTransactions.list({ payout }));
  const payouts = { schedule: { interval: 'daily' } } as const;
  await stripe.balanceSettings.update({ payments: { payouts } });
  await pass(shop, day);
  const automatic = (await stripe.payouts.list({ limit: 1 })).data[0]!;
  expect(automatic).toMatchObject({ automatic: true, amount: 3900 });
});

test('a payout of many lines is read page by page', async () => {
  await using shop = await startShop();
  const { balanceTransactions, payouts } = shop.stripe;
  const price = (await shop.price(2500)).id;
  for (let n = 0; n < 12; n += 1)
    await shop.pay('pm_card_bypassPending', { line_items: [{ price, quantity: 2 }] });
  await pass(shop, day);
  const payout = (await payouts.list()).data[0]!.id;
  const first = await balanceTransactions.list({ payout, limit: 10 });
  expect([first.data.length, first.has_more]).toEqual([10, true]);
  const lines = await linesOf(shop, payout);
  expect([lines.length, new Set(lines.map(({ id }) => id)).size]).toEqual([13, 13]);
});

test('money is pending for a week, then available, and can be paid out by hand', async () => {
  await using shop = await startShop();
  const { balanceTransactions, payouts } = shop.stripe;
  await payOutByHand(shop.stripe);
  const charge = (await shop.pay()).id;
  const movement = async () => (await balanceTransactions.list({ source: charge })).data;
  const payOut = (amount: number) => payouts.create({ amount, currency: 'eur' });
  expect(await movement()).toMatchObject([{ net: 4900, status: 'pending' }]);
  await refuses({ code: 'balance_insufficient' }, payOut(1));
  shop.clock.now += 7 * day;
  expect(await movement()).toMatchObject([{ net: 4900, status: 'available' }]);
  await refuses({ code: 'balance_insufficient' }, payOut(4901));
  const { id, status } = await payOut(4000);
  expect(status).toBe('pending');
  await refuses({ code: 'balance_insufficient' }, payOut(901));
  shop.clock.now += 2 * day;
  expect(await payouts.retrieve(id)).toMatchObject({ status: 'paid' });
  expect((await balanceTransactions.list({ currency: 'usd' })).data).toEqual([]);
});
