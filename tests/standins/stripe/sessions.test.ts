/** Checkout sessions as a shop makes, reads, lists and ends them. */
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { refusalOf, refuses, startShop } from './shop.ts';

const MINUTE = 60_000;

test('a session made with everything a ticket shop sends can be read back', async () => {
  await using shop = await startShop();
  const price = await shop.price(2500);
  const fee = await shop.price(150, 'Prevendita');
  const made = await shop.stripe.checkout.sessions.create({
    mode: 'payment',
    client_reference_id: 'order-1',
    locale: 'it',
    submit_type: 'book',
    line_items: [
      { price: price.id, quantity: 3 },
      { price: fee.id, quantity: 3 },
    ],
    phone_number_collection: { enabled: true },
    customer_creation: 'if_required',
    billing_address_collection: 'auto',
    custom_fields: [
      {
        key: 'nome',
        label: { type: 'custom', custom: 'Nome e cognome' },
        type: 'text',
        optional: false,
      },
    ],
    allowed_payment_method_types: ['card', 'link', 'satispay', 'klarna', 'paypal'],
    adaptive_pricing: { enabled: false },
    success_url: 'http://localhost:3000/orders/1/from_stripe_cs/complete',
    cancel_url: 'http://localhost:3000/orders/1/from_stripe_cs/open',
    expires_at: shop.clock.now / 1000 + 35 * 60,
    metadata: { order_id: 'order-1' },
    payment_intent_data: {
      metadata: { order_id: 'order-1' },
      description: 'Due biglietti',
      receipt_email: 'anna@example.it',
    },
  });
  expect(made).toMatchObject({
    object: 'checkout.session',
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 7950,
    amount_subtotal: 7950,
    currency: 'eur',
    livemode: false,
    payment_intent: null,
    customer_details: null,
    metadata: { order_id: 'order-1' },
    payment_method_types: ['card', 'satispay', 'paypal', 'klarna', 'link'],
    ui_mode: 'hosted_page',
    url: expect.stringMatching(
      new RegExp(`^http://localhost:3000/standins/stripe/c/pay/${made.id}#\\w{100,}$`),
    ),
    expires_at: shop.clock.now / 1000 + 35 * 60,
  });
  expect(made.id).toMatch(/^cs_test_\w{60}$/);
  expect(made).not.toHaveProperty('line_items');
  const read = await shop.stripe.checkout.sessions.retrieve(made.id, {
    expand: ['line_items', 'line_items.data.price.product'],
  });
  expect(
    read.line_items?.data.map((line) => [line.description, line.quantity, line.amount_total]),
  ).toEqual([
    ['Platea intero', 3, 7500],
    ['Prevendita', 3, 450],
  ]);
  expect(read.line_items?.data[0]?.price?.product).toMatchObject({
    object: 'product',
    name: 'Platea intero',
  });
  const lines = await shop.stripe.checkout.sessions.listLineItems(made.id, { limit: 1 });
  expect(lines).toMatchObject({ has_more: true, data: [{ description: 'Platea intero' }] });
  const rest = await shop.stripe.checkout.sessions.listLineItems(made.id, {
    starting_after: lines.data[0]!.id,
  });
  expect(rest).toMatchObject({ has_more: false, data: [{ description: 'Prevendita' }] });
});

