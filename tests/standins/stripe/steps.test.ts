/** Payments that take more than one move: the bank's question (3-D Secure), a wallet's own page, and direct debits whose outcome comes days later. */
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { CARD, startShop, type PageAnswer, type Shop } from './shop.ts';

const ASKING = { payment_method: 'pm_card_authenticationRequired', expected_amount: 5000 };

async function typesOf(shop: Shop): Promise<string[]> {
  return (await shop.stripe.events.list({ limit: 100 })).data
    .map((event) => event.type)
    .filter((type) => !/^(product|price)/.test(type))
    .reverse();
}

function answer(
  shop: Shop,
  session: { id: string },
  asked: PageAnswer,
  outcome: 'approve' | 'refuse',
): ReturnType<Shop['confirm']> {
  return shop.confirm(session, {
    next_action: asked.next_action?.id,
    outcome,
    expected_amount: 5000,
  });
}

async function stateOf(
  shop: Shop,
  session: { id: string },
): Promise<{ session: Stripe.Checkout.Session; intent: Stripe.PaymentIntent }> {
  const read = await shop.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge'],
  });
  return { session: read, intent: read.payment_intent as Stripe.PaymentIntent };
}

test('a card that asks for authentication waits for the buyer, and pays once he approves', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const asked = await shop.confirm(session, ASKING);
  expect(asked).toMatchObject({
    status: 200,
    body: {
      status: 'open',
      payment_status: 'unpaid',
      next_action: { type: 'authenticate', payment_method_type: 'card' },
    },
  });
  const waiting = await stateOf(shop, session);
  expect(waiting).toMatchObject({
    session: { status: 'open' },
    intent: {
      status: 'requires_action',
      latest_charge: null,
      next_action: { type: 'redirect_to_url', redirect_to_url: { url: session.url } },
    },
  });
  expect(
    await (await fetch(`${shop.running.url}/v1/payment_pages/${session.id}`)).json(),
  ).toMatchObject({ next_action: asked.body.next_action });
  expect(await answer(shop, session, asked.body, 'approve')).toMatchObject({
    status: 200,
    body: { status: 'complete', payment_status: 'paid', next_action: null },
  });
  const paid = await stateOf(shop, session);
  expect(paid.intent).toMatchObject({
    status: 'succeeded',
    next_action: null,
    latest_charge: {
      payment_method_details: { card: { three_d_secure: { result: 'authenticated' } } },
    },
  });
  expect(await typesOf(shop)).toEqual([
    'payment_intent.created',
    'payment_intent.requires_action',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ]);
});

test('a refused question charges nothing and leaves the session to another try', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const asked = await shop.confirm(session, { ...ASKING, email: 'anna@example.it' });
  expect(await answer(shop, session, asked.body, 'refuse')).toMatchObject({
    status: 402,
    body: {
      error: {
        code: 'payment_intent_authentication_failure',
        message: expect.stringContaining('failed authentication'),
      },
    },
  });
  expect(await stateOf(shop, session)).toMatchObject({
    session: { status: 'open' },
    intent: {
      status: 'requires_payment_method',
      latest_charge: null,
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    },
  });
  expect((await shop.stripe.charges.list()).data).toEqual([]);
  expect(await answer(shop, session, asked.body, 'approve')).toMatchObject({
    status: 400,
    body: { error: { param: 'next_action' } },
  });
  expect(
    (await shop.confirm(session, { payment_method: 'pm_card_visa', expected_amount: 5000 })).body
      .status,
  ).toBe('complete');
  expect(await typesOf(shop)).toContain('payment_intent.payment_failed');
});

test('a question that nobody answers is given up by paying another way', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const first = await shop.confirm(session, ASKING);
  const second = await shop.confirm(session, ASKING);
  expect(second.body.next_action?.id).not.toBe(first.body.next_action?.id);
  expect((await answer(shop, session, first.body, 'approve')).status).toBe(400);
  expect((await answer(shop, session, second.body, 'approve')).body.status).toBe('complete');
  expect((await answer(shop, session, second.body, 'approve')).status).toBe(400);
  expect((await shop.stripe.charges.list()).data).toHaveLength(1);
});

test('approval does not help a card that has no money or is declined afterwards', async () => {
  await using shop = await startShop();
  const cases = { '4000008400001629': 'generic_decline', '4000008260003178': 'insufficient_funds' };
  for (const [number, decline_code] of Object.entries(cases)) {
    const session = await shop.open();
    const asked = await shop.confirm(session, {
      payment_method_data: { type: 'card', card: { ...CARD, number } },
      expected_amount: 5000,
    });
    expect(await answer(shop, session, asked.body, 'approve')).toMatchObject({
      status: 402,
      body: { error: { type: 'card_error', code: 'card_declined', decline_code } },
    });
    expect(await stateOf(shop, session)).toMatchObject({
      session: { status: 'open' },
      intent: { status: 'requires_payment_method', latest_charge: { status: 'failed' } },
    });
  }
});

test('a card that only supports authentication is asked when the shop wants it', async () => {
  await using shop = await startShop();
  const plain = await shop.open();
  expect(
    (
      await shop.confirm(plain, {
        payment_method: 'pm_card_threeDSecureOptional',
        expected_amount: 5000,
      })
    ).body.status,
  ).toBe('complete');
  const strict = await shop.open({
    payment_method_options: { card: { request_three_d_secure: 'any' } },
  });
  expect(
    (
      await shop.confirm(strict, {
        payment_method: 'pm_card_threeDSecureOptional',
        expected_amount: 5000,
      })
    ).body.next_action?.type,
  ).toBe('authenticate');
});

