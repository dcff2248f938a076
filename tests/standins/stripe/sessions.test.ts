/** Checkout sessions as a shop makes, reads, lists and ends them. */
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { refusalOf, startShop } from './shop.ts';

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
  const { id } = await shop.price(2500);
  const dollars = await shop.stripe.prices.create({
    product: (await shop.stripe.products.create({ name: 'Estero' })).id,
    currency: 'usd',
    unit_amount: 2500,
  });
  const cheap = await shop.price(10);
  const good = {
    mode: 'payment',
    success_url: 'http://localhost/ok',
    line_items: [{ price: id, quantity: 1 }],
  };
  const at = Math.floor(shop.clock.now / 1000);
  const cases: [Record<string, unknown>, { statusCode?: number; code?: string; param?: string }][] =
    [
      [
        { ...good, colour: 'red' },
        { code: 'parameter_unknown', param: 'colour' },
      ],
      [
        { ...good, line_items: [{ price: id, quantity: 1, seat: 'A1' }] },
        { code: 'parameter_unknown', param: 'line_items[0][seat]' },
      ],
      [
        { ...good, payment_method_types: ['card'] },
        { code: 'parameter_unknown', param: 'payment_method_types' },
      ],
      [{ ...good, ui_mode: 'hosted' }, { param: 'ui_mode' }],
      [
        { ...good, mode: undefined },
        { code: 'parameter_missing', param: 'mode' },
      ],
      [
        { ...good, success_url: undefined },
        { code: 'parameter_missing', param: 'success_url' },
      ],
      [
        { ...good, success_url: 'javascript:alert(1)' },
        { code: 'url_invalid', param: 'success_url' },
      ],
      [
        { ...good, line_items: undefined },
        { code: 'parameter_missing', param: 'line_items' },
      ],
      [
        { ...good, line_items: [{ price: 'price_none', quantity: 1 }] },
        { code: 'resource_missing', param: 'line_items[0][price]' },
      ],
      [
        { ...good, line_items: [{ price: id }] },
        { code: 'parameter_missing', param: 'line_items[0][quantity]' },
      ],
      [
        { ...good, line_items: [{ price: id, quantity: 0 }] },
        { code: 'parameter_invalid_integer', param: 'line_items[0][quantity]' },
      ],
      [
        { ...good, line_items: [{ price: id, quantity: 'two' }] },
        { code: 'parameter_invalid_integer' },
      ],
      [
        { ...good, line_items: Array.from({ length: 101 }, () => ({ price: id, quantity: 1 })) },
        { param: 'line_items' },
      ],
      [
        {
          ...good,
          line_items: [
            { price: id, quantity: 1 },
            { price: dollars.id, quantity: 1 },
          ],
        },
        { param: 'line_items' },
      ],
      [{ ...good, line_items: [{ price: cheap.id, quantity: 4 }] }, { code: 'amount_too_small' }],
      [{ ...good, line_items: [{ price: id, quantity: 40_000 }] }, { code: 'amount_too_large' }],
      [{ ...good, expires_at: at + 30 * 60 - 1 }, { param: 'expires_at' }],
      [{ ...good, expires_at: at + 24 * 3600 + 1 }, { param: 'expires_at' }],
      [{ ...good, client_reference_id: 'x'.repeat(201) }, { param: 'client_reference_id' }],
      [
        { ...good, customer_email: '' },
        { code: 'parameter_invalid_empty', param: 'customer_email' },
      ],
      [
        { ...good, customer_email: 'anna' },
        { code: 'email_invalid', param: 'customer_email' },
      ],
      [
        {
          ...good,
          metadata: Object.fromEntries(
            Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']),
          ),
        },
        { param: 'metadata' },
      ],
      [{ ...good, metadata: { ['k'.repeat(41)]: 'v' } }, { param: 'metadata' }],
      [{ ...good, metadata: { key: 'v'.repeat(501) } }, { param: 'metadata[key]' }],
      [{ ...good, locale: 'xx' }, { param: 'locale' }],
      [
        { ...good, allowed_payment_method_types: ['ideal'] },
        { param: 'allowed_payment_method_types' },
      ],
      [
        {
          ...good,
          allowed_payment_method_types: ['card'],
          excluded_payment_method_types: ['card'],
        },
        { param: 'allowed_payment_method_types' },
      ],
      [
        {
          ...good,
          line_items: [
            {
              price: id,
              quantity: 1,
              price_data: { currency: 'eur', unit_amount: 1, product_data: { name: 'x' } },
            },
          ],
        },
        { code: 'parameters_exclusive' },
      ],
      [
        {
          ...good,
          line_items: [
            { quantity: 1, price_data: { currency: 'eur', product_data: { name: 'x' } } },
          ],
        },
        { code: 'parameter_missing', param: 'line_items[0][price_data][unit_amount]' },
      ],
      [
        {
          ...good,
          line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 900 } }],
        },
        { code: 'parameter_missing', param: 'line_items[0][price_data][product]' },
      ],
      [
        {
          ...good,
          line_items: [
            {
              quantity: 1,
              price_data: { currency: 'eur', unit_amount: 900, product: 'prod_none' },
            },
          ],
        },
        { code: 'resource_missing', param: 'line_items[0][price_data][product]' },
      ],
      [
        {
          ...good,
          custom_fields: Array.from({ length: 4 }, (_, index) => ({
            key: `k${index}`,
            label: { type: 'custom', custom: 'x' },
            type: 'text',
          })),
        },
        { param: 'custom_fields' },
      ],
      [
        {
          ...good,
          custom_fields: [{ key: 'non va', label: { type: 'custom', custom: 'x' }, type: 'text' }],
        },
        { param: 'custom_fields[0][key]' },
      ],
      [
        { ...good, discounts: [{ coupon: 'c' }] },
        { statusCode: 501, param: 'discounts' },
      ],
      [
        { ...good, ui_mode: 'embedded_page' },
        { statusCode: 501, param: 'ui_mode' },
      ],
      [{ ...good, ui_mode: 'sideways' }, { param: 'ui_mode' }],
      [{ ...good, submit_type: 'subscribe' }, { param: 'submit_type' }],
      [{ ...good, customer: 'cus_1', customer_email: 'a@b.it' }, { param: 'customer' }],
      [
        { ...good, customer: 'cus_1' },
        { code: 'resource_missing', param: 'customer' },
      ],
      [{ ...good, expand: ['colour'] }, { param: 'expand' }],
      [
        { ...good, mode: 'subscription' },
        { statusCode: 501, param: 'mode' },
      ],
      [
        { ...good, shipping_address_collection: { allowed_countries: ['IT'] } },
        { statusCode: 501, param: 'shipping_address_collection' },
      ],
    ];
  for (const [params, expected] of cases) {
    const refusal = await refusalOf(
      shop.stripe.checkout.sessions.create(params as Stripe.Checkout.SessionCreateParams),
    );
    expect({
      given: params,
      statusCode: refusal.statusCode,
      code: refusal.code,
      param: refusal.param,
    }).toMatchObject({ given: params, statusCode: 400, ...expected });
  }
  expect((await shop.stripe.checkout.sessions.list()).data).toEqual([]);
});

