/** Payment intents of the shop's own, without the hosted page: confirmed by call, authenticated on a page of their own, captured later, cancelled. */
import { expect, test } from 'vitest';
import { refusalOf, startShop } from './shop.ts';

const FACTS = { amount: 5000, currency: 'eur' };

test('an intent is made, given a method, and confirmed', async () => {
  await using shop = await startShop();
  const { paymentIntents } = shop.stripe;
  const made = await paymentIntents.create({
    ...FACTS,
    metadata: { order: '7' },
    receipt_email: 'anna@example.it',
  });
  expect(made).toMatchObject({
    status: 'requires_payment_method',
    client_secret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
    automatic_payment_methods: { enabled: true },
  });
  expect(await refusalOf(paymentIntents.confirm(made.id))).toMatchObject({
    statusCode: 400,
    code: 'payment_intent_unexpected_state',
  });
  expect(await paymentIntents.confirm(made.id, { payment_method: 'pm_card_visa' })).toMatchObject({
    status: 'succeeded',
    amount_received: 5000,
    metadata: { order: '7' },
  });
  expect(
    await refusalOf(paymentIntents.confirm(made.id, { payment_method: 'pm_card_visa' })),
  ).toMatchObject({ code: 'payment_intent_unexpected_state' });
  expect(await refusalOf(paymentIntents.cancel(made.id))).toMatchObject({
    code: 'payment_intent_unexpected_state',
  });
  expect(await shop.stripe.refunds.create({ payment_intent: made.id })).toMatchObject({
    status: 'succeeded',
    amount: 5000,
  });
});

test('a refused card is a 402 with the intent as it is now', async () => {
  await using shop = await startShop();
  const refusal = await refusalOf(
    shop.stripe.paymentIntents.create({
      ...FACTS,
      payment_method: 'pm_card_chargeDeclined',
      confirm: true,
    }),
  );
  expect(refusal).toMatchObject({
    statusCode: 402,
    type: 'StripeCardError',
    code: 'card_declined',
    decline_code: 'generic_decline',
    payment_intent: { status: 'requires_payment_method' },
  });
  const [intent] = (await shop.stripe.paymentIntents.list()).data;
  expect(
    await shop.stripe.paymentIntents.confirm(intent!.id, { payment_method: 'pm_card_visa' }),
  ).toMatchObject({ status: 'succeeded' });
});

test('an intent that needs its buyer has a page of its own, and ends as the page says', async () => {
  await using shop = await startShop();
  for (const [outcome, status] of [
    ['approve', 'succeeded'],
    ['refuse', 'requires_payment_method'],
  ] as const) {
    const intent = await shop.stripe.paymentIntents.create({
      ...FACTS,
      payment_method: 'pm_card_threeDSecure2Required',
      confirm: true,
      return_url: 'http://localhost/indietro?a=1',
    });
    expect(intent).toMatchObject({
      status: 'requires_action',
      next_action: { redirect_to_url: { return_url: 'http://localhost/indietro?a=1' } },
    });
    const address = intent.next_action!.redirect_to_url!.url!;
    expect(address).toBe(`http://localhost:3000/standins/stripe/c/pay/${intent.client_secret}`);
    const page = (await (
      await fetch(`${shop.running.url}/v1/payment_pages/${intent.client_secret}`)
    ).json()) as { next_action: { id: string } };
    expect(page).toMatchObject({
      status: 'open',
      amount_total: 5000,
      success_url: `http://localhost/indietro?a=1&payment_intent=${intent.id}&payment_intent_client_secret=${intent.client_secret}&redirect_status=succeeded`,
    });
    await shop.confirm(
      { id: intent.client_secret! },
      { next_action: page.next_action.id, outcome, expected_amount: 5000 },
    );
    expect(await shop.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status });
    expect(
      await (await fetch(`${shop.running.url}/v1/payment_pages/${intent.client_secret}`)).json(),
    ).toMatchObject({ status: outcome === 'approve' ? 'complete' : 'expired', next_action: null });
  }
});

test('nobody reaches an intent’s page by its id alone, nor a session’s intent by its secret', async () => {
  await using shop = await startShop();
  const intent = await shop.stripe.paymentIntents.create({
    ...FACTS,
    payment_method: 'pm_card_threeDSecure2Required',
    confirm: true,
  });
  for (const id of [intent.id, `${intent.id}_secret_${'x'.repeat(25)}`])
    expect((await fetch(`${shop.running.url}/v1/payment_pages/${id}`)).status).toBe(404);
  const session = await shop.open();
  await shop.confirm(session, {
    payment_method: 'pm_card_authenticationRequired',
    expected_amount: 5000,
  });
  const [its] = (await shop.stripe.paymentIntents.list({ limit: 1 })).data;
  expect((await fetch(`${shop.running.url}/v1/payment_pages/${its!.client_secret}`)).status).toBe(
    404,
  );
});