test('parameters that Stripe would refuse are refused with its code and the name of the parameter', async () => {
  await using shop = await startShop();
  const { checkout, prices } = shop.stripe;
  const { id } = await shop.price(2500);
  const inDollars = { currency: 'usd', unit_amount: 2500, product_data: { name: 'Estero' } };
  const [dollars, cheap] = [(await prices.create(inDollars)).id, (await shop.price(10)).id];
  const good = {
    mode: 'payment',
    success_url: 'http://localhost/ok',
    line_items: [{ price: id, quantity: 1 }],
  };
  const at = Math.floor(shop.clock.now / 1000);
  const line = (more: object) => ({ line_items: [{ price: id, quantity: 1, ...more }] });
  const ownPrice = (more: object) => ({
    line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 900, ...more } }],
  });
  const product_data = { name: 'x' };
  const field = (key: string) => ({ key, label: { type: 'custom', custom: 'x' }, type: 'text' });
  /** What is changed of the good ones; the code, or the status where there is none; the parameter. */
  const cases: [Record<string, unknown>, string | number, string?][] = [
    [{ colour: 'red' }, 'parameter_unknown', 'colour'],
    [line({ seat: 'A1' }), 'parameter_unknown', 'line_items[0][seat]'],
    [{ payment_method_types: ['card'] }, 'parameter_unknown', 'payment_method_types'],
    [{ ui_mode: 'hosted' }, 400, 'ui_mode'],
    [{ mode: undefined }, 'parameter_missing', 'mode'],
    [{ success_url: undefined }, 'parameter_missing', 'success_url'],
    [{ success_url: 'javascript:alert(1)' }, 'url_invalid', 'success_url'],
    [{ line_items: undefined }, 'parameter_missing', 'line_items'],
    [line({ price: 'price_none' }), 'resource_missing', 'line_items[0][price]'],
    [line({ quantity: undefined }), 'parameter_missing', 'line_items[0][quantity]'],
    [line({ quantity: 0 }), 'parameter_invalid_integer', 'line_items[0][quantity]'],
    [line({ quantity: 'two' }), 'parameter_invalid_integer'],
    [{ line_items: Array.from({ length: 101 }, () => good.line_items[0]) }, 400, 'line_items'],
    [{ line_items: [id, dollars].map((price) => ({ price, quantity: 1 })) }, 400, 'line_items'],
    [line({ price: cheap, quantity: 4 }), 'amount_too_small'],
    [line({ quantity: 40_000 }), 'amount_too_large'],
    [{ expires_at: at + 30 * 60 - 1 }, 400, 'expires_at'],
    [{ expires_at: at + 24 * 3600 + 1 }, 400, 'expires_at'],
    [{ client_reference_id: 'x'.repeat(201) }, 400, 'client_reference_id'],
    [{ customer_email: '' }, 'parameter_invalid_empty', 'customer_email'],
    [{ customer_email: 'anna' }, 'email_invalid', 'customer_email'],
    [{ metadata: Object.fromEntries([...Array(51).keys()].map((n) => [n, 'v'])) }, 400, 'metadata'],
    [{ metadata: { ['k'.repeat(41)]: 'v' } }, 400, 'metadata'],
    [{ metadata: { key: 'v'.repeat(501) } }, 400, 'metadata[key]'],
    [{ locale: 'xx' }, 400, 'locale'],
    [{ allowed_payment_method_types: ['ideal'] }, 400, 'allowed_payment_method_types'],
    [
      { allowed_payment_method_types: ['card'], excluded_payment_method_types: ['card'] },
      400,
      'allowed_payment_method_types',
    ],
    [
      line({ price_data: { currency: 'eur', unit_amount: 1, product_data } }),
      'parameters_exclusive',
    ],
    [
      ownPrice({ product_data, unit_amount: undefined }),
      'parameter_missing',
      'line_items[0][price_data][unit_amount]',
    ],
    [ownPrice({}), 'parameter_missing', 'line_items[0][price_data][product]'],
    [ownPrice({ product: 'prod_none' }), 'resource_missing', 'line_items[0][price_data][product]'],
    [{ custom_fields: ['a', 'b', 'c', 'd'].map(field) }, 400, 'custom_fields'],
    [{ custom_fields: [field('non va')] }, 400, 'custom_fields[0][key]'],
    [{ discounts: [{ coupon: 'c' }] }, 501, 'discounts'],
    [{ ui_mode: 'embedded_page' }, 501, 'ui_mode'],
    [{ ui_mode: 'sideways' }, 400, 'ui_mode'],
    [{ submit_type: 'subscribe' }, 400, 'submit_type'],
    [{ customer: 'cus_1', customer_email: 'a@b.it' }, 400, 'customer'],
    [{ customer: 'cus_1' }, 'resource_missing', 'customer'],
    [{ expand: ['colour'] }, 400, 'expand'],
    [{ mode: 'subscription' }, 501, 'mode'],
    [
      { shipping_address_collection: { allowed_countries: ['IT'] } },
      501,
      'shipping_address_collection',
    ],
  ];
  for (const [change, why, param] of cases) {
    const params = { ...good, ...change } as Stripe.Checkout.SessionCreateParams;
    const { statusCode, code, param: told } = await refusalOf(checkout.sessions.create(params));
    expect([change, statusCode, told]).toEqual([
      change,
      typeof why === 'number' ? why : 400,
      param ?? told,
    ]);
    if (typeof why === 'string') expect([change, code]).toEqual([change, why]);
  }
  expect((await checkout.sessions.list()).data).toEqual([]);
});