test('an archived price or product cannot be sold', async () => {
  await using shop = await startShop();
  const price = await shop.price(2500);
  await shop.stripe.prices.update(price.id, { active: false });
  const line_items = [{ price: price.id, quantity: 1 }];
  expect(await refusalOf(shop.open({ line_items }))).toMatchObject({
    statusCode: 400,
    type: 'StripeInvalidRequestError',
    message: expect.stringContaining('active prices'),
  });
  await shop.stripe.prices.update(price.id, { active: true });
  await shop.stripe.products.update(price.product as string, { active: false });
  expect(await refusalOf(shop.open({ line_items }))).toMatchObject({
    statusCode: 400,
    message: expect.stringContaining('not active'),
  });
});

test('a client without a version header still speaks the older dialect', async () => {
  await using shop = await startShop();
  const price = await shop.price(2500);
  const body = new URLSearchParams({
    mode: 'payment',
    success_url: 'http://localhost/ok',
    'line_items[][price]': price.id,
    'line_items[0][quantity]': '1',
    'payment_method_types[]': 'card',
    ui_mode: 'hosted',
  });
  const answer = await fetch(`${shop.running.url}/v1/checkout/sessions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${shop.running.secretKey}` },
    body,
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ ui_mode: 'hosted', payment_method_types: ['card'] });
});

