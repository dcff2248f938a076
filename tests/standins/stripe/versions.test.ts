/** API versions: the ones there are, the account's own where none is named, and the names that changed between them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { isKnownEvent } from '#server/standins/stripe/webhook/event-types.ts';
import { isKnownVersion } from '#server/standins/stripe/transport/versions.ts';
import { refusalOf, startShop, type Shop } from './shop.ts';

/** The values of a closed list in the SDK's own types. */
function namesInSdk(type: string): string[] {
  const types = readFileSync(
    join(import.meta.dirname, '../../../node_modules/stripe/esm/resources/WebhookEndpoints.d.ts'),
    'utf8',
  );
  const [, list] = new RegExp(`type ${type} = ([^;]+);`).exec(types)!;
  return [...list!.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
}

async function openIn(
  shop: Shop,
  version: string | null,
  params: Record<string, string>,
): Promise<{
  status: number;
  version: string | null;
  body: {
    ui_mode?: string;
    payment_method_types?: string[];
    error?: { code?: string; param?: string };
  };
}> {
  const price = await shop.price(2500);
  const answer = await fetch(`${shop.running.url}/v1/checkout/sessions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${shop.running.secretKey}`,
      ...(version === null ? {} : { 'Stripe-Version': version }),
    },
    body: new URLSearchParams({
      mode: 'payment',
      success_url: 'http://localhost/ok',
      'line_items[0][price]': price.id,
      'line_items[0][quantity]': '1',
      ...params,
    }),
  });
  return {
    status: answer.status,
    version: answer.headers.get('stripe-version'),
    body: (await answer.json()) as { error?: { code?: string; param?: string } },
  };
}

test('the versions and the events that there are are those of the SDK', () => {
  const versions = namesInSdk('ApiVersion');
  expect(versions.length).toBeGreaterThan(100);
  expect(versions.filter((version) => !isKnownVersion(version))).toEqual([]);
  expect(isKnownVersion(Stripe.API_VERSION)).toBe(true);
  const events = namesInSdk('EnabledEvent');
  expect(events.length).toBeGreaterThan(200);
  expect(events.filter((event) => !isKnownEvent(event))).toEqual([]);
  for (const wrong of ['', 'charge', 'charge.', 'charge.succeeded ', 'charges.succeeded', '*.*'])
    expect([wrong, isKnownEvent(wrong)]).toEqual([wrong, false]);
});

test('a version that there never was is refused, whatever is asked', async () => {
  await using shop = await startShop();
  for (const wrong of [
    'yesterday',
    '2026-10-28',
    '2026-10-28.basil',
    '2026-10-29.endive',
    '2027-01-01.endive',
    '2024-04-10.acacia',
    '2026-13-45.endive',
    '',
    'v1',
    '2026-10-28.endive; 1',
  ]) {
    const answer = await openIn(shop, wrong, {});
    expect([wrong, answer.status, answer.body.error?.param]).toEqual([
      wrong,
      400,
      'Stripe-Version',
    ]);
  }
});

test('who names no version gets the account’s, an older one', async () => {
  await using shop = await startShop();
  expect(
    await openIn(shop, null, { 'payment_method_types[0]': 'card', ui_mode: 'hosted' }),
  ).toMatchObject({
    status: 200,
    version: '2025-03-31.basil',
    body: { ui_mode: 'hosted', payment_method_types: ['card'] },
  });
});

const dialects: [string, Record<string, string>, number, string?][] = [
  ['2025-03-31.basil', { ui_mode: 'hosted' }, 200],
  ['2026-02-25.clover', { ui_mode: 'hosted' }, 200],
  ['2026-02-25.clover', { ui_mode: 'hosted_page' }, 400, 'ui_mode'],
  ['2026-03-25.dahlia', { ui_mode: 'hosted_page' }, 200],
  ['2026-03-25.dahlia', { ui_mode: 'hosted' }, 400, 'ui_mode'],
  ['2026-08-26.dahlia', { 'payment_method_types[0]': 'card' }, 200],
  ['2026-09-30.endive', { 'payment_method_types[0]': 'card' }, 400, 'payment_method_types'],
  ['2026-10-28.endive', { 'payment_method_types[0]': 'card' }, 400, 'payment_method_types'],
  ['2026-10-28.endive', { 'allowed_payment_method_types[0]': 'card' }, 200],
  [
    '2026-08-26.dahlia',
    { 'allowed_payment_method_types[0]': 'card' },
    400,
    'allowed_payment_method_types',
  ],
];
for (const [version, params, status, param] of dialects) {
  test(`under ${version} ${JSON.stringify(params)} is answered with ${status}`, async () => {
    await using shop = await startShop();
    const answer = await openIn(shop, version, params);
    expect([answer.status, answer.body.error?.param, answer.version]).toEqual([
      status,
      param,
      version,
    ]);
    if (param !== undefined && param !== 'ui_mode')
      expect(answer.body.error?.code).toBe('parameter_unknown');
    if (status === 200)
      expect(answer.body.ui_mode).toBe(version >= '2026-03-25' ? 'hosted_page' : 'hosted');
  });
}

test('one session is told to each client in its own words, and a key holds across versions', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const old = new Stripe(shop.running.secretKey, {
    host: '127.0.0.1',
    port: shop.running.port,
    protocol: 'http',
    telemetry: false,
    apiVersion: '2025-03-31.basil' as typeof Stripe.API_VERSION,
  });
  expect([
    session.ui_mode,
    (await old.checkout.sessions.retrieve(session.id)).ui_mode,
    (await old.checkout.sessions.list()).data[0]!.ui_mode,
  ]).toEqual(['hosted_page', 'hosted', 'hosted']);
  const made = await shop.stripe.products.create({ name: 'Platea' }, { idempotencyKey: 'k' });
  expect((await old.products.create({ name: 'Platea' }, { idempotencyKey: 'k' })).id).toBe(made.id);
  expect(
    await refusalOf(old.products.create({ name: 'Galleria' }, { idempotencyKey: 'k' })),
  ).toMatchObject({ type: 'StripeIdempotencyError' });
});
