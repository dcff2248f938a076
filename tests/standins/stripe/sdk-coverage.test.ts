/** Every method of the SDK's resources that a ticket shop may use: it either works, or says 501; one that an update adds is noticed here. */
import { expect, test } from 'vitest';
import type { Stripe } from 'stripe';
import { refuses, startShop, type Shop } from './shop.ts';

/** What the calls need: made once, in a state that each of them can start from. */
interface Things {
  product: string;
  price: string;
  session: string;
  paidIntent: string;
  charge: string;
  refund: string;
  dispute: string;
  transaction: string;
  event: string;
  endpoint: string;
  customer: string;
  method: string;
  loose: string;
  payout: string;
}

async function makeThings(shop: Shop): Promise<Things> {
  const { stripe } = shop;
  const price = await shop.price(2500);
  const line_items = [{ price: price.id, quantity: 2 }];
  const bypass = 'pm_card_bypassPending';
  for (const method of ['pm_card_createDispute', bypass, bypass])
    await shop.pay(method, { line_items });
  const [charge] = (await stripe.charges.list({ limit: 1 })).data;
  const refund = await stripe.refunds.create({ charge: charge!.id, amount: 100 });
  const customer = await stripe.customers.create({ name: 'Anna' });
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2034 };
  const kept = await stripe.paymentMethods.create({ type: 'card', card });
  await stripe.paymentMethods.attach(kept.id, { customer: customer.id });
  return {
    product: price.product as string,
    price: price.id,
    session: (await shop.open({ line_items })).id,
    paidIntent: charge!.payment_intent as string,
    charge: charge!.id,
    refund: refund.id,
    dispute: (await stripe.disputes.list()).data[0]!.id,
    transaction: charge!.balance_transaction as string,
    event: (await stripe.events.list()).data[0]!.id,
    endpoint: (await stripe.webhookEndpoints.list()).data[0]!.id,
    customer: customer.id,
    method: kept.id,
    loose: (await stripe.paymentMethods.create({ type: 'card', card })).id,
    payout: (await stripe.payouts.create({ amount: 100, currency: 'eur' })).id,
  };
}

type Calls = Record<string, (stripe: Stripe, things: Things) => Promise<unknown>>;

/** An intent of the shop's own, in a state to go on from. */
const intent = (
  stripe: Stripe,
  capture_method: 'automatic' | 'manual',
  confirm: boolean,
): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.create({
    amount: 5000,
    currency: 'eur',
    payment_method: 'pm_card_visa',
    capture_method,
    confirm,
  });