test('an archived price or product cannot be sold', async () => {
  await using shop = await startShop();
  const { prices, products } = shop.stripe;
  const { id, product } = await shop.price(2500);
  const sell = () => shop.open({ line_items: [{ price: id, quantity: 1 }] });
  const refused = (words: string) => ({
    statusCode: 400,
    type: 'StripeInvalidRequestError',
    message: expect.stringContaining(words),
  });
  await prices.update(id, { active: false });
  await refuses(refused('active prices'), sell());
  await prices.update(id, { active: true });
  await products.update(product as string, { active: false });
  await refuses(refused('not active'), sell());
});

test('a session ends when its time is over, also when nobody reads it, says so once, and can be read as expired', async () => {
  await using shop = await startShop();
  const { sessions } = shop.stripe.checkout;
  const session = await shop.open({
    expires_at: shop.clock.now / 1000 + 35 * 60,
    customer_email: 'anna@example.it',
  });
  shop.clock.now += 35 * MINUTE - 1000;
  expect((await sessions.retrieve(session.id)).status).toBe('open');
  shop.clock.now += 1000;
  expect(await sessions.retrieve(session.id)).toMatchObject({
    status: 'expired',
    url: null,
    payment_intent: null,
    customer_details: { email: 'anna@example.it' },
  });
  await shop.receiver.reached(1);
  await shop.running.tick();
  const told = () => shop.receiver.got.map(({ type }) => type);
  expect(told()).toEqual(['checkout.session.expired']);
  expect(await shop.confirm(session, { payment_method: 'pm_card_visa' })).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request_error' } },
  });
  await shop.open();
  shop.clock.now += 24 * 60 * MINUTE;
  await shop.running.tick();
  expect(told()).toEqual(Array(2).fill('checkout.session.expired'));
});

