/** What our adapters never call, and other software on the same account does: charges of a token, further currencies, kept cards, clients in other languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, refuses, startShop } from './shop.ts';

const FACTS = { amount: 1000, currency: 'eur' } as const;
const VISA = { payment_method: 'pm_card_visa' };

test('a token pays as its card does or is refused, and what a charge has set aside is taken once or goes back', async () => {
  await using shop = await startShop();
  const { charges, refunds } = shop.stripe;
  const make = (more: object) => charges.create({ ...FACTS, source: 'tok_visa', ...more });
  const paid = await make({});
  expect(paid).toMatchObject({ status: 'succeeded', payment_intent: null });
  expect(await refunds.create({ charge: paid.id })).toMatchObject({ amount: 1000 });
  await refuses(
    { decline_code: 'insufficient_funds' },
    make({ source: 'tok_chargeDeclinedInsufficientFunds' }),
  );
  await refuses({ code: 'resource_missing', param: 'source' }, make({ source: 'tok_none' }));
  const charge = (await make({ capture: false })).id;
  await refuses({ code: 'charge_not_refundable' }, refunds.create({ charge }));
  const taken = { amount_captured: 600, amount_refunded: 400 };
  expect(await charges.capture(charge, { amount: 600 })).toMatchObject(taken);
  await refuses({ code: 'charge_already_captured' }, charges.capture(charge));
  const late = (await make({ capture: false })).id;
  await ask(shop, `POST /v1/test_helpers/charges/${late}/expire`);
  expect(await charges.retrieve(late)).toMatchObject({ captured: false, refunded: true });
});

test('a price may have further currencies: a session in one of them is paid in it', async () => {
  await using shop = await startShop();
  const { prices } = shop.stripe;
  const facts = { currency: 'eur', unit_amount: 2500, product_data: { name: 'Platea' } };
  const wrong = { ...facts, currency_options: { zzz: { unit_amount: 100 } } };
  await refuses({ param: 'currency_options[zzz]' }, prices.create(wrong));
  const made = await prices.create({ ...facts, currency_options: { chf: { unit_amount: 2400 } } });
  const told = await prices.retrieve(made.id, { expand: ['currency_options'] });
  expect(told.currency_options).toMatchObject({
    eur: { unit_amount: 2500 },
    chf: { unit_amount: 2400 },
  });
  const line_items = [{ price: made.id, quantity: 2 }];
  const session = await shop.open({ line_items, currency: 'chf' });
  expect((await shop.confirm(session, { ...VISA, expected_amount: 4800 })).status).toBe(200);
  const [charge] = (await shop.stripe.charges.list()).data;
  expect(charge).toMatchObject({ amount: 4800, currency: 'chf' });
  await refuses({ param: 'line_items' }, shop.open({ line_items, currency: 'gbp' }));
});

test('a customer keeps a card and pays with it again and again; one that nobody keeps pays once', async () => {
  await using shop = await startShop();
  const { customers, paymentMethods, paymentIntents } = shop.stripe;
  const email = 'anna@example.it';
  const customer = (await customers.create({ email })).id;
  const card = { token: 'tok_visa' };
  const { id } = await paymentMethods.create({ type: 'card', card });
  const pay = (more: object) =>
    paymentIntents.create({ ...FACTS, payment_method: id, confirm: true, ...more });
  const kept = async () => (await customers.listPaymentMethods(customer)).data.map((one) => one.id);
  await paymentMethods.attach(id, { customer });
  for (const _ of [1, 2])
    expect(await pay({ customer, off_session: true })).toMatchObject({ status: 'succeeded' });
  expect(await kept()).toEqual([id]);
  await paymentMethods.detach(id);
  await refuses({ statusCode: 400 }, paymentMethods.attach(id, { customer }));
  await refuses({ param: 'payment_method' }, pay({}));
  const again = await pay({ customer, ...VISA, setup_future_usage: 'off_session' });
  expect(await kept()).toEqual([again.payment_method]);
  await customers.del(customer);
  expect(await customers.retrieve(customer)).toMatchObject({ id: customer, deleted: true });
  expect((await customers.list({ email })).data).toEqual([]);
});

test('where something is sent stands on the intent and its charge', async () => {
  await using shop = await startShop();
  const address = { line1: 'Via Roma 1', city: 'Livorno', country: 'IT', postal_code: '57100' };
  const shipping = { address, name: 'Anna Bianchi' };
  const { charges, paymentIntents } = shop.stripe;
  const paid = await paymentIntents.create({ ...FACTS, ...VISA, shipping, confirm: true });
  expect(paid).toMatchObject({ shipping });
  expect(await charges.retrieve(paid.latest_charge as string)).toMatchObject({ shipping });
});

test('a price that repeats is kept, and a checkout does not take it; a product brings its first price', async () => {
  await using shop = await startShop();
  const { prices, products } = shop.stripe;
  const facts = { currency: 'eur', unit_amount: 1500 };
  const { id } = await prices.create({
    ...facts,
    product_data: { name: 'Abbonamento' },
    recurring: { interval: 'month' },
  });
  const listed = async (query: object) => (await prices.list(query)).data.map((one) => one.id);
  expect(await listed({ type: 'recurring' })).toEqual([id]);
  expect(await listed({ recurring: { interval: 'year' } })).toEqual([]);
  await refuses(
    { message: expect.stringContaining('recurring price') },
    shop.open({ line_items: [{ price: id, quantity: 1 }] }),
  );
  const expand = ['default_price'];
  const made = await products.create({ name: 'Platea', default_price_data: facts, expand });
  expect(made.default_price).toMatchObject({ unit_amount: 1500, product: made.id });
});

test('a flag is read as each language writes it, and nothing else is one', async () => {
  await using shop = await startShop();
  // Python's own words for them begin with a capital.
  for (const [flag, read] of Object.entries({ true: true, True: true, False: false, yes: 400 })) {
    const form = `name=x&active=${flag}`;
    const { status, body } = await ask(shop, 'POST /v1/products', { form });
    expect([flag, status === 200 ? body['active'] : status]).toEqual([flag, read]);
  }
});

test('the list inside a charge goes on at the address that it names, and the account tells of itself', async () => {
  await using shop = await startShop();
  const { accounts, charges, refunds } = shop.stripe;
  const charge = (await shop.pay()).id;
  for (const _ of [1, 2]) await refunds.create({ charge, amount: 100 });
  const inside = (await charges.retrieve(charge, { expand: ['refunds'] })).refunds!;
  const [newest, oldest] = inside.data.map(({ id }) => id);
  const { body } = await ask(shop, `GET ${inside.url}?starting_after=${newest}`);
  expect(body).toMatchObject({ url: inside.url, has_more: false, data: [{ id: oldest }] });
  expect(await accounts.retrieve(null)).toMatchObject({ object: 'account', country: 'IT' });
});

/** What each call takes, by the SDK's own types. */
const CALLS: [call: string, type: string][] = [
  ['POST /v1/products', 'Products.ProductCreateParams'],
  ['POST /v1/products/:product', 'Products.ProductUpdateParams'],
  ['GET /v1/products', 'Products.ProductListParams'],
  ['POST /v1/prices', 'Prices.PriceCreateParams'],
  ['POST /v1/prices/:price', 'Prices.PriceUpdateParams'],
  ['GET /v1/prices', 'Prices.PriceListParams'],
  ['POST /v1/customers', 'Customers.CustomerCreateParams'],
  ['POST /v1/customers/:customer', 'Customers.CustomerUpdateParams'],
  ['GET /v1/customers', 'Customers.CustomerListParams'],
  ['POST /v1/payment_intents', 'PaymentIntents.PaymentIntentCreateParams'],
  ['POST /v1/payment_intents/:intent', 'PaymentIntents.PaymentIntentUpdateParams'],
  ['POST /v1/payment_intents/:intent/confirm', 'PaymentIntents.PaymentIntentConfirmParams'],
  ['POST /v1/payment_intents/:intent/capture', 'PaymentIntents.PaymentIntentCaptureParams'],
  ['GET /v1/payment_intents', 'PaymentIntents.PaymentIntentListParams'],
  ['GET /v1/charges', 'Charges.ChargeListParams'],
  ['POST /v1/refunds', 'Refunds.RefundCreateParams'],
  ['GET /v1/refunds', 'Refunds.RefundListParams'],
  ['GET /v1/balance_transactions', 'BalanceTransactions.BalanceTransactionListParams'],
  ['GET /v1/disputes', 'Disputes.DisputeListParams'],
  ['GET /v1/events', 'Events.EventListParams'],
  ['POST /v1/webhook_endpoints', 'WebhookEndpoints.WebhookEndpointCreateParams'],
];