test('a session ends when its time is over, says so once, and can be read as expired', async () => {
  await using shop = await startShop();
  const session = await shop.open({
    expires_at: shop.clock.now / 1000 + 35 * 60,
    customer_email: 'anna@example.it',
  });
  shop.clock.now += 35 * MINUTE - 1000;
  expect((await shop.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
  shop.clock.now += 1000;
  expect(await shop.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'expired',
    url: null,
    payment_intent: null,
    customer_details: { email: 'anna@example.it' },
  });
  await shop.receiver.reached(1);
  await shop.running.tick();
  expect(shop.receiver.got.map(({ type }) => type)).toEqual(['checkout.session.expired']);
  const refused = await shop.confirm(session, {
    payment_method: 'pm_card_visa',
    expected_amount: 5000,
  });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request_error' } },
  });
});

test('time alone ends a session, without anybody reading it', async () => {
  await using shop = await startShop();
  await shop.open();
  shop.clock.now += 24 * 60 * MINUTE;
  await shop.running.tick();
  expect(shop.receiver.got.map(({ type }) => type)).toEqual(['checkout.session.expired']);
});

test('only an open session can be expired by call', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  expect(await shop.stripe.checkout.sessions.expire(session.id)).toMatchObject({
    status: 'expired',
    url: null,
  });
  const again = await refusalOf(shop.stripe.checkout.sessions.expire(session.id));
  expect(again).toMatchObject({
    statusCode: 400,
    type: 'StripeInvalidRequestError',
    message: expect.stringMatching(/open.*expired/),
  });
  const paid = await shop.open();
  await shop.confirm(paid, { payment_method: 'pm_card_visa', expected_amount: 5000 });
  expect(await refusalOf(shop.stripe.checkout.sessions.expire(paid.id))).toMatchObject({
    message: expect.stringMatching(/open.*complete/),
  });
  expect(await refusalOf(shop.stripe.checkout.sessions.expire('cs_none'))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
});

test('sessions can be listed by state, payment, buyer and time, newest first, page by page', async () => {
  await using shop = await startShop();
  const first = await shop.open();
  shop.clock.now += MINUTE;
  const second = await shop.open();
  await shop.confirm(second, {
    payment_method: 'pm_card_visa',
    expected_amount: 5000,
    email: 'anna@example.it',
  });
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
  expect(await refusalOf(sessions.list({ starting_after: 'cs_none' }))).toMatchObject({
    statusCode: 400,
    param: 'starting_after',
  });
  expect(await refusalOf(sessions.list({ limit: 101 }))).toMatchObject({
    statusCode: 400,
    param: 'limit',
  });
  expect(
    await refusalOf(
      sessions.list({ client_reference_id: 'x' } as Stripe.Checkout.SessionListParams),
    ),
  ).toMatchObject({ code: 'parameter_unknown' });
});

test('metadata can be changed key by key, and emptied', async () => {
  await using shop = await startShop();
  const { id } = await shop.open({ metadata: { a: '1', b: '2' } });
  const { sessions } = shop.stripe.checkout;
  expect((await sessions.update(id, { metadata: { b: '', c: '3' } })).metadata).toEqual({
    a: '1',
    c: '3',
  });
  expect((await sessions.update(id, { metadata: '' })).metadata).toEqual({});
});

