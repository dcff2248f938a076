/** Payment intents of another shop on the account, without the hosted page: confirmed by call, authenticated on a page of their own, captured later, cancelled. */
import { expect, test } from 'vitest';
import { refuses, startShop } from './shop.ts';

const FACTS = { amount: 5000, currency: 'eur' };
const VISA = { payment_method: 'pm_card_visa' };
const UNEXPECTED = { statusCode: 400, code: 'payment_intent_unexpected_state' };

test('an intent is made, changed until it is paid, given a method, and confirmed', async () => {
  await using shop = await startShop();
  const { customers, paymentIntents, refunds } = shop.stripe;
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
  const { id } = made;
  await refuses(UNEXPECTED, paymentIntents.confirm(id));
  const customer = (await customers.create({ name: 'Ada' })).id;
  const change = { amount: 5100, customer };
  expect(await paymentIntents.update(id, { ...change, ...VISA })).toMatchObject({
    ...change,
    status: 'requires_confirmation',
  });
  await refuses({ code: 'amount_too_small' }, paymentIntents.update(id, { amount: 1 }));
  expect(await paymentIntents.confirm(id)).toMatchObject({
    status: 'succeeded',
    amount_received: 5100,
    metadata: { order: '7' },
  });
  await refuses(
    UNEXPECTED,
    paymentIntents.confirm(id, VISA),
    paymentIntents.cancel(id),
    paymentIntents.update(id, { amount: 3000 }),
  );
  const metadata = { order: '7', a: 'b' };
  expect(await paymentIntents.update(id, { metadata })).toMatchObject({ amount: 5100, metadata });
  const refund = await refunds.create({ payment_intent: id });
  expect(refund).toMatchObject({ status: 'succeeded', amount: 5100 });
});

test('a refused card is a 402 with the intent as it is now', async () => {
  await using shop = await startShop();
  const { paymentIntents } = shop.stripe;
  const declined = { ...FACTS, payment_method: 'pm_card_chargeDeclined', confirm: true };
  await refuses(
    {
      statusCode: 402,
      type: 'StripeCardError',
      code: 'card_declined',
      decline_code: 'generic_decline',
      payment_intent: { status: 'requires_payment_method' },
    },
    paymentIntents.create(declined),
  );
  const { id } = (await paymentIntents.list()).data[0]!;
  expect(await paymentIntents.confirm(id, VISA)).toMatchObject({ status: 'succeeded' });
});

test('an intent that needs its buyer has a page of its own, ends as the page says, and is paid by hand only when the shop says so again', async () => {
  await using shop = await startShop();
  const { paymentIntents } = shop.stripe;
  for (const [outcome, more, status, state] of [
    ['approve', {}, 'succeeded', 'complete'],
    ['refuse', {}, 'requires_payment_method', 'expired'],
    ['approve', { confirmation_method: 'manual' }, 'requires_confirmation', undefined],
  ] as const) {
    const return_url = 'http://localhost/indietro?a=1';
    const intent = await paymentIntents.create({
      ...FACTS,
      ...more,
      return_url,
      confirm: true,
      payment_method: 'pm_card_threeDSecure2Required',
    });
    const { id, client_secret: secret } = intent;
    const url = `http://localhost:3000/standins/stripe/c/pay/${secret}`;
    expect(intent).toMatchObject({
      status: 'requires_action',
      next_action: { redirect_to_url: { return_url, url } },
    });
    const page = { id: secret! };
    const shown = await shop.page(page);
    expect(shown).toMatchObject({
      status: 'open',
      amount_total: 5000,
      success_url: `${return_url}&payment_intent=${id}&payment_intent_client_secret=${secret}&redirect_status=succeeded`,
    });
    await shop.confirm(page, { next_action: shown.next_action!.id, outcome });
    expect(await paymentIntents.retrieve(id)).toMatchObject({ status });
    if (state) expect(await shop.page(page)).toMatchObject({ status: state, next_action: null });
    else expect(await paymentIntents.confirm(id)).toMatchObject({ status: 'succeeded' });
  }
});