test('a session that ends while the bank is asking takes the question with it', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const asked = await shop.confirm(session, ASKING);
  await shop.stripe.checkout.sessions.expire(session.id);
  expect(await stateOf(shop, session)).toMatchObject({
    session: { status: 'expired' },
    intent: { status: 'canceled', next_action: null },
  });
  expect(await answer(shop, session, asked.body, 'approve')).toMatchObject({
    status: 400,
    body: { error: { code: 'checkout_session_not_open' } },
  });
  expect((await shop.stripe.charges.list()).data).toEqual([]);
});

test('the answer must fit the question and the sum', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const asked = await shop.confirm(session, ASKING);
  expect(
    await shop.confirm(session, {
      next_action: asked.body.next_action?.id,
      outcome: 'approve',
      expected_amount: 4999,
    }),
  ).toMatchObject({ status: 400, body: { error: { param: 'expected_amount' } } });
  expect(
    await shop.confirm(session, {
      next_action: 'step_none',
      outcome: 'approve',
      expected_amount: 5000,
    }),
  ).toMatchObject({ status: 400, body: { error: { param: 'next_action' } } });
  expect(
    await shop.confirm(session, { next_action: asked.body.next_action?.id, expected_amount: 5000 }),
  ).toMatchObject({ status: 400, body: { error: { param: 'outcome' } } });
  expect(
    await shop.confirm(session, {
      next_action: asked.body.next_action?.id,
      outcome: 'perhaps',
      expected_amount: 5000,
    }),
  ).toMatchObject({ status: 400 });
  expect((await stateOf(shop, session)).intent.status).toBe('requires_action');
});

test('wallets ask on a page of their own and pay at once, with the fields that were filled in before', async () => {
  await using shop = await startShop();
  for (const type of ['satispay', 'paypal', 'klarna', 'link']) {
    const session = await shop.open({
      custom_fields: [{ key: 'nome', label: { type: 'custom', custom: 'Nome' }, type: 'text' }],
    });
    const asked = await shop.confirm(session, {
      payment_method_data: { type },
      expected_amount: 5000,
      email: 'anna@example.it',
      custom_fields: { nome: 'Anna' },
    });
    expect(asked.body.next_action).toMatchObject({ type: 'redirect', payment_method_type: type });
    expect((await answer(shop, session, asked.body, 'refuse')).body.error).toMatchObject({
      code: 'payment_method_customer_decline',
    });
    const again = await shop.confirm(session, {
      payment_method_data: { type },
      expected_amount: 5000,
      email: 'anna@example.it',
      custom_fields: { nome: 'Anna' },
    });
    expect((await answer(shop, session, again.body, 'approve')).body).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
    });
    const { session: paid, intent } = await stateOf(shop, session);
    expect(paid).toMatchObject({
      customer_details: { email: 'anna@example.it' },
      custom_fields: [{ text: { value: 'Anna' } }],
    });
    expect(intent.latest_charge).toMatchObject({
      id: expect.stringMatching(/^py_/),
      payment_method_details: { type },
    });
  }
});

test('a direct debit completes the session unpaid, and the money comes later', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const done = await shop.confirm(session, {
    payment_method_data: {
      type: 'sepa_debit',
      sepa_debit: { iban: 'AT32 1904 3002 3547 3204' },
      billing_details: { name: 'Anna' },
    },
    expected_amount: 5000,
    email: 'anna@example.it',
  });
  expect(done.body).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
  expect(await stateOf(shop, session)).toMatchObject({
    session: { status: 'complete', payment_status: 'unpaid' },
    intent: {
      status: 'processing',
      amount_received: 0,
      latest_charge: { status: 'pending', paid: false },
    },
  });
  shop.clock.now += 179_000;
  expect((await stateOf(shop, session)).intent.status).toBe('processing');
  shop.clock.now += 1000;
  expect(await stateOf(shop, session)).toMatchObject({
    session: { payment_status: 'paid' },
    intent: {
      status: 'succeeded',
      amount_received: 5000,
      latest_charge: { status: 'succeeded', paid: true },
    },
  });
  await shop.running.tick();
  expect(await typesOf(shop)).toEqual([
    'payment_intent.created',
    'charge.pending',
    'payment_intent.processing',
    'checkout.session.completed',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.async_payment_succeeded',
    'charge.updated',
  ]);
});

test('a direct debit that the bank does not pay ends the payment, not the session', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  await shop.confirm(session, { payment_method: 'pm_failed_at', expected_amount: 5000 });
  shop.clock.now += 5000;
  expect(await stateOf(shop, session)).toMatchObject({
    session: { status: 'complete', payment_status: 'unpaid' },
    intent: {
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_method_provider_decline' },
      latest_charge: { status: 'failed' },
    },
  });
  expect((await typesOf(shop)).slice(-3)).toEqual([
    'charge.failed',
    'payment_intent.payment_failed',
    'checkout.session.async_payment_failed',
  ]);
  expect(
    (await shop.confirm(session, { payment_method: 'pm_card_visa', expected_amount: 5000 })).status,
  ).toBe(400);
});

test('an account that is not one of the test accounts is refused in the words of the page', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  for (const iban of ['IT60X0542811101000000123456', 'IT60X0542811101000000123457', 'x']) {
    const { status, body } = await shop.confirm(session, {
      payment_method_data: { type: 'sepa_debit', sepa_debit: { iban } },
      expected_amount: 5000,
    });
    expect({ iban, status, param: body.error?.param }).toEqual({
      iban,
      status: 400,
      param: expect.stringContaining('sepa_debit[iban]'),
    });
  }
});
