/** Paying: through the two calls of the hosted page, with cards that work and cards that do not. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { TEST_CARDS } from '#server/standins/stripe/payment/cards.ts';
import { CARD, eventsOf, lastCharge, refuses, startShop, type Shop } from './shop.ts';

const VISA = { payment_method: 'pm_card_visa' };
/** As the page does: the card first, and then the session with it. */
async function payByCard(shop: Shop, session: { id: string }, change: object, typed: object = {}) {
  const made = await shop.method({ type: 'card', card: { ...CARD, ...change } });
  return made.status === 200
    ? shop.confirm(session, { payment_method: made.body.id, ...typed })
    : made;
}

test('a payment fills session, intent and charge, and is announced in order with signatures that hold', async () => {
  await using shop = await startShop();
  const session = await shop.open({
    payment_intent_data: { metadata: { order_id: 'o1' }, description: 'Biglietti' },
    custom_fields: [
      { key: 'nome', label: { type: 'custom', custom: 'Nome e cognome' }, type: 'text' },
    ],
  });
  expect(await shop.page(session)).toMatchObject({
    status: 'open',
    amount_total: 5000,
    line_items: [{ description: 'Platea intero', quantity: 2, unit_amount: 2500 }],
  });
  const buyer = { email: 'anna@example.it', name: 'Anna Bianchi' };
  expect(
    await payByCard(shop, session, {}, { ...buyer, custom_fields: { nome: 'Anna Bianchi' } }),
  ).toMatchObject({
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
    customer_details: { ...buyer, address: { country: 'IT' } },
    payment_intent: {
      status: 'succeeded',
      amount: 5000,
      amount_received: 5000,
      metadata: { order_id: 'o1' },
      latest_charge: {
        status: 'succeeded',
        paid: true,
        amount: 5000,
        metadata: { order_id: 'o1' },
        balance_transaction: null,
        receipt_number: null,
        payment_method_details: { card: { last4: '4242', brand: 'visa' } },
      },
    },
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
  const logged = (await eventsOf(shop.stripe)).map(({ type }) => type);
  expect(logged.slice(-4)).toEqual(shop.receiver.got.slice(0, 4).map(({ type }) => type));
});

test('a fee and a receipt follow a moment later: whoever has its address reads it, and nobody who guesses', async () => {
  await using shop = await startShop();
  const { charges, paymentIntents } = shop.stripe;
  const { id, payment_intent, receipt_url, receipt_number } = await shop.pay('pm_card_visa', {
    payment_intent_data: { description: 'La locandiera <script>' },
  });
  expect(receipt_number).toMatch(/^\d{4}-\d{4}$/);
  const expand = ['latest_charge.balance_transaction'];
  expect(await paymentIntents.retrieve(payment_intent as string, { expand })).toMatchObject({
    latest_charge: { balance_transaction: { amount: 5000, fee: 100, net: 4900, source: id } },
  });
  expect(shop.receiver.got.at(-1)?.type).toBe('charge.updated');
  expect(receipt_url).toMatch(
    /^http:\/\/localhost:3000\/standins\/stripe\/receipts\/ch_\w+-\w{40}$/,
  );
  const path = new URL(receipt_url!).pathname.replace('/standins/stripe', '');
  const receipt = await (await fetch(shop.running.url + path)).text();
  for (const shown of [receipt_number, '50,00\u00A0€', 'Visa •••• 4242'])
    expect(receipt).toContain(shown);
  expect(receipt).not.toContain('<script>');
  for (const guess of [id, `${id}-${'0'.repeat(40)}`])
    expect((await fetch(`${shop.running.url}/receipts/${guess}`)).status).toBe(404);

  await shop.confirm(await shop.open(), VISA);
  await shop.running.tick();
  const silent = await lastCharge(shop);
  expect(silent).toMatchObject({
    receipt_number: null,
    balance_transaction: expect.stringMatching(/^txn_/),
  });
  await charges.update(silent.id, { receipt_email: 'anna@example.it' });
  await shop.running.tick();
  expect((await lastCharge(shop)).receipt_number).toMatch(/^\d{4}-\d{4}$/);
});

test('a refused card leaves the session open, and a second card pays the same intent', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  expect(await payByCard(shop, session, { number: '4000000000000002' })).toMatchObject({
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
  const poor = { payment_method: 'pm_card_chargeDeclinedInsufficientFunds' };
  expect((await shop.confirm(session, poor)).body.error?.decline_code).toBe('insufficient_funds');
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
  expect((await shop.confirm(session, VISA)).status).toBe(200);
  const payment_intent = (between.payment_intent as Stripe.PaymentIntent).id;
  const charges = await shop.stripe.charges.list({ payment_intent });
  expect(charges.data.map((charge) => charge.status)).toEqual(['succeeded', 'failed', 'failed']);
  const made = (await eventsOf(shop.stripe)).filter(
    ({ type }) => type === 'payment_intent.created',
  );
  expect(made).toHaveLength(1);
});

test('a session that ends after a refused card takes its intent with it', async () => {
  await using shop = await startShop();
  const { sessions } = shop.stripe.checkout;
  const { id } = await shop.open();
  await shop.confirm({ id }, { payment_method: 'pm_card_chargeDeclined' });
  await sessions.expire(id);
  expect(await sessions.retrieve(id, { expand: ['payment_intent'] })).toMatchObject({
    status: 'expired',
    payment_intent: { status: 'canceled' },
  });
});

test('wrong card data is refused field by field, in English', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const cases: [Partial<typeof CARD>, string, string?][] = [
    [{ number: '4242424242424241' }, 'incorrect_number', 'number'],
    [{ number: '42' }, 'incorrect_number', 'number'],
    [{ exp_month: 13 }, 'invalid_expiry_month', 'exp_month'],
    [{ exp_year: 20 }, 'invalid_expiry_year', 'exp_year'],
    [{ cvc: '12' }, 'invalid_cvc', 'cvc'],
    [{ number: '4111111111111111' }, 'card_declined', 'number'],
    [{ number: '4100000000000019' }, 'card_declined'],
  ];
  for (const [change, code, param] of cases) {
    const { status, body } = await payByCard(shop, session, change);
    const error = { type: 'card_error', code, message: expect.stringMatching(/^Your card/) };
    expect({ change, status, ...body.error }).toMatchObject({
      change,
      status: 402,
      ...error,
      ...(param === undefined ? {} : { param }),
    });
  }
  expect((await shop.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
});

test('no decline has a word of Italian, and the page has Italian words for each', () => {
  const page = new URL('../../../server/standins/stripe/checkout/page-client.js', import.meta.url);
  const client = readFileSync(page, 'utf8');
  const declines = TEST_CARDS.flatMap(({ behaviour }) => behaviour.decline ?? []);
  expect(declines.length).toBeGreaterThan(10);
  for (const { code, message } of declines) {
    expect(message).toMatch(/^(Your card|An error)[\w' .]+$/);
    expect(client).toContain(`${code}:`);
  }
});

test('another sum than the one shown is not charged', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  for (const [expected_amount, error] of [
    [4999, { param: 'expected_amount' }],
    [undefined, { code: 'parameter_missing' }],
  ] as const)
    expect(await shop.confirm(session, { ...VISA, expected_amount })).toMatchObject({
      status: 400,
      body: { error },
    });
  expect((await shop.stripe.charges.list()).data).toEqual([]);
});

test('a payment method made without a key pays once and is otherwise of no use; only so many are made in a minute', async () => {
  await using shop = await startShop();
  const make = () =>
    fetch(`${shop.running.url}/v1/payment_methods`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'card', card: CARD }),
    });
  const method = (await (await make()).json()) as { id: string };
  expect(method.id).toMatch(/^pm_/);
  expect(JSON.stringify(method)).not.toContain('4242424242424242');
  const pay = async () => shop.confirm(await shop.open(), { payment_method: method.id });
  expect((await pay()).status).toBe(200);
  expect(await pay()).toMatchObject({ status: 400, body: { error: { param: 'payment_method' } } });
  const made = await Promise.all(Array.from({ length: 120 }, make));
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await make()).status).toBe(429);
  shop.clock.now += 61_000;
  expect((await make()).status).toBe(200);
});

