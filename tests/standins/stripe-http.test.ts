/** The wire itself: keys, errors in Stripe's shape whatever happens, idempotency, and memory across restarts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { refusalOf, startShop, type Shop } from './stripe-shop.ts';

async function ask(shop: Shop, path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<{ status: number; headers: Headers; body: { error?: { type: string; code?: string; message: string; param?: string }; id?: string } }> {
  const answer = await fetch(`${shop.running.url}${path}`, { ...init, headers: { Authorization: `Bearer ${shop.running.secretKey}`, ...init.headers } });
  return { status: answer.status, headers: answer.headers, body: await answer.json() as { error?: { type: string; message: string } } };
}

test('an unknown address is an error to the SDK, never a success', async () => {
  await using shop = await startShop();
  const refusal = await refusalOf(shop.stripe.rawRequest('GET', '/v1/nonsense'));
  expect(refusal).toMatchObject({ statusCode: 404, type: 'StripeInvalidRequestError', message: expect.stringContaining('GET: /v1/nonsense') });
  expect(await refusalOf(shop.stripe.customers.create({ name: 'Anna' }))).toMatchObject({ statusCode: 501, type: 'StripeAPIError' });
  expect(await refusalOf(shop.stripe.disputes.list())).toMatchObject({ statusCode: 501 });
});

test('every refusal has the shape a client looks for', async () => {
  await using shop = await startShop();
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const json = { 'Content-Type': 'application/json' };
  const cases: [string, RequestInit & { headers?: Record<string, string> }, number][] = [
    ['/', {}, 404],
    ['/v1/products', { method: 'PUT', body: 'name=x', headers: form }, 404],
    ['/v1/products', { method: 'POST', body: 'name=%E0%A4%A', headers: form }, 400],
    ['/v1/products', { method: 'POST', body: 'name[=x', headers: form }, 400],
    ['/v1/products', { method: 'POST', body: 'name=x&name[a]=y', headers: form }, 400],
    ['/v1/products', { method: 'POST', body: 'name[a]=y', headers: form }, 400],
    ['/v1/products', { method: 'POST', body: `${'a'.repeat(20)}${'[b]'.repeat(30)}=1`, headers: form }, 400],
    ['/v1/products', { method: 'POST', body: '__proto__[x]=1&name=x', headers: form }, 400],
    ['/v1/products', { method: 'POST', body: '{"name":', headers: json }, 400],
    ['/v1/products', { method: 'POST', body: '[1]', headers: json }, 400],
    ['/v1/products', { method: 'POST', body: '<x/>', headers: { 'Content-Type': 'text/xml' } }, 400],
    ['/v1/products/%E0%A4%A', {}, 400],
    ['/v1/products', { headers: { 'Stripe-Version': 'yesterday' } }, 400],
    ['/v1/products', { method: 'POST', body: 'name=x', headers: { ...form, 'Idempotency-Key': 'k'.repeat(256) } }, 400],
    ['/v1/products?limit=0', {}, 400],
    ['/v1/products?created[near]=1', {}, 400],
    ['/v1/products', { method: 'POST', body: `name=${'x'.repeat(1_100_000)}`, headers: form }, 413],
    ['/v1/checkout/sessions/cs_none', {}, 404],
    ['/v1/payment_pages/cs_none', { headers: { Authorization: '' } }, 404],
  ];
  for (const [path, init, status] of cases) {
    const answer = await ask(shop, path, init);
    expect({ path, body: String(init.body).slice(0, 40), status: answer.status }).toEqual({ path, body: String(init.body).slice(0, 40), status });
    expect(answer.body.error).toMatchObject({ type: expect.any(String), message: expect.any(String) });
    expect(answer.headers.get('request-id')).toMatch(/^req_/);
  }
});

test('only its own test key opens the stand-in', async () => {
  await using shop = await startShop();
  expect(shop.running.secretKey).toMatch(/^sk_test_\w{48}$/);
  const withKey = (key: string): Promise<unknown> => new Stripe(key, { host: '127.0.0.1', port: shop.running.port, protocol: 'http', maxNetworkRetries: 0, telemetry: false }).products.list();
  expect(await refusalOf(withKey('sk_test_wrong'))).toMatchObject({ statusCode: 401, type: 'StripeAuthenticationError' });
  const live = await refusalOf(withKey('sk_live_0123456789abcdef'));
  expect(live).toMatchObject({ statusCode: 401, message: expect.not.stringContaining('0123456789') });
  expect((await ask(shop, '/v1/products', { headers: { Authorization: '' } })).status).toBe(401);
  expect((await ask(shop, '/v1/nonsense', { headers: { Authorization: '' } })).status).toBe(404);
  const basic = Buffer.from(`${shop.running.secretKey}:`).toString('base64');
  expect((await ask(shop, '/v1/products', { headers: { Authorization: `Basic ${basic}` } })).status).toBe(200);
});

test('the same key with the same parameters gives the first answer again', async () => {
  await using shop = await startShop();
  const init = { method: 'POST', body: 'name=Platea&metadata[a]=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Idempotency-Key': 'order:1' } };
  const first = await ask(shop, '/v1/products', init);
  const second = await ask(shop, '/v1/products', { ...init, body: 'metadata[a]=1&name=Platea' });
  expect(second.body).toEqual(first.body);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'));
  expect(second.headers.get('idempotency-key')).toBe('order:1');
  expect((await shop.stripe.products.list()).data).toHaveLength(1);
  shop.clock.now += 24 * 3_600_000 + 1;
  expect((await ask(shop, '/v1/products', init)).body.id).not.toBe(first.body.id);
});

test('the same key with other parameters, or for another call, is an idempotency error', async () => {
  await using shop = await startShop();
  const idempotencyKey = 'order:1';
  await shop.stripe.products.create({ name: 'Platea' }, { idempotencyKey });
  expect(await refusalOf(shop.stripe.products.create({ name: 'Galleria' }, { idempotencyKey }))).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
  expect(await refusalOf(shop.stripe.refunds.create({ charge: 'ch_1' }, { idempotencyKey }))).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
});

test('a refused request is not remembered, a declined card is', async () => {
  await using shop = await startShop();
  const price = await shop.price(2500);
  const params = { mode: 'payment', success_url: 'http://localhost/ok', line_items: [{ price: price.id, quantity: 1 }] } as const;
  await shop.stripe.prices.update(price.id, { active: false });
  await refusalOf(shop.stripe.checkout.sessions.create({ ...params, line_items: [...params.line_items] }, { idempotencyKey: 'k' }));
  await shop.stripe.prices.update(price.id, { active: true });
  const made = await shop.stripe.checkout.sessions.create({ ...params, line_items: [...params.line_items] }, { idempotencyKey: 'k' });
  expect(made.status).toBe('open');
  const confirm = (): ReturnType<typeof ask> => ask(shop, `/v1/payment_pages/${made.id}/confirm`, {
    method: 'POST', body: 'payment_method=pm_card_chargeDeclined&expected_amount=2500', headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Idempotency-Key': 'c' },
  });
  expect([(await confirm()).status, (await confirm()).status]).toEqual([402, 402]);
  expect((await shop.stripe.charges.list()).data).toHaveLength(1);
});

test('while a request is still on its way a second one with its key is told to wait', async () => {
  await using shop = await startShop();
  const headers = { Authorization: `Bearer ${shop.running.secretKey}`, 'Content-Type': 'application/x-www-form-urlencoded', 'Idempotency-Key': 'slow' };
  const slow = request(`${shop.running.url}/v1/products`, { method: 'POST', headers });
  const answered = new Promise<number | undefined>((resolve) => { slow.on('response', (response) => { response.resume(); resolve(response.statusCode); }); });
  slow.write('name=Pla');
  const init = { method: 'POST', body: 'name=Platea', headers: { 'Content-Type': headers['Content-Type'], 'Idempotency-Key': 'slow' } };
  // The first bytes are on their way but may not have been read yet: ask until they have.
  let second = await ask(shop, '/v1/refunds', init);
  while (second.status !== 409) second = await ask(shop, '/v1/refunds', init);
  expect(second.body.error?.type).toBe('idempotency_error');
  slow.end('tea');
  expect(await answered).toBe(200);
  expect((await ask(shop, '/v1/products', init)).headers.get('idempotent-replayed')).toBe('true');
});

test('a restart keeps keys, objects, idempotency and what is still to be delivered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  try {
    const file = join(folder, 'standins.sqlite');
    const before = await startShop({ file });
    const { secretKey, webhookSecret } = before.running;
    const session = await before.open();
    await before.running.tick();
    before.receiver.answers.push(...Array.from({ length: 100 }, () => 503));
    await before.confirm(session, { payment_method: 'pm_card_visa', expected_amount: 5000 });
    await before.stripe.products.create({ name: 'Loggione' }, { idempotencyKey: 'once' });
    await before.receiver.reached(4);
    await before[Symbol.asyncDispose]();

    await using after = await startShop({ file });
    expect(after.running).toMatchObject({ secretKey, webhookSecret });
    expect(await after.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'complete', payment_status: 'paid' });
    await after.stripe.products.create({ name: 'Loggione' }, { idempotencyKey: 'once' });
    expect((await after.stripe.products.list()).data.filter((product) => product.name === 'Loggione')).toHaveLength(1);
    const endpoints = await after.stripe.webhookEndpoints.list();
    expect(endpoints.data).toMatchObject([{ url: after.receiver.url }]);
    await after.receiver.reached(4);
    expect(after.receiver.got.map(({ type }) => type)).toContain('checkout.session.completed');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('lookups, archives and deletions of the catalogue keep to the rules', async () => {
  await using shop = await startShop();
  const { stripe } = shop;
  const price = await shop.price(2500);
  expect(await stripe.prices.retrieve(price.id, { expand: ['product'] })).toMatchObject({ unit_amount: 2500, product: { name: 'Platea intero' } });
  expect(await refusalOf(stripe.prices.update(price.id, { unit_amount: 1 } as Stripe.PriceUpdateParams))).toMatchObject({ code: 'parameter_unknown', param: 'unit_amount' });
  await stripe.prices.update(price.id, { lookup_key: 'platea', nickname: 'Intero' });
  expect(await refusalOf(stripe.prices.create({ product: price.product as string, currency: 'eur', unit_amount: 1, lookup_key: 'platea' }))).toMatchObject({ param: 'lookup_key' });
  expect((await stripe.prices.list({ lookup_keys: ['platea'], active: true, currency: 'eur', type: 'one_time', product: price.product as string })).data).toMatchObject([{ id: price.id, nickname: 'Intero' }]);
  expect((await stripe.prices.list({ active: false })).data).toEqual([]);
  expect(await refusalOf(stripe.products.del(price.product as string))).toMatchObject({ statusCode: 400 });
  const lonely = await stripe.products.create({ name: 'Solo' });
  expect(await stripe.products.del(lonely.id)).toEqual(expect.objectContaining({ id: lonely.id, deleted: true }));
  expect(await refusalOf(stripe.products.retrieve(lonely.id))).toMatchObject({ statusCode: 404, code: 'resource_missing' });
  const joint = await stripe.prices.create({ currency: 'eur', unit_amount: 900, product_data: { name: 'Ridotto' } });
  expect(await stripe.products.update(joint.product as string, { default_price: joint.id, description: 'Under 26' })).toMatchObject({ default_price: joint.id });
});
