/** What our adapters never call, and other software on the same account does: charges of a token, further currencies, kept cards, clients in other languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, refuses, startShop } from './shop.ts';

const FACTS = { amount: 1000, currency: 'eur' } as const;
const VISA = { payment_method: 'pm_card_visa' };

test('a token pays as its card does, refuses as its card does, and what a charge has set aside is taken once or goes back', async () => {
  await using shop = await startShop();
  const { charges, paymentIntents, refunds } = shop.stripe;
  const make = (more: object) => charges.create({ ...FACTS, source: 'tok_visa', ...more });
  const paid = await make({ metadata: { order: '7' } });
  expect(paid).toMatchObject({
    status: 'succeeded',
    captured: true,
    payment_intent: null,
    metadata: { order: '7' },
    source: { object: 'card', brand: 'Visa', last4: '4242' },
  });
  const back = { amount: 400, payment_intent: null };
  expect(await refunds.create({ charge: paid.id, amount: 400 })).toMatchObject(back);
  await shop.running.tick();
  expect(await charges.retrieve(paid.id)).toMatchObject({
    amount_refunded: 400,
    balance_transaction: expect.stringMatching(/^txn_/),
  });
  for (const [asked, refusal] of [
    [{ source: 'tok_chargeDeclinedInsufficientFunds' }, { decline_code: 'insufficient_funds' }],
    [{ source: 'tok_authenticationRequired' }, { code: 'authentication_required' }],
    [{ source: 'tok_none' }, { code: 'resource_missing', param: 'source' }],
    [{ source: undefined }, { code: 'parameter_missing', param: 'source' }],
    [{ amount: 1 }, { code: 'amount_too_small' }],
    [{ customer: 'cus_1' }, { statusCode: 501 }],
  ] as [object, object][])
    await refuses(refusal, make(asked));
  const statuses = (await charges.list()).data.map(({ status }) => status);
  expect(statuses).toEqual(['failed', 'failed', 'succeeded']);

  const charge = (await make({ capture: false })).id;
  await refuses({ code: 'charge_not_refundable' }, refunds.create({ charge }));
  await refuses({ code: 'amount_too_large' }, charges.capture(charge, { amount: 1001 }));
  expect(await charges.capture(charge, { amount: 600 })).toMatchObject({
    captured: true,
    amount_captured: 600,
    amount_refunded: 400,
  });
  await refuses({ code: 'charge_already_captured' }, charges.capture(charge));
  const expire = (id: string) => ask(shop, `POST /v1/test_helpers/charges/${id}/expire`);
  const late = (await make({ capture: false })).id;
  await expire(late);
  expect(await charges.retrieve(late)).toMatchObject({ captured: false, refunded: true });
  await refuses({ code: 'charge_already_refunded' }, charges.capture(late));
  const held = await paymentIntents.create({
    ...FACTS,
    ...VISA,
    capture_method: 'manual',
    confirm: true,
  });
  const ofIntent = held.latest_charge as string;
  await refuses({ message: expect.stringContaining(held.id) }, charges.capture(ofIntent));
  await expire(ofIntent);
  expect(await paymentIntents.retrieve(held.id)).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'automatic',
    amount_capturable: 0,
  });
});

test('a price may have further currencies, told to who asks for them: a session in one of them is paid in it', async () => {
  await using shop = await startShop();
  const { checkout, prices } = shop.stripe;
  const facts = { currency: 'eur', unit_amount: 2500, product_data: { name: 'Platea' } };
  for (const [currency_options, param] of [
    [{ eur: { unit_amount: 100 } }, '[eur]'],
    [{ zzz: { unit_amount: 100 } }, '[zzz]'],
    [{ chf: { tax_behavior: 'inclusive' } }, '[chf][unit_amount]'],
    [{ chf: { unit_amount: -1 } }, '[chf][unit_amount]'],
  ] as const)
    await refuses(
      { statusCode: 400, param: `currency_options${param}` },
      prices.create({ ...facts, currency_options }),
    );
  expect((await prices.list()).data).toEqual([]);

  const expand = ['currency_options'];
  const made = await prices.create({ ...facts, currency_options: { chf: { unit_amount: 2400 } } });
  expect(made.currency_options).toBeUndefined();
  await prices.update(made.id, { currency_options: { usd: { unit_amount: 2900 } } });
  const told = await prices.retrieve(made.id, { expand });
  const amounts = Object.entries(told.currency_options!).map(([code, of]) => [
    code,
    of.unit_amount,
  ]);
  expect(Object.fromEntries(amounts)).toEqual({ eur: 2500, chf: 2400, usd: 2900 });

  const line_items = [{ price: made.id, quantity: 2 }];
  const session = await shop.open({ line_items, currency: 'chf' });
  expect(session).toMatchObject({ currency: 'chf', amount_total: 4800 });
  expect(await shop.page(session)).toMatchObject({
    line_items: [{ quantity: 2, unit_amount: 2400, amount_total: 4800 }],
  });
  await shop.confirm(session, { ...VISA, expected_amount: 4800 });
  const paid = { expand: ['payment_intent', 'line_items'] };
  expect(await checkout.sessions.retrieve(session.id, paid)).toMatchObject({
    payment_status: 'paid',
    payment_intent: { amount: 4800, currency: 'chf' },
    line_items: { data: [{ currency: 'chf', price: { currency: 'eur', unit_amount: 2500 } }] },
  });
  expect(await shop.open({ line_items })).toMatchObject({ currency: 'eur', amount_total: 5000 });
  await refuses(
    { statusCode: 400, param: 'line_items' },
    shop.open({ line_items, currency: 'gbp' }),
  );
});

test('a customer keeps a card and pays with it again and again; one that nobody keeps pays once', async () => {
  await using shop = await startShop();
  const { checkout, customers, paymentMethods, paymentIntents } = shop.stripe;
  const anna = { name: 'Anna', email: 'anna@example.it' };
  const customer = (await customers.create({ ...anna, metadata: { id: '7' } })).id;
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2034 };
  const { id } = await paymentMethods.create({ type: 'card', card });
  const pay = (more: object) =>
    paymentIntents.create({ ...FACTS, payment_method: id, confirm: true, ...more });
  const kept = async () =>
    (await customers.listPaymentMethods(customer)).data.map(({ id: one }) => one);
  await paymentMethods.attach(id, { customer });
  for (const _ of [1, 2])
    expect(await pay({ customer, off_session: true })).toMatchObject({
      status: 'succeeded',
      customer,
    });
  expect(await kept()).toEqual([id]);
  expect((await paymentMethods.list({ customer, type: 'card' })).data).toHaveLength(1);
  await paymentMethods.detach(id);
  await refuses({ statusCode: 400 }, paymentMethods.detach(id));
  await refuses(
    { message: expect.stringContaining('previously used') },
    paymentMethods.attach(id, { customer }),
  );
  await refuses({ param: 'payment_method' }, pay({}));

  // A well-known card becomes a method of its own, and one that is to be used again is kept once it has paid.
  const own = await paymentMethods.attach('pm_card_visa', { customer });
  expect([own.id === 'pm_card_visa', own.customer]).toEqual([false, customer]);
  expect((await pay({ customer, payment_method: own.id })).status).toBe('succeeded');
  await refuses({ statusCode: 404 }, paymentMethods.attach('pm_card_nobody', { customer }));
  const setup_future_usage = 'off_session';
  const again = await pay({ customer, ...VISA, setup_future_usage });
  expect(again.setup_future_usage).toBe('off_session');
  expect(await kept()).toContain(again.payment_method);
  const unset = await paymentIntents.create({ ...FACTS, setup_future_usage: 'on_session' });
  const without = await paymentIntents.update(unset.id, { setup_future_usage: '' });
  expect(without.setup_future_usage).toBe(null);
  const token = (await paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })).id;
  const payment_intent_data = { setup_future_usage } as const;
  const session = await shop.open({ customer_creation: 'always', payment_intent_data });
  await shop.confirm(session, { payment_method: token });
  const stranger = (await checkout.sessions.retrieve(session.id)).customer as string;
  const his = await customers.listPaymentMethods(stranger);
  expect(his.data.map((one) => one.id)).toEqual([token]);
  await refuses(
    { statusCode: 400, code: 'resource_missing', param: 'card[token]' },
    paymentMethods.create({ type: 'card', card: { token: 'tok_none' } }),
  );

  const change = { name: 'Anna B.', metadata: { id: '' } };
  expect(await customers.update(customer, change)).toMatchObject({ name: 'Anna B.', metadata: {} });
  expect((await customers.list({ email: anna.email })).data).toMatchObject([{ id: customer }]);
  await customers.del(customer);
  expect(await customers.retrieve(customer)).toMatchObject({ id: customer, deleted: true });
  await refuses(
    { statusCode: 404 },
    customers.update(customer, { name: 'x' }),
    customers.del(customer),
  );
  expect((await customers.list({ email: anna.email })).data).toEqual([]);
});

test('where something is sent stands on the intent, its charge, the customer and a session’s payment', async () => {
  await using shop = await startShop();
  const { charges, checkout, customers, paymentIntents } = shop.stripe;
  const place = { line1: 'Via Roma 1', city: 'Livorno', country: 'IT', postal_code: '57100' };
  const shipping = { address: place, name: 'Anna Bianchi' };
  const address = { ...place, line2: null, state: null };
  const whole = {
    address,
    carrier: null,
    name: 'Anna Bianchi',
    phone: null,
    tracking_number: null,
  };
  const paid = await paymentIntents.create({ ...FACTS, ...VISA, shipping, confirm: true });
  expect(paid.shipping).toEqual(whole);
  const charge = await charges.retrieve(paid.latest_charge as string);
  expect(charge.shipping).toEqual(whole);
  const sent = { carrier: 'Poste', tracking_number: '7' };
  expect(await charges.update(charge.id, { shipping: { ...shipping, ...sent } })).toMatchObject({
    shipping: { ...whole, ...sent },
  });
  const customer = await customers.create({ shipping });
  expect(customer.shipping).toEqual({ address, name: 'Anna Bianchi', phone: null });
  expect((await customers.update(customer.id, { shipping: '' })).shipping).toBeNull();
  const session = await shop.open({ payment_intent_data: { shipping } });
  await shop.confirm(session, VISA);
  const expand = ['payment_intent'];
  expect(await checkout.sessions.retrieve(session.id, { expand })).toMatchObject({
    payment_intent: { status: 'succeeded', shipping: whole },
  });
});

test('a price that repeats is kept and changed, and a checkout that is no subscription does not take it; a product brings its first price', async () => {
  await using shop = await startShop();
  const { prices, products } = shop.stripe;
  const { id, type, recurring } = await prices.create({
    currency: 'eur',
    unit_amount: 1500,
    product_data: { name: 'Abbonamento' },
    recurring: { interval: 'month' },
  });
  expect([type, recurring]).toMatchObject(['recurring', { interval: 'month', interval_count: 1 }]);
  const metadata = { foo: 'bar' };
  expect((await prices.update(id, { metadata })).metadata).toEqual(metadata);
  const listed = async (query: object) => (await prices.list(query)).data.map((one) => one.id);
  expect(await listed({ type: 'recurring' })).toEqual([id]);
  expect(await listed({ recurring: { interval: 'year' } })).toEqual([]);
  expect(await listed({ type: 'one_time' })).not.toContain(id);
  await refuses(
    { statusCode: 400, message: expect.stringContaining('recurring price') },
    shop.open({ line_items: [{ price: id, quantity: 1 }] }),
  );
  const made = await products.create({
    name: 'Platea',
    default_price_data: { currency: 'eur', unit_amount: 2500, tax_behavior: 'inclusive' },
    expand: ['default_price'],
  });
  expect(made.default_price).toMatchObject({ unit_amount: 2500, product: made.id, active: true });
  await refuses(
    { param: 'default_price_data[unit_amount]' },
    products.create({ name: 'x', default_price_data: { currency: 'eur' } }),
  );
});

test('a flag is read as each language writes it, and nothing else is one', async () => {
  await using shop = await startShop();
  const active = async (flag: string) => {
    const { status, body } = await ask(shop, 'POST /v1/products', {
      form: `name=x&active=${flag}`,
    });
    return status === 200 ? body['active'] : status;
  };
  // Python's own words for them begin with a capital.
  for (const flag of ['true', 'True']) expect(await active(flag)).toBe(true);
  for (const flag of ['false', 'False']) expect(await active(flag)).toBe(false);
  for (const flag of ['yes', '2', '']) expect(await active(flag)).toBe(400);
  const session = (flag: string) =>
    ask(shop, 'POST /v1/checkout/sessions', {
      form: `mode=payment&success_url=https://x.it&automatic_tax[enabled]=${flag}`,
    });
  expect((await session('True')).status).toBe(501);
  expect((await session('False')).body.error).toMatchObject({ param: 'line_items' });
});

test('the list inside a charge goes on at the address that it names, and the account tells of itself', async () => {
  await using shop = await startShop();
  const { accounts, charges, refunds } = shop.stripe;
  const charge = (await shop.pay()).id;
  for (let nth = 0; nth < 3; nth += 1) await refunds.create({ charge, amount: 100 });
  const inside = (await charges.retrieve(charge, { expand: ['refunds'] })).refunds!;
  const [newest, middle, oldest] = inside.data.map(({ id }) => id);
  const page = async (query: string) => (await ask(shop, `GET ${inside.url}?${query}`)).body;
  expect(await page(`limit=1&starting_after=${newest}`)).toMatchObject({
    url: inside.url,
    has_more: true,
    data: [{ id: middle }],
  });
  const last = await page(`starting_after=${middle}`);
  expect(last).toMatchObject({ has_more: false, data: [{ id: oldest }] });
  expect((await ask(shop, 'GET /v1/charges/ch_none/refunds')).status).toBe(404);
  const account = { object: 'account', country: 'IT', charges_enabled: true };
  expect(await accounts.retrieve(null)).toMatchObject(account);
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
