/** Charges that are made of a token, without a payment intent: as shops did before there were intents, and as the command-line tool still does. */
import { expect, test } from 'vitest';
import { refusalOf, startShop } from './shop.ts';

const FACTS = { amount: 1000, currency: 'eur', source: 'tok_visa' };

test('a token pays, shows its card, and the money can be given back', async () => {
  await using shop = await startShop();
  const { charges, refunds } = shop.stripe;
  const charge = await charges.create({ ...FACTS, metadata: { order: '7' } });
  expect(charge).toMatchObject({
    status: 'succeeded',
    captured: true,
    payment_intent: null,
    metadata: { order: '7' },
    source: { object: 'card', brand: 'Visa', last4: '4242' },
  });
  const refund = await refunds.create({ charge: charge.id, amount: 400 });
  expect(refund).toMatchObject({ status: 'succeeded', amount: 400, payment_intent: null });
  await shop.running.tick();
  expect(await charges.retrieve(charge.id)).toMatchObject({
    amount_refunded: 400,
    balance_transaction: expect.stringMatching(/^txn_/),
  });
});

test('money that was set aside is taken once, in part if so wanted, or goes back', async () => {
  await using shop = await startShop();
  const { charges, paymentIntents, refunds } = shop.stripe;
  const hold = async () => (await charges.create({ ...FACTS, capture: false })).id;
  const held = await hold();
  expect(await refusalOf(refunds.create({ charge: held }))).toMatchObject({
    code: 'charge_not_refundable',
  });
  expect(await refusalOf(charges.capture(held, { amount: 1001 }))).toMatchObject({
    code: 'amount_too_large',
  });
  expect(await charges.capture(held, { amount: 600 })).toMatchObject({
    captured: true,
    amount_captured: 600,
    amount_refunded: 400,
  });
  expect(await refusalOf(charges.capture(held))).toMatchObject({ code: 'charge_already_captured' });

  const expire = (id: string) =>
    shop.stripe.rawRequest('POST', `/v1/test_helpers/charges/${id}/expire`, {});
  const late = await hold();
  await expire(late);
  expect(await charges.retrieve(late)).toMatchObject({ captured: false, refunded: true });
  expect(await refusalOf(charges.capture(late))).toMatchObject({ code: 'charge_already_refunded' });

  const intent = await paymentIntents.create({
    amount: 1000,
    currency: 'eur',
    capture_method: 'manual',
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  const ofIntent = intent.latest_charge as string;
  expect(await refusalOf(charges.capture(ofIntent))).toMatchObject({
    statusCode: 400,
    message: expect.stringContaining(intent.id),
  });
  await expire(ofIntent);
  expect(await paymentIntents.retrieve(intent.id)).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'automatic',
    amount_capturable: 0,
  });
});

test('a card that refuses, or whose bank would ask, is refused and remembered; a wrong token changes nothing', async () => {
  await using shop = await startShop();
  const { charges } = shop.stripe;
  const declined = await refusalOf(
    charges.create({ ...FACTS, source: 'tok_chargeDeclinedInsufficientFunds' }),
  );
  expect(declined).toMatchObject({ statusCode: 402, decline_code: 'insufficient_funds' });
  const asking = await refusalOf(
    charges.create({ ...FACTS, source: 'tok_authenticationRequired' }),
  );
  expect(asking).toMatchObject({ statusCode: 402, code: 'authentication_required' });
  expect((await charges.list()).data.map(({ status, id }) => [status, id])).toEqual(
    [asking, declined].map(({ charge }) => ['failed', charge]),
  );
  for (const [asked, refusal] of [
    [{ source: 'tok_none' }, { statusCode: 400, code: 'resource_missing', param: 'source' }],
    [{ source: undefined }, { statusCode: 400, code: 'parameter_missing', param: 'source' }],
    [{ amount: 1 }, { statusCode: 400, code: 'amount_too_small' }],
    [{ customer: 'cus_1' }, { statusCode: 501, code: 'not_built' }],
  ] as const)
    expect(await refusalOf(charges.create({ ...FACTS, ...asked }))).toMatchObject(refusal);
  expect((await charges.list()).data).toHaveLength(2);
});