test('only an open session can be expired by call', async () => {
  await using shop = await startShop();
  const { sessions } = shop.stripe.checkout;
  const { id } = await shop.open();
  expect(await sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
  const refused = (words: RegExp) => ({
    statusCode: 400,
    type: 'StripeInvalidRequestError',
    message: expect.stringMatching(words),
  });
  await refuses(refused(/open.*expired/), sessions.expire(id));
  const paid = await shop.open();
  await shop.confirm(paid, { payment_method: 'pm_card_visa' });
  await refuses(refused(/open.*complete/), sessions.expire(paid.id));
  await refuses({ statusCode: 404, code: 'resource_missing' }, sessions.expire('cs_none'));
});

test('sessions can be listed by state, payment, buyer and time, newest first, page by page', async () => {
  await using shop = await startShop();
  const first = await shop.open();
  shop.clock.now += MINUTE;
  const second = await shop.open();
  await shop.confirm(second, { payment_method: 'pm_card_visa', email: 'anna@example.it' });
  const third = await shop.open();
  await shop.stripe.checkout.sessions.expire(third.id);
  const { sessions } = shop.stripe.checkout;
  const ids = async (params: Stripe.Checkout.SessionListParams): Promise<string[]> =>
    (await sessions.list(params)).data.map((session) => session.id);
  expect(await ids({})).toEqual([third.id, second.id, first.id]);
  expect(await ids({ status: 'open' })).toEqual([first.id]);
  expect(await ids({ status: 'complete', created: { gte: second.created } })).toEqual([second.id]);
  expect(await ids({ created: { lt: second.created } })).toEqual([first.id]);
  expect(await ids({ customer_details: { email: 'anna@example.it' } })).toEqual([second.id]);
  const { payment_intent } = await sessions.retrieve(second.id);
  expect(await ids({ payment_intent: payment_intent as string })).toEqual([second.id]);
  const page = await sessions.list({ limit: 2 });
  expect(page.has_more).toBe(true);
  expect(await ids({ limit: 2, starting_after: second.id })).toEqual([first.id]);
  expect(await ids({ limit: 2, ending_before: first.id })).toEqual([third.id, second.id]);
  const all: string[] = [];
  for await (const session of sessions.list({ limit: 1 })) all.push(session.id);
  expect(all).toEqual([third.id, second.id, first.id]);
  const unknown = { client_reference_id: 'x' } as Stripe.Checkout.SessionListParams;
  for (const [asked, refusal] of [
    [{ starting_after: 'cs_none' }, { statusCode: 400, param: 'starting_after' }],
    [{ limit: 101 }, { statusCode: 400, param: 'limit' }],
    [unknown, { code: 'parameter_unknown' }],
  ] as const)
    await refuses(refusal, sessions.list(asked));
});

test('metadata can be changed key by key and emptied, and what the payment is called until somebody tries to pay', async () => {
  await using shop = await startShop();
  const { sessions } = shop.stripe.checkout;
  const { id } = await shop.open({
    metadata: { a: '1', b: '2' },
    payment_intent_data: { description: 'Prima', metadata: { a: '1' } },
  });
  const change = async (metadata: Stripe.MetadataParam | '') =>
    (await sessions.update(id, { metadata })).metadata;
  expect(await change({ b: '', c: '3' })).toEqual({ a: '1', c: '3' });
  expect(await change('')).toEqual({});
  await sessions.update(id, { payment_intent_data: { description: 'Dopo', metadata: { b: '2' } } });
  await shop.confirm({ id }, { payment_method: 'pm_card_chargeDeclined' });
  expect((await shop.stripe.paymentIntents.list()).data).toMatchObject([
    { description: 'Dopo', metadata: { a: '1', b: '2' } },
  ]);
  await refuses(
    { statusCode: 400, param: 'payment_intent_data' },
    sessions.update(id, { payment_intent_data: { description: 'Troppo tardi' } }),
  );
  await refuses(
    { statusCode: 501 },
    sessions.update(id, { line_items: [{ id: 'li_1', quantity: 2 }] }),
  );
});

test('a session may bring its own price, which nobody else can buy', async () => {
  await using shop = await startShop();
  const product_data = { name: 'Biglietto sciolto', description: 'Fila A' };
  const made = await shop.open({
    expand: ['line_items'],
    line_items: [{ quantity: 2, price_data: { currency: 'eur', unit_amount: 1250, product_data } }],
  });
  expect(made).toMatchObject({ amount_total: 2500, currency: 'eur' });
  const [line] = made.line_items!.data;
  expect(line).toMatchObject({
    description: 'Biglietto sciolto',
    price: { unit_amount: 1250, active: false },
  });
  await refuses(
    { statusCode: 400 },
    shop.open({ line_items: [{ price: line!.price!.id, quantity: 1 }] }),
  );
});

test('a shop narrows the ways to pay, and what is not offered in the currency is not shown', async () => {
  await using shop = await startShop();
  const typesOf = async (params: Partial<Stripe.Checkout.SessionCreateParams>) =>
    (await shop.open(params)).payment_method_types;
  const yen = await shop.stripe.prices.create({
    currency: 'jpy',
    unit_amount: 2500,
    product_data: { name: 'Straniero' },
  });
  for (const [asked, types] of [
    [{}, ['card', 'satispay', 'paypal', 'klarna', 'link', 'sepa_debit']],
    [{ allowed_payment_method_types: ['card', 'ideal'] }, ['card']],
    [
      { excluded_payment_method_types: ['sepa_debit', 'klarna', 'paypal'] },
      ['card', 'satispay', 'link'],
    ],
    [{ line_items: [{ price: yen.id, quantity: 1 }] }, ['card', 'link']],
  ] as [Partial<Stripe.Checkout.SessionCreateParams>, string[]][])
    expect(await typesOf(asked)).toEqual(types);
  const session = await shop.open({ allowed_payment_method_types: ['card'] });
  const wallet = { payment_method_data: { type: 'satispay' } };
  expect(await shop.confirm(session, wallet)).toMatchObject({
    status: 400,
    body: { error: { param: 'payment_method' } },
  });
});

test('a session for a known customer carries his address, and one that is to make a customer makes one when it is paid', async () => {
  await using shop = await startShop();
  const { charges, checkout, customers } = shop.stripe;
  const customer = (await customers.create({ name: 'Anna', email: 'anna@example.it' })).id;
  const hers = await shop.open({ customer });
  expect(hers).toMatchObject({ customer, customer_email: 'anna@example.it' });
  await shop.confirm(hers, { payment_method: 'pm_card_visa' });
  expect((await charges.list({ customer })).data).toHaveLength(1);
  const stranger = await shop.open({ customer_creation: 'always' });
  const bea = { email: 'bea@example.it', name: 'Bea' };
  await shop.confirm(stranger, { payment_method: 'pm_card_visa', ...bea });
  const made = (await checkout.sessions.retrieve(stranger.id)).customer as string;
  expect(await customers.retrieve(made)).toMatchObject(bea);
});
