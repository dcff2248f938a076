/** The wire itself has a version and a key. */
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { VERSION } from '#server/standins/stripe/call.ts';
import { ask, refuses, sdkAt, startShop, testShop as it } from './shop.ts';

test('its version is the SDK’s, and any other is refused, whatever is asked', async () => {
  expect(VERSION).toBe(Stripe.API_VERSION);
  await using shop = await startShop();
  for (const wrong of ['yesterday', '2026-10-28', '2025-03-31.basil', '2026-10-29.endive', '']) {
    const headers = { 'Stripe-Version': wrong };
    const { status, body } = await ask(shop, 'GET /v1/prices', { headers });
    expect([wrong, status, body.error?.param]).toEqual([wrong, 400, 'Stripe-Version']);
  }
  const { headers } = await ask(shop, 'GET /v1/prices');
  expect(headers.get('stripe-version')).toBe(VERSION);
});

it('only its own secret test key opens the stand-in', async (shop) => {
  const { secretKey } = shop.running;
  expect(secretKey).toMatch(/^sk_test_\w{48}$/);
  const client = (key: string): Stripe => sdkAt(shop.running.port, key);
  await refuses(
    { statusCode: 401, type: 'StripeAuthenticationError' },
    client('sk_test_wrong').prices.list(),
  );
  await refuses(
    { statusCode: 401, message: expect.not.stringContaining('0123456789') },
    ...['sk', 'rk', 'pk'].map((kind) => client(`${kind}_live_0123456789abcdef`).prices.list()),
  );
  const none = await ask(shop, 'GET /v1/prices', { headers: { Authorization: '' } });
  expect([none.status, none.headers.get('www-authenticate')]).toEqual([
    401,
    'Basic realm="Stripe"',
  ]);
  for (const [text, status] of [
    [`${secretKey}:`, 200],
    [secretKey, 200],
    [`${secretKey}:x`, 200],
    [':', 401],
    ['sk_test_x:', 401],
  ] as const) {
    const Authorization = `Basic ${Buffer.from(text).toString('base64')}`;
    const answer = await ask(shop, 'GET /v1/prices', { headers: { Authorization } });
    expect([text, answer.status]).toEqual([text, status]);
  }
});
