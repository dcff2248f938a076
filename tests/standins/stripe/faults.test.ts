/** Each fault breaks what it names, as often as ordered, and leaves exactly the stated effect. */
import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import type { RequestFault } from '#server/standins/stripe/faults/fault-rules.ts';
import { ask, madeProducts, refusalOf, sdkAt, startShop, type Shop } from './shop.ts';

const create = { on: 'request', method: 'POST', path: '/v1/products' } as const;

/** Counts the products there are, which can differ from what the callers were told. */
async function productsOf(shop: Shop): Promise<number> {
  return (await madeProducts(shop.stripe)).length;
}

/** A client with a short patience and no retries of its own, on connections of its own. */
function hasty(shop: Shop, timeout: number): Stripe {
  return sdkAt(shop.running.port, shop.running.secretKey, { timeout });
}

/**
 * The caller's answer, the number of products and of executed calls; the SDK itself repeats a reset
 * connection once.
 */
const cases: [Omit<RequestFault, 'on'>, string, effect: 0 | 1, executed: number][] = [
  [{ action: 'drop', times: 2 }, 'StripeConnectionError', 0, 0],
  [{ action: 'lose_answer', times: 2 }, 'StripeConnectionError', 1, 2],
  [{ action: 'truncate', bytes: 20 }, 'StripeConnectionError', 1, 1],
  [{ action: '429' }, 'StripeRateLimitError', 0, 0],
  [{ action: '429', executed: true }, 'StripeRateLimitError', 1, 1],
  [{ action: '409' }, 'StripeAPIError', 0, 0],
  [{ action: '500' }, 'StripeAPIError', 0, 0],
  [{ action: '500', executed: true }, 'StripeAPIError', 1, 1],
  [{ action: 'saved_500' }, 'StripeAPIError', 0, 0],
  [{ action: 'html' }, 'StripeAPIError', 0, 0],
  [{ action: 'html', status: 200, executed: true }, 'StripeAPIError', 1, 1],
  [{ action: 'hang' }, 'StripeConnectionError', 0, 0],
  [{ action: 'hang', executed: true }, 'StripeConnectionError', 1, 1],
];

test('a call hit by a fault fails as that fault says, and leaves behind its effect or nothing', async () => {
  await using shop = await startShop();
  const { faults } = shop.running;
  for (const [n, [fault, type, effect, executed]] of cases.entries()) {
    const [before, under] = [await productsOf(shop), { idempotencyKey: `k${n}` }];
    faults.add({ ...create, ...fault });
    // Only what hangs is given up; a busy machine may be slow.
    const impatient = hasty(shop, fault.action === 'hang' ? 300 : 20_000);
    const failed = await refusalOf(impatient.products.create({ name: 'Platea' }, under));
    expect([fault, failed.type, (await productsOf(shop)) - before, faults.executed]).toEqual([
      fault,
      type,
      effect,
      executed,
    ]);
    expect(faults.log).toHaveLength(fault.times === undefined ? 1 : 2);
    expect(faults.log[0]).toMatchObject({ what: 'POST /v1/products', action: fault.action });
    faults.clear();
    if (fault.action === 'saved_500') continue;
    // After every fault, the same key leads to exactly one product.
    await shop.stripe.products.create({ name: 'Platea' }, under);
    expect(await productsOf(shop)).toBe(before + 1);
  }
});

test('a breakdown that is remembered comes again under its key, and only under it', async () => {
  await using shop = await startShop();
  shop.running.faults.add({ ...create, action: 'saved_500' });
  for (const replayed of [undefined, 'true', 'true']) {
    const under = { idempotencyKey: 'k' };
    const failed = await refusalOf(shop.stripe.products.create({ name: 'Platea' }, under));
    expect([failed.statusCode, failed.headers?.['idempotent-replayed']]).toEqual([500, replayed]);
  }
  await shop.stripe.products.create({ name: 'Platea' }, { idempotencyKey: 'k-2' });
  expect(await productsOf(shop)).toBe(1);
});