test('nobody reaches an intent’s page by its id alone, nor a session’s intent by its secret or by a call', async () => {
  await using shop = await startShop();
  const { checkout, paymentIntents } = shop.stripe;
  const asking = { payment_method: 'pm_card_threeDSecure2Required' };
  const intent = await paymentIntents.create({ ...FACTS, ...asking, confirm: true });
  const session = await shop.open();
  await shop.confirm(session, asking);
  const { id, client_secret } = (await paymentIntents.list({ limit: 1 })).data[0]!;
  for (const guess of [intent.id, `${intent.id}_secret_${'x'.repeat(25)}`, client_secret])
    expect((await fetch(`${shop.running.url}/v1/payment_pages/${guess}`)).status).toBe(404);
  await refuses(
    { ...UNEXPECTED, message: expect.stringContaining(session.id) },
    paymentIntents.cancel(id),
    paymentIntents.confirm(id, VISA),
    paymentIntents.capture(id),
  );
  await refuses(UNEXPECTED, paymentIntents.update(id, { amount: 3000 }));
  expect((await checkout.sessions.retrieve(session.id)).status).toBe('open');
});

test('money can be set aside and taken in part, or let go', async () => {
  await using shop = await startShop();
  const { charges, paymentIntents, refunds } = shop.stripe;
  const hold = () =>
    paymentIntents.create({ ...FACTS, ...VISA, confirm: true, capture_method: 'manual' });
  const held = await hold();
  expect(held).toMatchObject({
    status: 'requires_capture',
    amount_capturable: 5000,
    amount_received: 0,
  });
  const payment_intent = held.id;
  await refuses({ code: 'charge_not_refundable' }, refunds.create({ payment_intent }));
  await refuses(
    { code: 'amount_too_large', param: 'amount_to_capture' },
    paymentIntents.capture(held.id, { amount_to_capture: 5001 }),
  );
  expect(await paymentIntents.capture(held.id, { amount_to_capture: 3000 })).toMatchObject({
    status: 'succeeded',
    amount_received: 3000,
    amount_capturable: 0,
  });
  expect(await refunds.create({ payment_intent })).toMatchObject({ amount: 3000 });
  await shop.running.tick();
  expect((await charges.list({ expand: ['data.balance_transaction'] })).data).toMatchObject([
    { amount: 5000, amount_captured: 3000, balance_transaction: { amount: 3000 } },
  ]);
  const { id } = await hold();
  const cancellation_reason = 'abandoned';
  expect(await paymentIntents.cancel(id, { cancellation_reason })).toMatchObject({
    status: 'canceled',
    cancellation_reason,
    amount_capturable: 0,
  });
  await refuses(UNEXPECTED, paymentIntents.capture(id));
});

test('sums, currencies and ways to pay that do not go together are refused; so is a card that must be authenticated without its buyer', async () => {
  await using shop = await startShop();
  const { charges, paymentIntents } = shop.stripe;
  const asking = { payment_method: 'pm_card_authenticationRequired', confirm: true };
  const unasked = { statusCode: 402, code: 'authentication_required' };
  const wallet = { payment_method_data: { type: 'satispay' } } as const;
  for (const [asked, refusal] of [
    [{ amount: 49 }, { code: 'amount_too_small', param: 'amount' }],
    [{ amount: 100_000_000 }, { code: 'amount_too_large', param: 'amount' }],
    [{ currency: 'xyz' }, { param: 'currency' }],
    [{ payment_method: 'pm_none' }, { code: 'resource_missing', param: 'payment_method' }],
    [{ customer: 'cus_none' }, { code: 'resource_missing', param: 'customer' }],
    [
      { ...wallet, confirm: true },
      { code: 'parameter_missing', param: 'return_url' },
    ],
    [{ ...asking, off_session: true }, unasked],
    [{ ...asking, error_on_requires_action: true }, unasked],
  ] as [object, object][])
    await refuses(refusal, paymentIntents.create({ ...FACTS, ...asked }));
  const cards = await paymentIntents.create({ ...FACTS, allowed_payment_method_types: ['card'] });
  await refuses(
    { code: 'payment_intent_incompatible_payment_method' },
    paymentIntents.confirm(cards.id, wallet),
  );
  expect((await charges.list()).data).toEqual([]);
});
