/** The bank's question (3-D Secure) and a wallet's own page add a step to a payment. */
import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { CARD, eventsOf, startShop, type PageAnswer, type Shop } from './shop.ts';

const ASKING = { payment_method: 'pm_card_authenticationRequired' };

async function typesOf(shop: Shop): Promise<string[]> {
  return (await eventsOf(shop.stripe))
    .map((event) => event.type)
    .filter((type) => !/^(product|price)/.test(type));
}

function answer(
  shop: Shop,
  session: { id: string },
  asked: PageAnswer,
  outcome: 'approve' | 'refuse',
): ReturnType<Shop['confirm']> {
  return shop.confirm(session, { next_action: asked.next_action?.id, outcome });
}

async function stateOf(
  shop: Shop,
  session: { id: string },
): Promise<{ session: Stripe.Checkout.Session; intent: Stripe.PaymentIntent }> {
  const expand = ['payment_intent.latest_charge'];
  const read = await shop.stripe.checkout.sessions.retrieve(session.id, { expand });
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
  expect(await stateOf(shop, session)).toMatchObject({
    session: { status: 'open' },
    intent: {
      status: 'requires_action',
      latest_charge: null,
      next_action: { type: 'redirect_to_url', redirect_to_url: { url: session.url } },
    },
  });
  expect(await shop.page(session)).toMatchObject({ next_action: asked.body.next_action });
  expect(await answer(shop, session, asked.body, 'approve')).toMatchObject({
    status: 200,
    body: { status: 'complete', payment_status: 'paid', next_action: null },
  });
  expect((await stateOf(shop, session)).intent).toMatchObject({
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
  const code = 'payment_intent_authentication_failure';
  expect(await answer(shop, session, asked.body, 'refuse')).toMatchObject({
    status: 402,
    body: { error: { code, message: expect.stringContaining('failed authentication') } },
  });
  expect(await stateOf(shop, session)).toMatchObject({
    session: { status: 'open' },
    intent: {
      status: 'requires_payment_method',
      latest_charge: null,
      last_payment_error: { code },
    },
  });
  expect((await shop.stripe.charges.list()).data).toEqual([]);
  expect(await answer(shop, session, asked.body, 'approve')).toMatchObject({
    status: 400,
    body: { error: { param: 'next_action' } },
  });
  const { body } = await shop.confirm(session, { payment_method: 'pm_card_visa' });
  expect(body.status).toBe('complete');
  expect(await typesOf(shop)).toContain('payment_intent.payment_failed');
});

test('a question that nobody answers is given up by paying another way', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const first = await shop.confirm(session, ASKING);
  const second = await shop.confirm(session, ASKING);
  expect(second.body.next_action?.id).not.toBe(first.body.next_action?.id);
  const statuses = [];
  for (const { body } of [first, second, second])
    statuses.push((await answer(shop, session, body, 'approve')).status);
  expect(statuses).toEqual([400, 200, 400]);
  expect((await shop.stripe.charges.list()).data).toHaveLength(1);
});

test('approval does not help a card that has no money or is declined afterwards', async () => {
  await using shop = await startShop();
  const cases = { '4000008400001629': 'generic_decline', '4000008260003178': 'insufficient_funds' };
  for (const [number, decline_code] of Object.entries(cases)) {
    const session = await shop.open();
    const made = await shop.method({ type: 'card', card: { ...CARD, number } });
    const asked = await shop.confirm(session, { payment_method: made.body.id });
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

test('the answer must fit the question and the sum, and a session that ends takes its question with it', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const asked = await shop.confirm(session, ASKING);
  const next_action = asked.body.next_action?.id;
  for (const [body, error] of [
    [{ next_action, outcome: 'approve', expected_amount: 4999 }, { param: 'expected_amount' }],
    [{ next_action: 'step_none', outcome: 'approve' }, { param: 'next_action' }],
    [{ next_action }, { param: 'outcome' }],
    [{ next_action, outcome: 'perhaps' }, {}],
  ] as const)
    expect(await shop.confirm(session, body)).toMatchObject({ status: 400, body: { error } });
  expect((await stateOf(shop, session)).intent.status).toBe('requires_action');
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

test('wallets ask on a page of their own and pay at once, with the fields that were filled in before', async () => {
  await using shop = await startShop();
  for (const type of ['satispay', 'paypal', 'klarna', 'link']) {
    const session = await shop.open({
      custom_fields: [{ key: 'nome', label: { type: 'custom', custom: 'Nome' }, type: 'text' }],
    });
    const pay = async () =>
      shop.confirm(session, {
        payment_method: (await shop.method({ type })).body.id,
        email: 'anna@example.it',
        custom_fields: { nome: 'Anna' },
      });
    const asked = await pay();
    expect(asked.body.next_action).toMatchObject({ type: 'redirect', payment_method_type: type });
    expect((await answer(shop, session, asked.body, 'refuse')).body.error).toMatchObject({
      code: 'payment_method_customer_decline',
    });
    const again = await pay();
    expect((await answer(shop, session, again.body, 'approve')).body).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
    });
    expect(await stateOf(shop, session)).toMatchObject({
      session: {
        customer_details: { email: 'anna@example.it' },
        custom_fields: [{ text: { value: 'Anna' } }],
      },
      intent: {
        latest_charge: {
          id: expect.stringMatching(/^py_/),
          payment_method_details: { type },
        },
      },
    });
  }
});