const works: Record<string, Calls> = {
  products: {
    create: (stripe) => stripe.products.create({ name: 'Platea', metadata: { a: '1' } }),
    retrieve: (stripe, { product }) => stripe.products.retrieve(product),
    list: (stripe) => stripe.products.list({ active: true }),
    update: (stripe, { product }) => stripe.products.update(product, { description: 'x' }),
    search: (stripe) => stripe.products.search({ query: 'active:"true"' }),
    del: async (stripe) =>
      stripe.products.del((await stripe.products.create({ name: 'Breve' })).id),
  },
  prices: {
    create: (stripe, { product }) =>
      stripe.prices.create({ product, currency: 'eur', unit_amount: 100 }),
    retrieve: (stripe, { price }) => stripe.prices.retrieve(price),
    list: (stripe) => stripe.prices.list(),
    update: (stripe, { price }) => stripe.prices.update(price, { nickname: 'x' }),
    search: (stripe) => stripe.prices.search({ query: 'currency:"eur"' }),
  },
  'checkout.sessions': {
    create: (stripe, { price }) =>
      stripe.checkout.sessions.create({
        mode: 'payment',
        success_url: 'http://localhost/ok',
        line_items: [{ price, quantity: 1 }],
      }),
    retrieve: (stripe, { session }) => stripe.checkout.sessions.retrieve(session),
    list: (stripe) => stripe.checkout.sessions.list(),
    update: (stripe, { session }) =>
      stripe.checkout.sessions.update(session, { metadata: { a: '1' } }),
    listLineItems: (stripe, { session }) => stripe.checkout.sessions.listLineItems(session),
    expire: (stripe, { session }) => stripe.checkout.sessions.expire(session),
  },
  paymentIntents: {
    create: (stripe) => intent(stripe, 'automatic', true),
    retrieve: (stripe, { paidIntent }) => stripe.paymentIntents.retrieve(paidIntent),
    list: (stripe) => stripe.paymentIntents.list(),
    update: (stripe, { paidIntent }) =>
      stripe.paymentIntents.update(paidIntent, { description: 'x' }),
    search: (stripe) => stripe.paymentIntents.search({ query: 'status:"succeeded"' }),
    confirm: async (stripe) =>
      stripe.paymentIntents.confirm((await intent(stripe, 'automatic', false)).id),
    cancel: async (stripe) =>
      stripe.paymentIntents.cancel((await intent(stripe, 'manual', true)).id),
    capture: async (stripe) =>
      stripe.paymentIntents.capture((await intent(stripe, 'manual', true)).id),
  },
  charges: {
    create: (stripe) => stripe.charges.create({ amount: 100, currency: 'eur', source: 'tok_visa' }),
    capture: async (stripe) => {
      const held = { amount: 100, currency: 'eur', source: 'tok_visa', capture: false };
      return stripe.charges.capture((await stripe.charges.create(held)).id);
    },
    retrieve: (stripe, { charge }) => stripe.charges.retrieve(charge),
    list: (stripe) => stripe.charges.list(),
    update: (stripe, { charge }) => stripe.charges.update(charge, { metadata: { a: '1' } }),
    search: (stripe) => stripe.charges.search({ query: 'status:"succeeded"' }),
  },
  refunds: {
    create: (stripe, { charge }) => stripe.refunds.create({ charge, amount: 100 }),
    retrieve: (stripe, { refund }) => stripe.refunds.retrieve(refund),
    list: (stripe) => stripe.refunds.list(),
    update: (stripe, { refund }) => stripe.refunds.update(refund, { metadata: { a: '1' } }),
    // A card refund can never be cancelled, and that is the right answer.
    cancel: (stripe, { refund }) => refuses({ statusCode: 400 }, stripe.refunds.cancel(refund)),
  },
  balance: { retrieve: (stripe) => stripe.balance.retrieve() },
  balanceTransactions: {
    retrieve: (stripe, { transaction }) => stripe.balanceTransactions.retrieve(transaction),
    list: (stripe) => stripe.balanceTransactions.list({ type: 'charge', currency: 'eur' }),
  },
  disputes: {
    retrieve: (stripe, { dispute }) => stripe.disputes.retrieve(dispute),
    list: (stripe) => stripe.disputes.list(),
    update: (stripe, { dispute }) => stripe.disputes.update(dispute, { metadata: { a: '1' } }),
    close: (stripe, { dispute }) => stripe.disputes.close(dispute),
  },
  events: {
    retrieve: (stripe, { event }) => stripe.events.retrieve(event),
    list: (stripe) => stripe.events.list(),
  },
  webhookEndpoints: {
    create: (stripe) =>
      stripe.webhookEndpoints.create({
        url: 'http://127.0.0.1:9/none',
        enabled_events: ['refund.failed'],
      }),
    retrieve: (stripe, { endpoint }) => stripe.webhookEndpoints.retrieve(endpoint),
    list: (stripe) => stripe.webhookEndpoints.list(),
    update: (stripe, { endpoint }) =>
      stripe.webhookEndpoints.update(endpoint, { description: 'x' }),
    del: (stripe, { endpoint }) => stripe.webhookEndpoints.del(endpoint),
  },
  paymentMethods: {
    create: (stripe) => stripe.paymentMethods.create({ type: 'satispay' }),
    retrieve: (stripe, { method }) => stripe.paymentMethods.retrieve(method),
    list: (stripe, { customer }) => stripe.paymentMethods.list({ customer }),
    update: (stripe, { method }) => stripe.paymentMethods.update(method, { metadata: { a: '1' } }),
    attach: (stripe, { loose, customer }) => stripe.paymentMethods.attach(loose, { customer }),
    detach: (stripe, { method }) => stripe.paymentMethods.detach(method),
  },
  customers: {
    create: (stripe) => stripe.customers.create({ email: 'bea@example.it' }),
    retrieve: (stripe, { customer }) => stripe.customers.retrieve(customer),
    list: (stripe) => stripe.customers.list(),
    update: (stripe, { customer }) => stripe.customers.update(customer, { name: 'Anna B.' }),
    search: (stripe) => stripe.customers.search({ query: 'name:"anna"' }),
    listPaymentMethods: (stripe, { customer }) => stripe.customers.listPaymentMethods(customer),
    del: async (stripe) => stripe.customers.del((await stripe.customers.create()).id),
  },
  balanceSettings: {
    retrieve: (stripe) => stripe.balanceSettings.retrieve(),
    update: (stripe) =>
      stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'daily' } } } }),
  },
  payouts: {
    create: (stripe) => stripe.payouts.create({ amount: 100, currency: 'eur' }),
    retrieve: (stripe, { payout }) => stripe.payouts.retrieve(payout),
    list: (stripe) => stripe.payouts.list(),
    update: (stripe, { payout }) => stripe.payouts.update(payout, { metadata: { a: '1' } }),
    cancel: (stripe, { payout }) => stripe.payouts.cancel(payout),
  },
};

