/** What is kept and found in the account: its balance, the customers with their methods, and the search. */
import { expect, test } from 'vitest';
import { payOutByHand, refusalOf, startShop, type Shop } from './shop.ts';

async function pay(shop: Shop, payment_method = 'pm_card_visa', order = '1'): Promise<void> {
  const session = await shop.open({ payment_intent_data: { metadata: { order } } });
  await shop.confirm(session, { payment_method, expected_amount: 5000, email: 'anna@example.it' });
  await shop.running.tick();
}

test('money is pending for a week, then available, and can be paid out', async () => {
  await using shop = await startShop();
  await payOutByHand(shop.stripe);
  expect(await shop.stripe.balance.retrieve()).toMatchObject({
    available: [{ amount: 0, currency: 'eur' }],
    pending: [{ amount: 0 }],
  });
  await pay(shop);
  expect(await shop.stripe.balance.retrieve()).toMatchObject({
    available: [{ amount: 0 }],
    pending: [{ amount: 4900 }],
  });
  shop.clock.now += 7 * 24 * 3_600_000;
  expect(await shop.stripe.balance.retrieve()).toMatchObject({
    available: [{ amount: 4900 }],
    pending: [{ amount: 0 }],
  });
  const payout = await shop.stripe.payouts.create({ amount: 4000, currency: 'eur' });
  expect(payout.status).toBe('pending');
  shop.clock.now += 2 * 24 * 3_600_000;
  expect(await shop.stripe.payouts.retrieve(payout.id)).toMatchObject({ status: 'paid' });
  expect(await refusalOf(shop.stripe.payouts.cancel(payout.id))).toMatchObject({ statusCode: 400 });
  expect((await shop.stripe.balance.retrieve()).available[0]?.amount).toBe(900);
});

test('movements can be listed by kind, source and currency', async () => {
  await using shop = await startShop();
  await pay(shop);
  const [charge] = (await shop.stripe.charges.list()).data;
  await shop.stripe.refunds.create({ charge: charge!.id, amount: 500 });
  const { balanceTransactions } = shop.stripe;
  expect((await balanceTransactions.list()).data.map(({ type, net }) => [type, net])).toEqual([
    ['refund', -500],
    ['charge', 4900],
  ]);
  expect((await balanceTransactions.list({ type: 'charge' })).data).toHaveLength(1);
  expect((await balanceTransactions.list({ source: charge!.id })).data).toMatchObject([
    { type: 'charge' },
  ]);
  expect((await balanceTransactions.list({ currency: 'usd' })).data).toEqual([]);
  expect((await balanceTransactions.list({ payout: 'po_1' })).data).toEqual([]);
});

test('a customer keeps a card and pays with it again and again; a card that nobody keeps pays once', async () => {
  await using shop = await startShop();
  const { customers, paymentMethods, paymentIntents } = shop.stripe;
  const anna = await customers.create({
    name: 'Anna',
    email: 'anna@example.it',
    metadata: { id: '7' },
  });
  const card = await paymentMethods.create({
    type: 'card',
    card: { number: '4242424242424242', exp_month: 12, exp_year: 2034 },
  });
  await paymentMethods.attach(card.id, { customer: anna.id });
  for (const _ of [1, 2]) {
    expect(
      await paymentIntents.create({
        amount: 900,
        currency: 'eur',
        customer: anna.id,
        payment_method: card.id,
        confirm: true,
        off_session: true,
      }),
    ).toMatchObject({ status: 'succeeded', customer: anna.id });
  }
  expect((await customers.listPaymentMethods(anna.id)).data).toMatchObject([
    { id: card.id, customer: anna.id },
  ]);
  expect((await paymentMethods.list({ customer: anna.id, type: 'card' })).data).toHaveLength(1);
  await paymentMethods.detach(card.id);
  expect(await refusalOf(paymentMethods.detach(card.id))).toMatchObject({ statusCode: 400 });
  expect(await refusalOf(paymentMethods.attach(card.id, { customer: anna.id }))).toMatchObject({
    message: expect.stringContaining('previously used'),
  });
  expect(
    await refusalOf(
      paymentIntents.create({
        amount: 900,
        currency: 'eur',
        payment_method: card.id,
        confirm: true,
      }),
    ),
  ).toMatchObject({ param: 'payment_method' });
  expect(await customers.update(anna.id, { name: 'Anna B.', metadata: { id: '' } })).toMatchObject({
    name: 'Anna B.',
    metadata: {},
  });
  expect((await customers.list({ email: 'anna@example.it' })).data).toHaveLength(1);
  await customers.del(anna.id);
  expect(await customers.retrieve(anna.id)).toMatchObject({ deleted: true });
});

test('search finds by fields and metadata, page by page, and not what was made a moment ago', async () => {
  await using shop = await startShop();
  const { charges } = shop.stripe;
  await pay(shop, 'pm_card_visa', 'a-1');
  await pay(shop, 'pm_card_mastercard', 'a-2');
  await pay(shop, 'pm_card_chargeDeclined', 'b-1');
  expect((await charges.search({ query: 'status:"succeeded"' })).data).toEqual([]);
  shop.clock.now += 10_000;
  const count = async (query: string): Promise<number> =>
    (await charges.search({ query })).data.length;
  expect(await count('status:"succeeded"')).toBe(2);
  expect(await count("-status:'succeeded'")).toBe(1);
  expect(await count("metadata['order']:'a-2'")).toBe(1);
  expect(await count('metadata["order"]~"a-1"')).toBe(1);
  expect(await count('status:"failed" OR metadata["order"]:"a-1"')).toBe(2);
  expect(await count('status:"succeeded" AND payment_method_details.card.brand:"mastercard"')).toBe(
    1,
  );
  expect(await count('amount>4999 amount<=5000')).toBe(3);
  expect(await count('disputed:"true"')).toBe(0);
  expect(await count('customer:null')).toBe(3);
  expect(await count('-metadata["order"]:null')).toBe(3);
  const first = await charges.search({ query: 'amount:5000', limit: 2 });
  expect(first).toMatchObject({
    object: 'search_result',
    has_more: true,
    url: '/v1/charges/search',
  });
  expect(
    (await charges.search({ query: 'amount:5000', limit: 2, page: first.next_page! })).data,
  ).toHaveLength(1);
  const all: string[] = [];
  for await (const charge of charges.search({ query: 'amount:5000', limit: 1 }))
    all.push(charge.id);
  expect(all).toHaveLength(3);
});

test('what is no query is refused, whatever it holds', async () => {
  await using shop = await startShop();
  const wrong = [
    'status',
    'status:',
    ':x',
    'status:succeeded',
    'colour:"red"',
    'receipt_number:"1234-5678"',
    'status~"succ"',
    'amount~"50"',
    'amount>"x"',
    'disputed:"maybe"',
    'status:"a" AND',
    'status:"a" OR status:"b" AND status:"c"',
    'metadata["a"',
    "status:'a' ; DROP TABLE stripe_objects",
    'metadata["a\\"]:\\"b"]:"c"',
    'status:"a\u0000',
    `${'status:"a" AND '.repeat(10)}status:"a"`,
    '"',
    '-',
    ' ',
  ];
  for (const query of wrong)
    expect({
      query,
      status: (await refusalOf(shop.stripe.charges.search({ query }))).statusCode,
    }).toEqual({ query, status: 400 });
  expect(
    await refusalOf(shop.stripe.charges.search({ query: 'status:"a"', page: 'x' })),
  ).toMatchObject({ param: 'page' });
  expect((await shop.stripe.charges.search({ query: `metadata["it's"]:"o\\"k"` })).data).toEqual(
    [],
  );
});