test('another shop on the account is paid at once, without the page, or refused', async () => {
  await using shop = await startShop();
  const { paymentIntents } = shop.stripe;
  const pay = (payment_method: string, amount = 1000) =>
    paymentIntents.create({ amount, currency: 'eur', confirm: true, payment_method });
  expect(await pay('pm_card_visa')).toMatchObject({ status: 'succeeded', amount_received: 1000 });
  await refuses(
    { type: 'StripeCardError', payment_intent: { status: 'requires_payment_method' } },
    pay('pm_card_chargeDeclined'),
  );
  await refuses({ code: 'authentication_required' }, pay('pm_card_authenticationRequired'));
  await refuses({ code: 'amount_too_small', param: 'amount' }, pay('pm_card_visa', 49));
  const charges = (await shop.stripe.charges.list()).data;
  expect(charges.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
});

test('every declining card says why, and leaves its session open to another; a risky one is blocked before the bank hears of it', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const cases = {
    pm_card_chargeDeclined: ['card_declined', 'generic_decline'],
    pm_card_chargeDeclinedInsufficientFunds: ['card_declined', 'insufficient_funds'],
    pm_card_chargeDeclinedLostCard: ['card_declined', 'lost_card'],
    pm_card_chargeDeclinedStolenCard: ['card_declined', 'stolen_card'],
    pm_card_chargeDeclinedExpiredCard: ['expired_card', undefined],
    pm_card_chargeDeclinedIncorrectCvc: ['incorrect_cvc', undefined],
    pm_card_chargeDeclinedProcessingError: ['processing_error', undefined],
    pm_card_chargeDeclinedVelocityLimitExceeded: ['card_declined', 'card_velocity_exceeded'],
    pm_card_radarBlock: ['card_declined', 'fraudulent'],
  };
  for (const [payment_method, [code, decline_code]] of Object.entries(cases)) {
    const { status, body } = await shop.confirm(session, { payment_method });
    const told = { code: body.error?.code, decline_code: body.error?.decline_code };
    expect([payment_method, status, told]).toEqual([payment_method, 402, { code, decline_code }]);
  }
  expect(await shop.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
  });
  const charges = (await shop.stripe.charges.list()).data;
  expect(charges.map(({ status }) => status)).toEqual(Array(9).fill('failed'));
  expect(charges[0]).toMatchObject({
    outcome: { type: 'blocked', network_status: 'not_sent_to_network', risk_level: 'highest' },
  });
});
