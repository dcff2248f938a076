/** What is kept and found in the account: its balance, its movements, and the search. */
import { expect, test } from 'vitest';
import { payOutByHand, refuses, startShop } from './shop.ts';

const DAY = 24 * 3_600_000;

test('money is pending for a week, then available, and can be paid out', async () => {
  await using shop = await startShop();
  const { balance, payouts } = shop.stripe;
  const money = async () => {
    const { available, pending } = await balance.retrieve();
    return [available, pending].map(([euros]) => euros!.amount);
  };
  await payOutByHand(shop.stripe);
  expect(await money()).toEqual([0, 0]);
  await shop.pay();
  expect(await money()).toEqual([0, 4900]);
  shop.clock.now += 7 * DAY;
  expect(await money()).toEqual([4900, 0]);
  await refuses(
    { code: 'balance_insufficient' },
    payouts.create({ amount: 4901, currency: 'eur' }),
  );
  const { id, status } = await payouts.create({ amount: 4000, currency: 'eur' });
  expect(status).toBe('pending');
  shop.clock.now += 2 * DAY;
  expect(await payouts.retrieve(id)).toMatchObject({ status: 'paid' });
  await refuses({ statusCode: 400 }, payouts.cancel(id));
  expect(await money()).toEqual([900, 0]);
});

test('movements can be listed by kind, source and currency', async () => {
  await using shop = await startShop();
  const charge = (await shop.pay()).id;
  await shop.stripe.refunds.create({ charge, amount: 500 });
  const listed = async (asked: object = {}) =>
    (await shop.stripe.balanceTransactions.list(asked)).data.map(({ type, net }) => [type, net]);
  expect(await listed()).toEqual([
    ['refund', -500],
    ['charge', 4900],
  ]);
  for (const asked of [{ type: 'charge' }, { source: charge }])
    expect(await listed(asked)).toEqual([['charge', 4900]]);
  for (const asked of [{ currency: 'usd' }, { payout: 'po_1' }])
    expect(await listed(asked)).toEqual([]);
});

test('search finds by fields and metadata, page by page, and not what was made a moment ago', async () => {
  await using shop = await startShop();
  const { charges } = shop.stripe;
  const pay = (method: string, order: string) =>
    shop.pay(method, { payment_intent_data: { metadata: { order } } });
  await pay('pm_card_visa', 'a-1');
  await pay('pm_card_mastercard', 'a-2');
  await pay('pm_card_chargeDeclined', 'b-1');
  const count = async (query: string) => (await charges.search({ query })).data.length;
  expect(await count('status:"succeeded"')).toBe(0);
  shop.clock.now += 10_000;
  for (const [query, found] of [
    ["-status:'succeeded'", 1],
    ['metadata["order"]~"a-1"', 1],
    ['status:"failed" OR metadata["order"]:"a-1"', 2],
    ['status:"succeeded" AND payment_method_details.card.brand:"mastercard"', 1],
    ['amount>4999 amount<=5000', 3],
    ['customer:null', 3],
  ] as const)
    expect([query, await count(query)]).toEqual([query, found]);
  const asked = { query: 'amount:5000', limit: 2 };
  const first = await charges.search(asked);
  const rest = await charges.search({ ...asked, page: first.next_page! });
  expect(rest.data).toHaveLength(1);
  await refuses({ param: 'page' }, charges.search({ ...asked, page: 'x' }));
});

test('what is no query is refused, whatever it holds', async () => {
  await using shop = await startShop();
  const wrong = ['status', 'colour:"red"', 'amount~"50"', 'status:"a" AND', 'status:"a\u0000'];
  await refuses(
    { statusCode: 400 },
    ...wrong.map((query) => shop.stripe.charges.search({ query })),
  );
});
