/** Paying: through the two calls of the hosted page, with cards that work and cards that do not. */
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { CARD, startShop } from './shop.ts';

test('a payment fills session, intent and charge, and is announced in order with signatures that hold', async () => {
  await using shop = await startShop();
  const session = await shop.open({
    payment_intent_data: { metadata: { order_id: 'o1' }, description: 'Biglietti' },
    phone_number_collection: { enabled: true },
    custom_fields: [
      { key: 'nome', label: { type: 'custom', custom: 'Nome e cognome' }, type: 'text' },
    ],
  });
  const page = await fetch(`${shop.running.url}/v1/payment_pages/${session.id}`);
  expect(await page.json()).toMatchObject({
    status: 'open',
    amount_total: 5000,
    line_items: [{ description: 'Platea intero', quantity: 2, unit_amount: 2500 }],
  });
  const paid = await shop.confirm(session, {
    payment_method_data: { type: 'card', card: CARD },
    expected_amount: 5000,
    email: 'anna@example.it',
    name: 'Anna Bianchi',
    phone: '+39 333 1234567',
    custom_fields: { nome: 'Anna Bianchi' },
  });
  expect(paid).toMatchObject({
    status: 200,
    body: { status: 'complete', success_url: `http://localhost:3000/ok?cs=${session.id}` },
  });

  const read = await shop.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge'],
  });
  expect(read).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    custom_fields: [{ key: 'nome', text: { value: 'Anna Bianchi' } }],
    customer_details: {
      email: 'anna@example.it',
      name: 'Anna Bianchi',
      phone: '+39 333 1234567',
      address: { country: 'IT' },
    },
  });
  const intent = read.payment_intent as Stripe.PaymentIntent;
  expect(intent).toMatchObject({
    status: 'succeeded',
    amount: 5000,
    amount_received: 5000,
    metadata: { order_id: 'o1' },
  });
  expect(intent.latest_charge).toMatchObject({
    status: 'succeeded',
    paid: true,
    amount: 5000,
    metadata: { order_id: 'o1' },
    balance_transaction: null,
    receipt_number: null,
    payment_method_details: { card: { last4: '4242', brand: 'visa' } },
  });

  await shop.receiver.reached(4);
  expect(shop.receiver.got.slice(0, 4).map(({ type }) => type)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ]);
  const events = shop.receiver.got.map(({ raw, signature }) =>
    shop.stripe.webhooks.constructEvent(raw, signature, shop.running.webhookSecret!),
  );
  expect(events[3]).toMatchObject({
    api_version: '2026-10-28.endive',
    livemode: false,
    data: { object: { id: session.id, payment_status: 'paid' } },
  });
  const logged = await shop.stripe.events.list({
    types: ['charge.succeeded', 'checkout.session.completed'],
  });
  expect(logged.data.map((event) => event.type)).toEqual([
    'checkout.session.completed',
    'charge.succeeded',
  ]);
});

test('fees and the receipt number follow a moment later, announced by charge.updated', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  await shop.confirm(session, {
    payment_method: 'pm_card_visa',
    expected_amount: 5000,
    email: 'anna@example.it',
  });
  await shop.running.tick();
  const [charge] = (await shop.stripe.charges.list({ expand: ['data.balance_transaction'] })).data;
  expect(charge?.receipt_number).toMatch(/^\d{4}-\d{4}$/);
  expect(charge?.balance_transaction).toMatchObject({
    amount: 5000,
    fee: 100,
    net: 4900,
    source: charge?.id,
  });
  expect(shop.receiver.got.at(-1)?.type).toBe('charge.updated');
});

