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

test('what will not be built says so with 501 and a sentence', async () => {
  await using shop = await startShop();
  const { prices, paymentIntents } = shop.stripe;
  // Gone from the SDK's types, and still sent by older majors.
  const older = { payment_method_types: ['customer_balance'] };
  const product_data = { name: 'Abbonamento' };
  for (const asked of [
    prices.create({
      currency: 'eur',
      unit_amount: 500,
      product_data,
      recurring: { interval: 'month' },
    }),
    paymentIntents.create({ ...FACTS, ...older }),
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
