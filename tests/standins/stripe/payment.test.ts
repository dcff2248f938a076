/** Paying: through the two calls of the hosted page, with cards that work and cards that do not. */
import { expect } from 'vitest';
import { CARD, lastCharge, refuses, testShop as test } from './shop.ts';

const VISA = { payment_method: 'pm_card_visa' };

test('a fee and a receipt follow a moment later: whoever has its address reads it, and nobody who guesses', async (shop) => {
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

test('another sum than the one shown is not charged', async (shop) => {
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

test('a payment method made without a key pays once and is otherwise of no use; only so many are made in a minute', async (shop) => {
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

test('another shop on the account is paid at once, without the page, or refused', async (shop) => {
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