test('the SDK’s own retries get over a fault that passes', async () => {
  await using shop = await startShop();
  const patient = sdkAt(shop.running.port, shop.running.secretKey, { maxNetworkRetries: 2 });
  // Each costs the pause that the SDK makes.
  for (const fault of [{ action: '500', executed: true }, { action: 'lose_answer' }] as const) {
    const before = await productsOf(shop);
    shop.running.faults.add({ ...create, ...fault });
    await patient.products.create({ name: 'Platea' });
    expect([fault.action, await productsOf(shop)]).toEqual([fault.action, before + 1]);
    shop.running.faults.clear();
  }
});

test('a call that hangs goes on when it is let go, and one that is late comes late', async () => {
  await using shop = await startShop();
  const { faults } = shop.running;
  faults.add({ ...create, action: 'hang' });
  const hanging = shop.stripe.products.create({ name: 'Platea' });
  await until(() => faults.log.length === 1);
  expect(await productsOf(shop)).toBe(0);
  faults.release();
  expect((await hanging).name).toBe('Platea');
  faults.add({ ...create, action: 'delay', ms: 200 });
  const before = performance.now();
  await shop.stripe.products.create({ name: 'Galleria' });
  expect(performance.now() - before).toBeGreaterThanOrEqual(199);
  faults.add({ ...create, action: 'hang', executed: true });
  const cut = refusalOf(hasty(shop, 5000).products.create({ name: 'Loggione' }));
  await until(() => faults.log.length === 3 && faults.executed === 1);
  // Clearing cuts off what hangs, and the SDK repeats it once as a new call.
  faults.clear();
  await cut.catch(() => undefined);
  expect(await productsOf(shop)).toBe(3);
});

test('the hosted page and its two calls break like any other', async () => {
  await using shop = await startShop();
  const { faults } = shop.running;
  const session = await shop.open();
  const page = (): Promise<number | string> =>
    fetch(`${shop.running.url}/c/pay/${session.id}`).then(
      ({ status }) => status,
      () => 'cut',
    );
  for (const [action, seen] of [
    ['drop', 'cut'],
    ['lose_answer', 'cut'],
    ['500', 500],
    ['html', 502],
    ['delay', 200],
  ] as const) {
    faults.add({ on: 'request', method: 'GET', path: '/c/pay/*', action });
    expect([action, await page()]).toEqual([action, seen]);
  }
  expect(await page()).toBe(200);
  faults.add({ on: 'request', path: '/v1/payment_pages/*/confirm', action: 'lose_answer' });
  const pay = () =>
    shop.confirm(session, { payment_method: 'pm_card_visa', email: 'anna@example.it' });
  await expect(pay()).rejects.toThrow('fetch failed');
  expect(await pay()).toMatchObject({
    status: 400,
    body: { error: { code: 'checkout_session_not_open' } },
  });
  expect((await shop.stripe.charges.list()).data).toHaveLength(1);
});

test('rules hit the call they name, the time they name, and as often as they say', async () => {
  await using shop = await startShop();
  const { faults } = shop.running;
  const { prices, products } = shop.stripe;
  const always = { on: 'request', action: '500', times: 'always' } as const;
  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => 'ok',
      () => 'broken',
    );
  const making = async (count: number) => {
    const seen: string[] = [];
    for (let index = 0; index < count; index += 1)
      seen.push(await outcome(products.create({ name: 'Platea' })));
    return seen.join(' ');
  };
  const rule = faults.add({ ...create, action: '500', nth: 2, times: 2 });
  expect(await making(5)).toBe('ok broken broken ok ok');
  expect(faults.rules).toEqual([expect.objectContaining({ id: rule.id, matched: 5, hits: 2 })]);
  expect([faults.remove(rule.id), faults.remove(rule.id)]).toEqual([true, false]);
  faults.add({ ...create, ...always });
  expect(await making(3)).toBe('broken broken broken');
  expect(await outcome(prices.list())).toBe('ok');
  faults.clear();
  expect(await making(1)).toBe('ok');
  faults.add({ ...always, path: '/v1/*/*' });
  expect(await outcome(prices.list())).toBe('ok');
  expect(await outcome(products.retrieve('prod_x'))).toBe('broken');
  faults.clear();
  const patterns: string[] = [];
  for (const seed of [1, 1, 2]) {
    faults.add({ ...create, ...always, probability: 0.5, seed });
    patterns.push(await making(24));
    faults.clear();
  }
  expect(patterns[0]).toMatch(/ok.*broken|broken.*ok/);
  expect([patterns[0] === patterns[1], patterns[0] === patterns[2]]).toEqual([true, false]);
});

