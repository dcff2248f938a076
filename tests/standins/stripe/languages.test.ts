/** What clients in other languages send and expect, held against the types of the SDK that we have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf, startShop, type Shop } from './shop.ts';

interface Answer {
  status: number;
  body: { id?: string; error?: { code?: string; param?: string; message: string } } & Record<
    string,
    unknown
  >;
}

/** A form as it stands on the wire. */
async function say(shop: Shop, method: string, path: string, form = ''): Promise<Answer> {
  const isPost = method === 'POST';
  const address = `${shop.running.url}${path}${!isPost && form !== '' ? `?${form}` : ''}`;
  const response = await fetch(address, {
    method,
    headers: {
      authorization: `Bearer ${shop.running.secretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
      'stripe-version': '2026-10-28.endive',
    },
    ...(isPost ? { body: form } : {}),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

test('a flag is read as each language writes it, and nothing else is one', async () => {
  await using shop = await startShop();
  const product = (flag: string) => say(shop, 'POST', '/v1/products', `name=x&active=${flag}`);
  // Python's own words for them begin with a capital.
  for (const flag of ['true', 'True']) expect((await product(flag)).body['active']).toBe(true);
  for (const flag of ['false', 'False']) expect((await product(flag)).body['active']).toBe(false);
  for (const flag of ['yes', '2', '']) expect((await product(flag)).status).toBe(400);
  const paid = await say(
    shop,
    'POST',
    '/v1/payment_intents',
    'amount=100&currency=eur&payment_method=pm_card_visa&confirm=True&automatic_payment_methods[enabled]=True&automatic_payment_methods[allow_redirects]=never',
  );
  expect(paid.body).toMatchObject({
    status: 'succeeded',
    payment_method_types: ['card', 'sepa_debit'],
  });
  const off = 'mode=payment&success_url=https://x.it&automatic_tax[enabled]=';
  const session = (flag: string) => say(shop, 'POST', '/v1/checkout/sessions', off + flag);
  expect((await session('True')).status).toBe(501);
  expect((await session('False')).body.error).toMatchObject({ param: 'line_items' });
});

test('a product brings its first price', async () => {
  await using shop = await startShop();
  const { products } = shop.stripe;
  const made = await products.create({
    name: 'Platea',
    default_price_data: { currency: 'eur', unit_amount: 2500, tax_behavior: 'inclusive' },
    expand: ['default_price'],
  });
  expect(made.default_price).toMatchObject({ unit_amount: 2500, product: made.id, active: true });
  expect(
    await refusalOf(products.create({ name: 'x', default_price_data: { currency: 'eur' } })),
  ).toMatchObject({ param: 'default_price_data[unit_amount]' });
});

test('until it is paid an intent may change its sum, its customer and its method', async () => {
  await using shop = await startShop();
  const { customers, paymentIntents } = shop.stripe;
  const made = await paymentIntents.create({ amount: 2000, currency: 'eur' });
  const customer = await customers.create({ name: 'Ada' });
  expect(
    await paymentIntents.update(made.id, {
      amount: 2100,
      customer: customer.id,
      payment_method: 'pm_card_visa',
    }),
  ).toMatchObject({ amount: 2100, customer: customer.id, status: 'requires_confirmation' });
  expect(await refusalOf(paymentIntents.update(made.id, { amount: 1 }))).toMatchObject({
    code: 'amount_too_small',
  });
  expect(await paymentIntents.confirm(made.id)).toMatchObject({ amount_received: 2100 });
  expect(await refusalOf(paymentIntents.update(made.id, { amount: 3000 }))).toMatchObject({
    code: 'payment_intent_unexpected_state',
  });
  expect(await paymentIntents.update(made.id, { metadata: { a: 'b' } })).toMatchObject({
    amount: 2100,
    metadata: { a: 'b' },
  });
  const session = await shop.open();
  await shop.confirm(session, {
    payment_method: 'pm_card_chargeDeclined',
    expected_amount: session.amount_total,
    email: 'a@b.it',
  });
  const [ofSession] = (await paymentIntents.list({ limit: 1 })).data;
  expect(await refusalOf(paymentIntents.update(ofSession!.id, { amount: 3000 }))).toMatchObject({
    code: 'payment_intent_unexpected_state',
  });
});

test('the list inside a charge goes on at the address that it names', async () => {
  await using shop = await startShop();
  const { paymentIntents, refunds, charges } = shop.stripe;
  const paid = await paymentIntents.create({
    amount: 2000,
    currency: 'eur',
    payment_method: 'pm_card_visa',
    confirm: true,
    return_url: 'https://x.it',
  });
  for (let nth = 0; nth < 3; nth += 1)
    await refunds.create({ payment_intent: paid.id, amount: 100 });
  const charge = await charges.retrieve(paid.latest_charge as string, { expand: ['refunds'] });
  const [newest, middle, oldest] = charge.refunds!.data.map(({ id }) => id);
  const page = await say(shop, 'GET', charge.refunds!.url, `limit=1&starting_after=${newest}`);
  expect(page.body).toMatchObject({
    url: charge.refunds!.url,
    has_more: true,
    data: [{ id: middle }],
  });
  const last = await say(shop, 'GET', charge.refunds!.url, `starting_after=${middle}`);
  expect(last.body).toMatchObject({ has_more: false, data: [{ id: oldest }] });
  expect((await say(shop, 'GET', '/v1/charges/ch_none/refunds')).status).toBe(404);
});

test('a customer that was deleted is told to be so, and the account tells of itself', async () => {
  await using shop = await startShop();
  const { accounts, customers } = shop.stripe;
  const { id } = await customers.create({ email: 'ada@example.it' });
  await customers.del(id);
  expect(await customers.retrieve(id)).toMatchObject({ id, object: 'customer', deleted: true });
  expect(await refusalOf(customers.update(id, { name: 'x' }))).toMatchObject({ statusCode: 404 });
  expect(await refusalOf(customers.del(id))).toMatchObject({ statusCode: 404 });
  expect((await customers.list()).data).toEqual([]);
  expect(await accounts.retrieve(null)).toMatchObject({
    object: 'account',
    country: 'IT',
    charges_enabled: true,
  });
});

/** What each call takes, by the SDK's own types. */
const calls = [
  ['POST /v1/products', 'Products', 'ProductCreateParams'],
  ['POST /v1/products/:product', 'Products', 'ProductUpdateParams'],
  ['GET /v1/products', 'Products', 'ProductListParams'],
  ['POST /v1/prices', 'Prices', 'PriceCreateParams'],
  ['POST /v1/prices/:price', 'Prices', 'PriceUpdateParams'],
  ['GET /v1/prices', 'Prices', 'PriceListParams'],
  ['POST /v1/customers', 'Customers', 'CustomerCreateParams'],
  ['POST /v1/customers/:customer', 'Customers', 'CustomerUpdateParams'],
  ['GET /v1/customers', 'Customers', 'CustomerListParams'],
  ['POST /v1/payment_intents', 'PaymentIntents', 'PaymentIntentCreateParams'],
  ['POST /v1/payment_intents/:intent', 'PaymentIntents', 'PaymentIntentUpdateParams'],
  ['POST /v1/payment_intents/:intent/confirm', 'PaymentIntents', 'PaymentIntentConfirmParams'],
  ['POST /v1/payment_intents/:intent/capture', 'PaymentIntents', 'PaymentIntentCaptureParams'],
  ['GET /v1/payment_intents', 'PaymentIntents', 'PaymentIntentListParams'],
  ['GET /v1/charges', 'Charges', 'ChargeListParams'],
  ['POST /v1/refunds', 'Refunds', 'RefundCreateParams'],
  ['GET /v1/refunds', 'Refunds', 'RefundListParams'],
  ['GET /v1/balance_transactions', 'BalanceTransactions', 'BalanceTransactionListParams'],
  ['GET /v1/disputes', 'Disputes', 'DisputeListParams'],
  ['GET /v1/events', 'Events', 'EventListParams'],
  ['POST /v1/webhook_endpoints', 'WebhookEndpoints', 'WebhookEndpointCreateParams'],
] as const;

test('what the SDK may say is taken, or refused as not built, and never called unknown', async () => {
  await using shop = await startShop();
  const price = await shop.price(100);
  const ids: Record<string, string> = {
    price: price.id,
    product: price.product as string,
    customer: (await shop.stripe.customers.create()).id,
    intent: (await shop.stripe.paymentIntents.create({ amount: 100, currency: 'eur' })).id,
  };
  for (const [call, file, name] of calls) {
    const [method, path] = call.split(' ') as [string, string];
    const address = path.replace(/:(\w+)/, (_, key: string) => ids[key]!);
    const names = paramsOf(file, name);
    expect([name, names.length > 0]).toEqual([name, true]);
    for (const param of names) {
      const { error } = (await say(shop, method, address, `${param}=zz`)).body;
      const isUnknown = error?.code === 'parameter_unknown' && error.param === param;
      expect([call, param, isUnknown]).toEqual([call, param, false]);
    }
  }
});

/** The names of an interface of the SDK, without the groups behind them. */
function paramsOf(file: string, name: string): string[] {
  const path = join('node_modules/stripe/esm/resources', `${file}.d.ts`);
  const source = readFileSync(path, 'utf8').replaceAll(/\/\*\*[^]*?\*\//g, '');
  const body = source.split(`export interface ${name} `)[1]!.split(/^}/m)[0]!;
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, param]) => param!);
}
