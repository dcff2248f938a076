/** What the fixtures of Stripe's command-line tool ask for beside the shop's own calls: tokens, shipping, a dispute that is there at once. */
import { expect, test } from 'vitest';
import { refusalOf, startShop } from './shop.ts';

const FACTS = { amount: 5000, currency: 'eur' };
const shipping = {
  address: { line1: 'Via Roma 1', city: 'Livorno', country: 'IT', postal_code: '57100' },
  name: 'Anna Bianchi',
};
const whole = {
  address: { ...shipping.address, line2: null, state: null },
  carrier: null,
  name: 'Anna Bianchi',
  phone: null,
  tracking_number: null,
};

test('a payment method is made of a token, and pays as the card that the token stands for', async () => {
  await using shop = await startShop();
  const { paymentMethods, paymentIntents } = shop.stripe;
  const visa = await paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
  expect(visa.card).toMatchObject({ brand: 'visa', last4: '4242' });
  expect(
    await paymentIntents.create({ ...FACTS, payment_method: visa.id, confirm: true }),
  ).toMatchObject({ status: 'succeeded' });
  const declined = await paymentMethods.create({
    type: 'card',
    card: { token: 'tok_chargeDeclinedInsufficientFunds' },
  });
  expect(
    await refusalOf(
      paymentIntents.create({ ...FACTS, payment_method: declined.id, confirm: true }),
    ),
  ).toMatchObject({ statusCode: 402, decline_code: 'insufficient_funds' });
  expect(
    await refusalOf(paymentMethods.create({ type: 'card', card: { token: 'tok_none' } })),
  ).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'card[token]' });
});

test('where something is sent stands on the intent, on its charge and on the customer', async () => {
  await using shop = await startShop();
  const { charges, customers, paymentIntents } = shop.stripe;
  const paid = await paymentIntents.create({
    ...FACTS,
    shipping,
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  expect(paid.shipping).toEqual(whole);
  const charge = await charges.retrieve(paid.latest_charge as string);
  expect(charge.shipping).toEqual(whole);
  const sent = { ...shipping, carrier: 'Poste', tracking_number: '7' };
  expect((await charges.update(charge.id, { shipping: sent })).shipping).toEqual({
    ...whole,
    carrier: 'Poste',
    tracking_number: '7',
  });
  const { address, name, phone } = whole;
  const customer = await customers.create({ shipping });
  expect(customer.shipping).toEqual({ address, name, phone });
  expect((await customers.update(customer.id, { shipping: '' })).shipping).toBeNull();

  const session = await shop.open({ payment_intent_data: { shipping } });
  await shop.confirm(session, { payment_method: 'pm_card_visa', expected_amount: 5000 });
  const { payment_intent } = await shop.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent'],
  });
  expect(payment_intent).toMatchObject({ status: 'succeeded', shipping: whole });
});

test('a dispute is there when a caller asks right after the payment', async () => {
  await using shop = await startShop();
  const paid = await shop.stripe.paymentIntents.create({
    ...FACTS,
    payment_method: 'pm_card_createDispute',
    confirm: true,
  });
  const charge = await shop.stripe.charges.retrieve(paid.latest_charge as string);
  expect(charge.disputed).toBe(true);
  expect((await shop.stripe.disputes.list({ payment_intent: paid.id })).data).toMatchObject([
    { amount: 5000, status: 'needs_response' },
  ]);
});