test('other processes order faults, move the clock and see deliveries over HTTP, with the secret key and only where it was allowed', async () => {
  const steerAt =
    (shop: Shop) =>
    (call: string, body?: object, key = shop.running.secretKey) => {
      const [method, path] = call.split(' ') as [string, string];
      return ask(shop, `${method} /_standin/${path}`, {
        form: body && JSON.stringify(body),
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      });
    };
  await using closed = await startShop();
  for (const call of ['GET faults', 'GET clock', 'GET deliveries', 'POST faults'])
    expect((await steerAt(closed)(call)).status).toBe(404);

  await using shop = await startShop({ faults: true });
  const steer = steerAt(shop);
  const statusOf = async (...asked: Parameters<typeof steer>) => (await steer(...asked)).status;
  expect([
    await statusOf('GET faults'),
    await statusOf('GET faults', undefined, 'sk_test_other'),
  ]).toEqual([200, 401]);
  for (const wrong of [
    {},
    { action: 'explode' },
    { action: '500', on: 'delivery' },
    { action: '500', times: 0 },
    { action: '500', probability: 2 },
    { action: 'wrong_signature' },
    { action: '500', nonsense: 1 },
  ])
    expect([wrong, await statusOf('POST faults', wrong)]).toEqual([wrong, 400]);
  const made = await steer('POST faults', {
    method: 'POST',
    path: '/v1/products',
    action: 'lose_answer',
    times: 'always',
  });
  expect(made.body).toMatchObject({ id: expect.stringMatching(/^fault_/), hits: 0 });
  await refusalOf(shop.stripe.products.create({ name: 'Platea' }));
  expect((await steer('GET faults')).body).toMatchObject({
    rules: [{ action: 'lose_answer' }],
    executed: expect.any(Number),
    log: expect.arrayContaining([
      expect.objectContaining({ what: 'POST /v1/products', executed: true, status: 200 }),
    ]),
  });
  for (const status of [200, 404])
    expect(await statusOf(`DELETE faults/${made.body.id}`)).toBe(status);

  const session = await shop.open({ expires_at: Math.floor(shop.clock.now / 1000) + 1860 });
  shop.receiver.answers.push(500);
  const before = (await steer('GET clock')).body['now'] as number;
  expect((await steer('POST clock', { advance_seconds: 1900 })).body).toEqual({
    now: before + 1900,
  });
  expect((await shop.stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
  expect((await steer('GET deliveries')).body).toMatchObject({
    data: [{ state: 'pending', attempts: 1, last_error: 'HTTP 500' }],
  });
  expect(await statusOf('POST deliveries/retry')).toBe(200);
  expect((await steer('GET deliveries')).body).toMatchObject({
    data: [{ state: 'delivered', attempts: 2 }],
  });
  expect(await statusOf('POST deliveries/replay_all')).toBe(200);
  expect(shop.receiver.got).toHaveLength(3);
  expect(await statusOf('POST clock', { advance_seconds: -1 })).toBe(400);
  expect(await statusOf('POST faults', { action: 'hang' })).toBe(200);
  expect(await statusOf('DELETE faults')).toBe(200);
  expect((await steer('GET faults')).body).toEqual({ rules: [], log: [], executed: 0 });
});

/** Looks again after every turn of the event loop. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo())
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}