test('what the SDK may say is taken, or refused as not built, and never called unknown', async () => {
  await using shop = await startShop();
  const price = await shop.price(100);
  const ids: Record<string, string> = {
    price: price.id,
    product: price.product as string,
    customer: (await shop.stripe.customers.create()).id,
    intent: (await shop.stripe.paymentIntents.create(FACTS)).id,
  };
  for (const [call, type] of CALLS) {
    const address = call.replace(/:(\w+)/, (_, key: string) => ids[key]!);
    const names = paramsOf(type);
    expect([type, names.length > 0]).toEqual([type, true]);
    // Of those that it does not know it names the first.
    const form = [...names, 'colour'].map((name) => `${name}=zz`).join('&');
    const headers = { 'Stripe-Version': '2026-10-28.endive' };
    const { body } = await (call.startsWith('POST')
      ? ask(shop, address, { form, headers })
      : ask(shop, `${address}?${form}`, { headers }));
    expect([call, body.error?.code, body.error?.param]).toEqual([
      call,
      'parameter_unknown',
      'colour',
    ]);
  }
});

/** The names of an interface of the SDK, without the groups behind them. */
function paramsOf(type: string): string[] {
  const [file, name] = type.split('.');
  const path = join('node_modules/stripe/esm/resources', `${file}.d.ts`);
  const source = readFileSync(path, 'utf8').replaceAll(/\/\*\*[^]*?\*\//g, '');
  const body = source.split(`export interface ${name} `)[1]!.split(/^}/m)[0]!;
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, param]) => param!);
}