/** Stripe's, and not built here. */
const refused: Record<string, string[]> = {
  products: ['createFeature', 'deleteFeature', 'listFeatures', 'retrieveFeature'],
  paymentIntents: [
    'applyCustomerBalance',
    'incrementAuthorization',
    'listAmountDetailsLineItems',
    'verifyMicrodeposits',
  ],
  customers: [
    ...'createBalanceTransaction createFundingInstructions createSource createTaxId'.split(' '),
    ...'deleteDiscount deleteSource deleteTaxId listBalanceTransactions'.split(' '),
    ...'listCashBalanceTransactions listSources listTaxIds retrieveBalanceTransaction'.split(' '),
    ...'retrieveCashBalance retrieveCashBalanceTransaction retrievePaymentMethod'.split(' '),
    ...'retrieveSource retrieveTaxId updateBalanceTransaction updateCashBalance'.split(' '),
    'updateSource',
    'verifySource',
  ],
  payouts: ['reverse'],
};

function resourceOf(stripe: Stripe, name: string): object {
  return name.split('.').reduce<object>((at, step) => Reflect.get(at, step) as object, stripe);
}

function methodsOf(resource: object): string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
    .filter(
      (name) =>
        name !== 'constructor' &&
        !name.startsWith('_') &&
        typeof Reflect.get(resource, name) === 'function',
    )
    .sort();
}

test('every method of these resources is either built or known not to be', async () => {
  await using shop = await startShop();
  for (const [name, calls] of Object.entries(works)) {
    expect({ name, methods: [...Object.keys(calls), ...(refused[name] ?? [])].sort() }).toEqual({
      name,
      methods: methodsOf(resourceOf(shop.stripe, name)),
    });
  }
});

test('what is built works, and answers as the types say', { timeout: 120_000 }, async () => {
  await using shop = await startShop();
  const things = await makeThings(shop);
  for (const [name, calls] of Object.entries(works)) {
    for (const [method, call] of Object.entries(calls)) {
      const outcome = await call(shop.stripe, things).then(
        () => 'works',
        (error: unknown) => String(error),
      );
      expect(`${name}.${method}: ${outcome}`).toBe(`${name}.${method}: works`);
    }
  }
  await shop.stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
  for (const type of [
    'customer.deleted',
    'customer.updated',
    'payment_method.attached',
    'payment_method.detached',
    'payment_method.updated',
    'price.updated',
    'product.deleted',
    'product.updated',
  ]) {
    expect(shop.recorder.seen).toContain(`event ${type}`);
  }
});

test('what is not built says so with 501, and the SDK takes it for an error', async () => {
  await using shop = await startShop();
  for (const [name, methods] of Object.entries(refused)) {
    const resource = resourceOf(shop.stripe, name);
    for (const method of methods) {
      // Two ids are enough for any of them: what comes after is read as options.
      const call = Reflect.get(resource, method) as (...args: unknown[]) => Promise<unknown>;
      const two =
        /^(delete|retrieve|update|verify)/.test(method) &&
        !/CashBalance$|Discount$|Microdeposits$/.test(method);
      await refuses({ statusCode: 501 }, call.apply(resource, two ? ['id_1', 'id_2'] : ['id_1']));
    }
  }
  await refuses(
    { statusCode: 501, type: 'StripeAPIError', code: 'not_built' },
    shop.stripe.coupons.create({ percent_off: 10 }),
    shop.stripe.subscriptions.list(),
    shop.stripe.setupIntents.list(),
    shop.stripe.accounts.retrieve('acct_1'),
    shop.stripe.invoices.list(),
    shop.stripe.tokens.retrieve('tok_1'),
  );
});
