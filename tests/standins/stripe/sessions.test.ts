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
    submit_type: 'pay',
    line_items: [
      { price: price.id, quantity: 3 },
      { price: fee.id, quantity: 3 },
    ],
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
  expect(await shop.stripe.checkout.sessions.retrieve(made.id)).toEqual(made);
  expect(await shop.page(made)).toMatchObject({
    line_items: [
      { description: 'Platea intero', quantity: 3, amount_total: 7500 },
      { description: 'Prevendita', quantity: 3, amount_total: 450 },
    ],
  });
});

test('parameters that Stripe would refuse are refused with its code and the name of the parameter', async () => {
  await using shop = await startShop();
  const { checkout, prices, products } = shop.stripe;
  const { id } = await shop.price(2500);
  const { id: product } = await products.create({ name: 'Estero' });
  const inDollars = { currency: 'usd', unit_amount: 2500, product };
  const [dollars, cheap] = [(await prices.create(inDollars)).id, (await shop.price(10)).id];
  const good = {
    mode: 'payment',
    success_url: 'http://localhost/ok',
    line_items: [{ price: id, quantity: 1 }],
  };
  const at = Math.floor(shop.clock.now / 1000);
  const line = (more: object) => ({ line_items: [{ price: id, quantity: 1, ...more }] });
  const field = (key: string) => ({ key, label: { type: 'custom', custom: 'x' }, type: 'text' });
  /** The change to a good call, the code (or the status, without a code) and the parameter. */
  const cases: [Record<string, unknown>, string | number, string?][] = [
    [{ colour: 'red' }, 'parameter_unknown', 'colour'],
    [line({ seat: 'A1' }), 'parameter_unknown', 'line_items[0][seat]'],
    [{ payment_method_types: ['card'] }, 'parameter_unknown', 'payment_method_types'],
    [{ discounts: [{ coupon: 'c' }] }, 'parameter_unknown', 'discounts'],
    [{ mode: undefined }, 'parameter_missing', 'mode'],
    [{ mode: 'subscription' }, 400, 'mode'],
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
    [{ metadata: Object.fromEntries([...Array(51).keys()].map((n) => [n, 'v'])) }, 400, 'metadata'],
    [{ metadata: { ['k'.repeat(41)]: 'v' } }, 400, 'metadata'],
    [{ metadata: { key: 'v'.repeat(501) } }, 400, 'metadata[key]'],
    [{ locale: 'xx' }, 400, 'locale'],
    [{ allowed_payment_method_types: ['ideal'] }, 400, 'allowed_payment_method_types[0]'],
    [{ custom_fields: ['a', 'b', 'c', 'd'].map(field) }, 400, 'custom_fields'],
    [{ custom_fields: [field('non va')] }, 400, 'custom_fields[0][key]'],
    [{ custom_fields: [field('a'), field('a')] }, 400, 'custom_fields'],
    [{ submit_type: 'book' }, 400, 'submit_type'],
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
  const session = await shop.open({ expires_at: shop.clock.now / 1000 + 35 * 60 });
  shop.clock.now += 35 * MINUTE - 1000;
  expect((await sessions.retrieve(session.id)).status).toBe('open');
  shop.clock.now += 1000;
  expect(await sessions.retrieve(session.id)).toMatchObject({
    status: 'expired',
    url: null,
    payment_intent: null,
    customer_details: null,
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

test('sessions can be listed by time, newest first, page by page', async () => {
  await using shop = await startShop();
  const first = await shop.open();
  shop.clock.now += MINUTE;
  const second = await shop.open();
  const third = await shop.open();
  const { sessions } = shop.stripe.checkout;
  const ids = async (params: Stripe.Checkout.SessionListParams): Promise<string[]> =>
    (await sessions.list(params)).data.map((session) => session.id);
  expect(await ids({})).toEqual([third.id, second.id, first.id]);
  expect(await ids({ created: { gte: second.created } })).toEqual([third.id, second.id]);
  const page = await sessions.list({ limit: 2 });
  expect(page.has_more).toBe(true);
  expect(await ids({ limit: 2, starting_after: second.id })).toEqual([first.id]);
  const all: string[] = [];
  for await (const session of sessions.list({ limit: 1 })) all.push(session.id);
  expect(all).toEqual([third.id, second.id, first.id]);
  for (const [asked, refusal] of [
    [{ starting_after: 'cs_none' }, { statusCode: 400, param: 'starting_after' }],
    [{ limit: 101 }, { statusCode: 400, param: 'limit' }],
    [{ status: 'open' }, { code: 'parameter_unknown' }],
  ] as const)
    await refuses(refusal, sessions.list(asked));
});

test('a shop narrows the ways to pay', async () => {
  await using shop = await startShop();
  expect((await shop.open()).payment_method_types).toEqual([
    'card',
    'satispay',
    'paypal',
    'klarna',
    'link',
  ]);
  const session = await shop.open({ allowed_payment_method_types: ['card'] });
  expect(session.payment_method_types).toEqual(['card']);
  const wallet = await shop.method({ type: 'satispay' });
  expect(await shop.confirm(session, { payment_method: wallet.body.id })).toMatchObject({
    status: 400,
    body: { error: { param: 'payment_method' } },
  });
});