test('a price that repeats is kept and changed, and a checkout that is no subscription does not take it', async () => {
  await using shop = await startShop();
  const { prices } = shop.stripe;
  const made = await prices.create({
    currency: 'eur',
    unit_amount: 1500,
    product_data: { name: 'Abbonamento' },
    recurring: { interval: 'month' },
  });
  expect(made).toMatchObject({
    type: 'recurring',
    recurring: {
      interval: 'month',
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
  });
  expect((await prices.update(made.id, { metadata: { foo: 'bar' } })).metadata).toEqual({
    foo: 'bar',
  });
  const listed = async (query: object) => (await prices.list(query)).data.map(({ id }) => id);
  expect(await listed({ type: 'recurring' })).toEqual([made.id]);
  expect(await listed({ recurring: { interval: 'year' } })).toEqual([]);
  expect(await listed({ type: 'one_time' })).not.toContain(made.id);
  expect(
    await refusalOf(shop.open({ line_items: [{ price: made.id, quantity: 1 }] })),
  ).toMatchObject({ statusCode: 400, message: expect.stringContaining('recurring price') });
});

test('confirmed by hand: set aside at once, and after the bank’s question only when the shop says so again', async () => {
  await using shop = await startShop();
  const { paymentIntents } = shop.stripe;
  const byHand = { ...FACTS, confirmation_method: 'manual', confirm: true } as const;
  const held = await paymentIntents.create({
    ...byHand,
    capture_method: 'manual',
    payment_method: 'pm_card_visa',
    return_url: 'https://teatro.example',
  });
  expect(held).toMatchObject({
    status: 'requires_capture',
    confirmation_method: 'manual',
    amount_capturable: 5000,
  });

  const asked = await paymentIntents.create({
    ...byHand,
    payment_method: 'pm_card_authenticationRequired',
    return_url: 'https://teatro.example/fatto',
  });
  expect(asked.status).toBe('requires_action');
  const secret = asked.client_secret!;
  const page = (await (await fetch(`${shop.running.url}/v1/payment_pages/${secret}`)).json()) as {
    next_action: { id: string };
  };
  const answered = await fetch(`${shop.running.url}/v1/payment_pages/${secret}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({
      expected_amount: '5000',
      next_action: page.next_action.id,
      outcome: 'approve',
    }),
  });
  expect([answered.status, await answered.json()]).toEqual([
    200,
    expect.objectContaining({
      payment_status: 'unpaid',
      success_url: expect.stringContaining('https://teatro.example/fatto?'),
    }),
  ]);
  expect((await paymentIntents.retrieve(asked.id)).status).toBe('requires_confirmation');
  expect((await paymentIntents.confirm(asked.id)).status).toBe('succeeded');
});

test('a method that is to be used again is the customer’s once it has paid, on an intent and on a session', async () => {
  await using shop = await startShop();
  const { customers, paymentIntents, paymentMethods } = shop.stripe;
  const kept = async (customer: string) => (await customers.listPaymentMethods(customer)).data;
  const customer = await customers.create({});
  const intent = await paymentIntents.create({
    ...FACTS,
    customer: customer.id,
    setup_future_usage: 'off_session',
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  expect(intent.setup_future_usage).toBe('off_session');
  expect((await kept(customer.id)).map(({ id }) => id)).toEqual([intent.payment_method]);
  const unset = await paymentIntents.create({ ...FACTS, setup_future_usage: 'on_session' });
  expect(
    (await paymentIntents.update(unset.id, { setup_future_usage: '' })).setup_future_usage,
  ).toBe(null);

  const session = await shop.open({
    customer_creation: 'always',
    payment_intent_data: { setup_future_usage: 'off_session', shipping },
  });
  const visa = await paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
  await shop.confirm(session, { payment_method: visa.id, expected_amount: 5000 });
  const paid = await shop.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent'],
  });
  expect(paid.payment_intent).toMatchObject({ setup_future_usage: 'off_session' });
  expect((await kept(paid.customer as string)).map(({ id }) => id)).toEqual([visa.id]);
});

test('a well-known card is attached as a method of its own, and pays for its customer', async () => {
  await using shop = await startShop();
  const { customers, paymentIntents, paymentMethods } = shop.stripe;
  const customer = (await customers.create({})).id;
  const method = await paymentMethods.attach('pm_card_visa', { customer });
  expect([method.id.startsWith('pm_'), method.id === 'pm_card_visa', method.customer]).toEqual([
    true,
    false,
    customer,
  ]);
  expect(
    await paymentIntents.create({ ...FACTS, customer, payment_method: method.id, confirm: true }),
  ).toMatchObject({ status: 'succeeded' });
  expect(await refusalOf(paymentMethods.attach('pm_card_nobody', { customer }))).toMatchObject({
    statusCode: 404,
  });
});

test('what will not be built says so with 501 and a sentence', async () => {
  await using shop = await startShop();
  const { prices, paymentIntents } = shop.stripe;
  // Gone from the SDK's types, and still sent by older majors.
  const older = { payment_method_types: ['customer_balance'] };
  for (const asked of [
    prices.create({
      currency: 'eur',
      unit_amount: 500,
      product_data: { name: 'Platea' },
      currency_options: { usd: { custom_unit_amount: { enabled: true } } },
    }),
    paymentIntents.create({ ...FACTS, ...older }),
    paymentIntents.create({
      ...FACTS,
      confirm: true,
      payment_method_data: { type: 'us_bank_account' },
    }),
    shop.open({ mode: 'subscription' }),
    shop.open({ shipping_options: [{ shipping_rate: 'shr_1' }] }),
  ]) {
    const refusal = await refusalOf(asked);
    expect(refusal).toMatchObject({
      statusCode: 501,
      code: 'not_built',
      message: expect.stringMatching(/^This stand-in does not offer .+\.$/),
    });
  }
});