test('a refused card leaves the session open, and a second card pays the same intent', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const declined = await shop.confirm(session, {
    payment_method_data: { type: 'card', card: { ...CARD, number: '4000000000000002' } },
    expected_amount: 5000,
  });
  expect(declined).toMatchObject({
    status: 402,
    body: {
      error: {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: 'Your card was declined.',
      },
    },
  });
  const poor = await shop.confirm(session, {
    payment_method: 'pm_card_chargeDeclinedInsufficientFunds',
    expected_amount: 5000,
  });
  expect(poor.body.error?.decline_code).toBe('insufficient_funds');
  const between = await shop.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent'],
  });
  expect(between).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: {
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    },
  });
  expect(
    (await shop.confirm(session, { payment_method: 'pm_card_visa', expected_amount: 5000 })).status,
  ).toBe(200);
  const charges = await shop.stripe.charges.list({
    payment_intent: (between.payment_intent as Stripe.PaymentIntent).id,
  });
  expect(charges.data.map((charge) => charge.status)).toEqual(['succeeded', 'failed', 'failed']);
  expect((await shop.stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('a session that ends after a refused card takes its intent with it', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  await shop.confirm(session, { payment_method: 'pm_card_chargeDeclined', expected_amount: 5000 });
  await shop.stripe.checkout.sessions.expire(session.id);
  const read = await shop.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent'],
  });
  expect(read).toMatchObject({ status: 'expired', payment_intent: { status: 'canceled' } });
});

test('wrong card data is refused field by field, in Italian', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const cases: [Partial<typeof CARD>, { code: string; param?: string }][] = [
    [{ number: '4242424242424241' }, { code: 'incorrect_number', param: 'number' }],
    [{ number: '42' }, { code: 'incorrect_number', param: 'number' }],
    [{ exp_month: 13 }, { code: 'invalid_expiry_month', param: 'exp_month' }],
    [{ exp_year: 20 }, { code: 'invalid_expiry_year', param: 'exp_year' }],
    [{ cvc: '12' }, { code: 'invalid_cvc', param: 'cvc' }],
    [{ number: '4111111111111111' }, { code: 'card_declined', param: 'number' }],
    [{ number: '4100000000000019' }, { code: 'card_declined' }],
  ];
  for (const [change, expected] of cases) {
    const { status, body } = await shop.confirm(session, {
      payment_method_data: { type: 'card', card: { ...CARD, ...change } },
      expected_amount: 5000,
    });
    expect({ change, status, ...body.error }).toMatchObject({
      change,
      status: 402,
      type: 'card_error',
      ...expected,
    });
  }
  expect((await shop.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
});

test('another sum than the one shown is not charged', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  expect(
    await shop.confirm(session, { payment_method: 'pm_card_visa', expected_amount: 4999 }),
  ).toMatchObject({ status: 400, body: { error: { param: 'expected_amount' } } });
  expect(await shop.confirm(session, { payment_method: 'pm_card_visa' })).toMatchObject({
    status: 400,
    body: { error: { code: 'parameter_missing' } },
  });
  expect((await shop.stripe.charges.list()).data).toEqual([]);
});

test('of many confirmations at once exactly one pays', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      shop.confirm(session, { payment_method: 'pm_card_visa', expected_amount: 5000 }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([
    200, 400, 400, 400, 400, 400, 400, 400,
  ]);
  expect((await shop.stripe.charges.list()).data).toHaveLength(1);
});

test('a payment method made without a key pays once and is otherwise of no use', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const made = await fetch(`${shop.running.url}/v1/payment_methods`, {
    method: 'POST',
    body: new URLSearchParams({
      type: 'card',
      'card[number]': '4242424242424242',
      'card[exp_month]': '1',
      'card[exp_year]': '2034',
      'card[cvc]': '123',
    }),
  });
  const method = (await made.json()) as { id: string };
  expect(method.id).toMatch(/^pm_/);
  expect(JSON.stringify(method)).not.toContain('4242424242424242');
  expect((await fetch(`${shop.running.url}/v1/payment_methods/${method.id}`)).status).toBe(401);
  expect(
    (await shop.confirm(session, { payment_method: method.id, expected_amount: 5000 })).status,
  ).toBe(200);
  const other = await shop.open();
  expect(
    await shop.confirm(other, { payment_method: method.id, expected_amount: 5000 }),
  ).toMatchObject({ status: 400, body: { error: { param: 'payment_method' } } });
});

test('without a key only so many payment methods can be made in a minute', async () => {
  await using shop = await startShop();
  const make = async (): Promise<number> =>
    (
      await fetch(`${shop.running.url}/v1/payment_methods`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ type: 'card', card: CARD }),
      })
    ).status;
  for (let count = 0; count < 120; count += 1) expect(await make()).toBe(200);
  expect(await make()).toBe(429);
  shop.clock.now += 61_000;
  expect(await make()).toBe(200);
});

