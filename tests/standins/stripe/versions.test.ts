/** API versions: the ones there are, the account's own where none is named, and the names that changed between them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { isKnownEvent } from '#server/standins/stripe/webhook/event-types.ts';
import { isKnownVersion } from '#server/standins/stripe/transport/versions.ts';
import { ask, refuses, sdkAt, startShop, type Raw, type Shop } from './shop.ts';

/** The values of a closed list in the SDK's own types. */
function namesInSdk(type: string): string[] {
  const types = readFileSync(
    join(import.meta.dirname, '../../../node_modules/stripe/esm/resources/WebhookEndpoints.d.ts'),
    'utf8',
  );
  const [, list] = new RegExp(`type ${type} = ([^;]+);`).exec(types)!;
  return [...list!.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
}

async function openIn(shop: Shop, version: string | null, form: string): Promise<Raw> {
  const { id } = await shop.price(2500);
  const line = `line_items[0][price]=${id}&line_items[0][quantity]=1`;
  return ask(shop, 'POST /v1/checkout/sessions', {
    form: `mode=payment&success_url=http://localhost/ok&${line}&${form}`,
    headers: version === null ? {} : { 'Stripe-Version': version },
  });
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
  for (const wrong of ['yesterday', '2026-10-28', '2026-10-28.basil', '2026-10-29.endive', '']) {
    const headers = { 'Stripe-Version': wrong };
    const { status, body } = await ask(shop, 'GET /v1/products', { headers });
    expect([wrong, status, body.error?.param]).toEqual([wrong, 400, 'Stripe-Version']);
  }
});

const card = 'payment_method_types[0]=card';
const allowed = 'allowed_payment_method_types[0]=card';
/** The version, what is said in it, and the parameter that it does not know: a key of a word, or a value of a mode. */
const dialects: [string, string, string?][] = [
  ['2025-03-31.basil', 'ui_mode=hosted'],
  ['2026-02-25.clover', 'ui_mode=hosted'],
  ['2026-02-25.clover', 'ui_mode=hosted_page', 'ui_mode'],
  ['2026-03-25.dahlia', 'ui_mode=hosted_page'],
  ['2026-03-25.dahlia', 'ui_mode=hosted', 'ui_mode'],
  ['2026-08-26.dahlia', card],
  ['2026-08-26.dahlia', allowed, 'allowed_payment_method_types'],
  ['2026-09-30.endive', card, 'payment_method_types'],
  ['2026-10-28.endive', card, 'payment_method_types'],
  ['2026-10-28.endive', allowed],
];

test('each version knows its own words, and who names none gets the account’s, an older one', async () => {
  await using shop = await startShop();
  for (const [version, form, unknown] of dialects) {
    const { status, headers, body } = await openIn(shop, version, form);
    const what = [version, form];
    expect([...what, status, body.error?.param]).toEqual([...what, unknown ? 400 : 200, unknown]);
    expect(headers.get('stripe-version')).toBe(version);
    if (unknown && unknown !== 'ui_mode') expect(body.error?.code).toBe('parameter_unknown');
    if (!unknown) expect(body['ui_mode']).toBe(version >= '2026-03-25' ? 'hosted_page' : 'hosted');
  }
  const { headers, body } = await openIn(shop, null, `${card}&ui_mode=hosted`);
  expect(headers.get('stripe-version')).toBe('2025-03-31.basil');
  expect(body).toMatchObject({ ui_mode: 'hosted', payment_method_types: ['card'] });
});

test('one session is told to each client in its own words, and a key holds across versions', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  const old = sdkAt(shop.running.port, shop.running.secretKey, {
    apiVersion: '2025-03-31.basil' as typeof Stripe.API_VERSION,
  });
  expect([
    session.ui_mode,
    (await old.checkout.sessions.retrieve(session.id)).ui_mode,
    (await old.checkout.sessions.list()).data[0]!.ui_mode,
  ]).toEqual(['hosted_page', 'hosted', 'hosted']);
  const under = { idempotencyKey: 'k' };
  const made = await shop.stripe.products.create({ name: 'Platea' }, under);
  expect((await old.products.create({ name: 'Platea' }, under)).id).toBe(made.id);
  await refuses(
    { type: 'StripeIdempotencyError' },
    old.products.create({ name: 'Galleria' }, under),
  );
});