test('without its buyer a card that must be authenticated is refused', async () => {
  await using shop = await startShop();
  for (const params of [{ off_session: true }, { error_on_requires_action: true }]) {
    expect(
      await refusalOf(
        shop.stripe.paymentIntents.create({
          ...FACTS,
          ...params,
          payment_method: 'pm_card_authenticationRequired',
          confirm: true,
        }),
      ),
    ).toMatchObject({ statusCode: 402, code: 'authentication_required' });
  }
  expect((await shop.stripe.charges.list()).data).toEqual([]);
});

test('money can be set aside and taken in part, or let go', async () => {
  await using shop = await startShop();
  const { paymentIntents } = shop.stripe;
  const held = await paymentIntents.create({
    ...FACTS,
    payment_method: 'pm_card_visa',
    confirm: true,
    capture_method: 'manual',
  });
  expect(held).toMatchObject({
    status: 'requires_capture',
    amount_capturable: 5000,
    amount_received: 0,
  });
  expect(await refusalOf(shop.stripe.refunds.create({ payment_intent: held.id }))).toMatchObject({
    code: 'charge_not_refundable',
  });
  expect(
    await refusalOf(paymentIntents.capture(held.id, { amount_to_capture: 5001 })),
  ).toMatchObject({ code: 'amount_too_large', param: 'amount_to_capture' });
  expect(await paymentIntents.capture(held.id, { amount_to_capture: 3000 })).toMatchObject({
    status: 'succeeded',
    amount_received: 3000,
    amount_capturable: 0,
  });
  expect(await shop.stripe.refunds.create({ payment_intent: held.id })).toMatchObject({
    amount: 3000,
  });
  await shop.running.tick();
  expect(
    (await shop.stripe.charges.list({ expand: ['data.balance_transaction'] })).data,
  ).toMatchObject([{ amount: 5000, amount_captured: 3000, balance_transaction: { amount: 3000 } }]);
  const let_go = await paymentIntents.create({
    ...FACTS,
    payment_method: 'pm_card_visa',
    confirm: true,
    capture_method: 'manual',
  });
  expect(
    await paymentIntents.cancel(let_go.id, { cancellation_reason: 'abandoned' }),
  ).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned', amount_capturable: 0 });
  expect(await refusalOf(paymentIntents.capture(let_go.id))).toMatchObject({
    code: 'payment_intent_unexpected_state',
  });
});

test('a session’s intent can be neither confirmed, captured nor cancelled', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  await shop.confirm(session, { payment_method: 'pm_card_chargeDeclined', expected_amount: 5000 });
  const { payment_intent } = await shop.stripe.checkout.sessions.retrieve(session.id);
  const { paymentIntents } = shop.stripe;
  for (const call of [
    paymentIntents.cancel(payment_intent as string),
    paymentIntents.confirm(payment_intent as string, { payment_method: 'pm_card_visa' }),
    paymentIntents.capture(payment_intent as string),
  ]) {
    expect(await refusalOf(call)).toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
      message: expect.stringContaining(session.id),
    });
  }
  expect((await shop.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
});

test('sums, currencies and ways to pay that do not go together are refused', async () => {
  await using shop = await startShop();
  const { paymentIntents } = shop.stripe;
  expect(await refusalOf(paymentIntents.create({ amount: 49, currency: 'eur' }))).toMatchObject({
    code: 'amount_too_small',
    param: 'amount',
  });
  expect(
    await refusalOf(paymentIntents.create({ amount: 100_000_000, currency: 'eur' })),
  ).toMatchObject({ code: 'amount_too_large', param: 'amount' });
  expect(await refusalOf(paymentIntents.create({ amount: 5000, currency: 'xyz' }))).toMatchObject({
    param: 'currency',
  });
  expect(
    await refusalOf(paymentIntents.create({ ...FACTS, payment_method: 'pm_none', confirm: true })),
  ).toMatchObject({ code: 'resource_missing', param: 'payment_method' });
  expect(await refusalOf(paymentIntents.create({ ...FACTS, customer: 'cus_none' }))).toMatchObject({
    code: 'resource_missing',
    param: 'customer',
  });
  const cards = await paymentIntents.create({ ...FACTS, allowed_payment_method_types: ['card'] });
  expect(
    await refusalOf(
      paymentIntents.confirm(cards.id, { payment_method_data: { type: 'satispay' } }),
    ),
  ).toMatchObject({ code: 'payment_intent_incompatible_payment_method' });
  expect(
    await refusalOf(
      paymentIntents.create({ ...FACTS, payment_method_data: { type: 'satispay' }, confirm: true }),
    ),
  ).toMatchObject({ code: 'parameter_missing', param: 'return_url' });
});