test('a session over nothing completes without a card', async () => {
  await using shop = await startShop();
  const free = await shop.price(0, 'Omaggio');
  const session = await shop.open({ line_items: [{ price: free.id, quantity: 1 }] });
  expect(
    (await shop.confirm(session, { expected_amount: 0, email: 'anna@example.it' })).status,
  ).toBe(200);
  expect(await shop.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'complete',
    payment_status: 'no_payment_required',
    payment_intent: null,
  });
});

test('a receipt can be read at its address by whoever has it, and by nobody who guesses', async () => {
  await using shop = await startShop();
  const session = await shop.open({
    payment_intent_data: { description: 'La locandiera <script>' },
  });
  await shop.confirm(session, {
    payment_method: 'pm_card_visa',
    expected_amount: 5000,
    email: 'anna@example.it',
  });
  await shop.running.tick();
  const [charge] = (await shop.stripe.charges.list()).data;
  expect(charge!.receipt_url).toMatch(
    /^http:\/\/localhost:3000\/standins\/stripe\/receipts\/ch_\w+-\w{40}$/,
  );
  const path = new URL(charge!.receipt_url!).pathname.replace('/standins/stripe', '');
  const receipt = await (await fetch(shop.running.url + path)).text();
  expect(receipt).toContain(charge!.receipt_number);
  expect(receipt).toContain('50,00\u00A0€');
  expect(receipt).toContain('Visa •••• 4242');
  expect(receipt).not.toContain('<script>');
  expect((await fetch(`${shop.running.url}/receipts/${charge!.id}-${'0'.repeat(40)}`)).status).toBe(
    404,
  );
  expect((await fetch(`${shop.running.url}/receipts/${charge!.id}`)).status).toBe(404);
});

test('without an e-mail address there is a fee but no receipt number, until an address is given', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  await shop.confirm(session, { payment_method: 'pm_card_visa', expected_amount: 5000 });
  await shop.running.tick();
  const [charge] = (await shop.stripe.charges.list()).data;
  expect(charge).toMatchObject({
    receipt_number: null,
    balance_transaction: expect.stringMatching(/^txn_/),
  });
  await shop.stripe.charges.update(charge!.id, { receipt_email: 'anna@example.it' });
  await shop.running.tick();
  expect((await shop.stripe.charges.retrieve(charge!.id)).receipt_number).toMatch(/^\d{4}-\d{4}$/);
});

test('a risky card is blocked before the bank hears of it', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  expect(
    await shop.confirm(session, { payment_method: 'pm_card_radarBlock', expected_amount: 5000 }),
  ).toMatchObject({ status: 402, body: { error: { decline_code: 'fraudulent' } } });
  const [charge] = (await shop.stripe.charges.list()).data;
  expect(charge).toMatchObject({
    status: 'failed',
    outcome: { type: 'blocked', network_status: 'not_sent_to_network', risk_level: 'highest' },
  });
});

test('every declining card says why, and leaves its session open to another', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const cases = {
    pm_card_chargeDeclined: ['card_declined', 'generic_decline'],
    pm_card_visa_chargeDeclinedInsufficientFunds: ['card_declined', 'insufficient_funds'],
    pm_card_chargeDeclinedLostCard: ['card_declined', 'lost_card'],
    pm_card_chargeDeclinedStolenCard: ['card_declined', 'stolen_card'],
    pm_card_chargeDeclinedExpiredCard: ['expired_card', undefined],
    pm_card_chargeDeclinedIncorrectCvc: ['incorrect_cvc', undefined],
    pm_card_chargeDeclinedProcessingError: ['processing_error', undefined],
    pm_card_chargeDeclinedVelocityLimitExceeded: ['card_declined', 'card_velocity_exceeded'],
  };
  for (const [payment_method, [code, decline_code]] of Object.entries(cases)) {
    const { status, body } = await shop.confirm(session, { payment_method, expected_amount: 5000 });
    expect({
      payment_method,
      status,
      code: body.error?.code,
      decline_code: body.error?.decline_code,
    }).toEqual({ payment_method, status: 402, code, decline_code });
  }
  expect(await shop.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
  });
  expect(
    (await shop.stripe.charges.list()).data.every((charge) => charge.status === 'failed'),
  ).toBe(true);
});
