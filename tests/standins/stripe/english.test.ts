/** The API of the Stripe stand-in speaks English, as Stripe's does; only the hosted page, whose words go by the code, is Italian. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TEST_CARDS } from '#server/standins/stripe/payment/cards.ts';
import { TEST_IBANS } from '#server/standins/stripe/payment/ibans.ts';
import { CARD, startShop } from './shop.ts';

const client = readFileSync(
  new URL('../../../server/standins/stripe/checkout/page-client.js', import.meta.url),
  'utf8',
);

test('what is wrong with a card or an account is said in English, under the same codes', async () => {
  await using shop = await startShop();
  const { paymentMethods } = shop.stripe;
  const wrong: [string, object][] = [
    ['incorrect_number', { card: { ...CARD, number: '4242424242424241' } }],
    ['invalid_expiry_month', { card: { ...CARD, exp_month: 13 } }],
    ['invalid_expiry_year', { card: { ...CARD, exp_year: 2020 } }],
    ['invalid_cvc', { card: { ...CARD, cvc: '12' } }],
    ['card_declined', { card: { ...CARD, number: '4012888888881881' } }],
  ];
  for (const [code, more] of wrong) {
    const error = (await paymentMethods
      .create({ type: 'card', ...more })
      .catch((reason: unknown) => reason)) as { code: string; message: string };
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(/^Your card/)]);
  }
  await expect(
    paymentMethods.create({
      type: 'sepa_debit',
      sepa_debit: { iban: 'IT00' },
      billing_details: { name: 'Anna', email: 'anna@example.it' },
    }),
  ).rejects.toMatchObject({ message: 'The IBAN you provided is invalid.' });
});

test('no decline has a word of Italian, and the page has Italian words for each', () => {
  const declines = [...TEST_CARDS, ...TEST_IBANS].flatMap(
    ({ behaviour }) => behaviour.decline ?? [],
  );
  expect(declines.length).toBeGreaterThan(10);
  for (const { code, message } of declines) {
    expect(message).toMatch(/^(Your card|An error|The bank)[\w' .]+$/);
    expect(client).toContain(`${code}:`);
  }
});