test('a session may bring its own price, which nobody else can buy', async () => {
  await using shop = await startShop();
  const { sessions } = shop.stripe.checkout;
  const made = await sessions.create({
    mode: 'payment',
    success_url: 'http://localhost/ok',
    expand: ['line_items'],
    line_items: [
      {
        quantity: 2,
        price_data: {
          currency: 'eur',
          unit_amount: 1250,
          product_data: { name: 'Biglietto sciolto', description: 'Fila A' },
        },
      },
    ],
  });
  expect(made).toMatchObject({ amount_total: 2500, currency: 'eur' });
  const [line] = made.line_items!.data;
  expect(line).toMatchObject({
    description: 'Biglietto sciolto',
    price: { unit_amount: 1250, active: false },
  });
  expect(
    await refusalOf(shop.open({ line_items: [{ price: line!.price!.id, quantity: 1 }] })),
  ).toMatchObject({ statusCode: 400 });
});

test('a shop narrows the ways to pay, and what is not offered in the currency is not shown', async () => {
  await using shop = await startShop();
  const typesOf = async (params: Partial<Stripe.Checkout.SessionCreateParams>): Promise<string[]> =>
    (await shop.open(params)).payment_method_types;
  expect(await typesOf({})).toEqual(['card', 'satispay', 'paypal', 'klarna', 'link', 'sepa_debit']);
  expect(await typesOf({ allowed_payment_method_types: ['card', 'ideal'] })).toEqual(['card']);
  expect(
    await typesOf({ excluded_payment_method_types: ['sepa_debit', 'klarna', 'paypal'] }),
  ).toEqual(['card', 'satispay', 'link']);
  const yen = await shop.stripe.prices.create({
    currency: 'jpy',
    unit_amount: 2500,
    product_data: { name: 'Straniero' },
  });
  expect(await typesOf({ line_items: [{ price: yen.id, quantity: 1 }] })).toEqual(['card', 'link']);
  const session = await shop.open({ allowed_payment_method_types: ['card'] });
  expect(
    await shop.confirm(session, {
      payment_method_data: { type: 'satispay' },
      expected_amount: 5000,
    }),
  ).toMatchObject({ status: 400, body: { error: { param: 'payment_method' } } });
});

test('what the payment is called can be changed until somebody tries to pay', async () => {
  await using shop = await startShop();
  const { sessions } = shop.stripe.checkout;
  const { id } = await shop.open({
    payment_intent_data: { description: 'Prima', metadata: { a: '1' } },
  });
  await sessions.update(id, { payment_intent_data: { description: 'Dopo', metadata: { b: '2' } } });
  await shop.confirm({ id }, { payment_method: 'pm_card_chargeDeclined', expected_amount: 5000 });
  expect((await shop.stripe.paymentIntents.list()).data).toMatchObject([
    { description: 'Dopo', metadata: { a: '1', b: '2' } },
  ]);
  expect(
    await refusalOf(sessions.update(id, { payment_intent_data: { description: 'Troppo tardi' } })),
  ).toMatchObject({ statusCode: 400, param: 'payment_intent_data' });
  expect(
    await refusalOf(sessions.update(id, { line_items: [{ id: 'li_1', quantity: 2 }] })),
  ).toMatchObject({ statusCode: 501 });
});

test('a session for a known customer carries his address, and one that is to make a customer makes one when it is paid', async () => {
  await using shop = await startShop();
  const anna = await shop.stripe.customers.create({ name: 'Anna', email: 'anna@example.it' });
  const hers = await shop.open({ customer: anna.id });
  expect(hers).toMatchObject({ customer: anna.id, customer_email: 'anna@example.it' });
  await shop.confirm(hers, { payment_method: 'pm_card_visa', expected_amount: 5000 });
  expect((await shop.stripe.charges.list({ customer: anna.id })).data).toHaveLength(1);
  const stranger = await shop.open({ customer_creation: 'always' });
  await shop.confirm(stranger, {
    payment_method: 'pm_card_visa',
    expected_amount: 5000,
    email: 'bea@example.it',
    name: 'Bea',
  });
  const { customer } = await shop.stripe.checkout.sessions.retrieve(stranger.id);
  expect(await shop.stripe.customers.retrieve(customer as string)).toMatchObject({
    email: 'bea@example.it',
    name: 'Bea',
  });
});
