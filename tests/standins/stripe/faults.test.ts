/** Faults on demand: each breaks what it names, as often as it was told, and leaves behind exactly the effect that it claims. */
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import type { RequestFault } from '#server/standins/stripe/faults/fault-rules.ts';
import { refusalOf, startShop, type Shop } from './shop.ts';

const create = { on: 'request', method: 'POST', path: '/v1/products' } as const;

/** How many products there are, whatever the callers were told. */
async function productsOf(shop: Shop): Promise<number> {
  return (await shop.stripe.products.list({ limit: 100 })).data.length;
}

/** A client with a short patience and no retries of its own, on connections of its own. */
function hasty(shop: Shop, timeout = 300): Stripe {
  return new Stripe(shop.running.secretKey, {
    host: '127.0.0.1',
    port: shop.running.port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    timeout,
  });
}

/** The SDK repeats a reset connection once by itself, so one call may arrive twice. */
const cases: { fault: Omit<RequestFault, 'on'>; type: string; effect: number; executed: number }[] =
  [
    { fault: { action: 'drop', times: 2 }, type: 'StripeConnectionError', effect: 0, executed: 0 },
    {
      fault: { action: 'lose_answer', times: 2 },
      type: 'StripeConnectionError',
      effect: 1,
      executed: 2,
    },
    {
      fault: { action: 'truncate', bytes: 20 },
      type: 'StripeConnectionError',
      effect: 1,
      executed: 1,
    },
    { fault: { action: '429' }, type: 'StripeRateLimitError', effect: 0, executed: 0 },
    {
      fault: { action: '429', executed: true },
      type: 'StripeRateLimitError',
      effect: 1,
      executed: 1,
    },
    { fault: { action: '409' }, type: 'StripeAPIError', effect: 0, executed: 0 },
    { fault: { action: '500' }, type: 'StripeAPIError', effect: 0, executed: 0 },
    { fault: { action: '500', executed: true }, type: 'StripeAPIError', effect: 1, executed: 1 },
    { fault: { action: 'saved_500' }, type: 'StripeAPIError', effect: 0, executed: 0 },
    { fault: { action: 'html' }, type: 'StripeAPIError', effect: 0, executed: 0 },
    {
      fault: { action: 'html', status: 200, executed: true },
      type: 'StripeAPIError',
      effect: 1,
      executed: 1,
    },
    { fault: { action: 'hang' }, type: 'StripeConnectionError', effect: 0, executed: 0 },
    {
      fault: { action: 'hang', executed: true },
      type: 'StripeConnectionError',
      effect: 1,
      executed: 1,
    },
  ];

for (const { fault, type, effect, executed } of cases) {
  test(`a call hit by ${JSON.stringify(fault)} fails with ${type} and leaves ${effect === 0 ? 'nothing' : 'its effect'} behind`, async () => {
    await using shop = await startShop();
    shop.running.faults.add({ ...create, ...fault });
    const failed = await refusalOf(
      hasty(shop).products.create({ name: 'Platea' }, { idempotencyKey: 'k' }),
    );
    expect(failed.type).toBe(type);
    expect(await productsOf(shop)).toBe(effect);
    expect(shop.running.faults.executed).toBe(executed);
    expect(shop.running.faults.log).toHaveLength(fault.times === undefined ? 1 : 2);
    expect(shop.running.faults.log[0]).toMatchObject({
      what: 'POST /v1/products',
      action: fault.action,
    });
    shop.running.faults.clear();
    if (fault.action === 'saved_500') return;
    // Whatever happened, the same key leads to exactly one.
    await shop.stripe.products.create({ name: 'Platea' }, { idempotencyKey: 'k' });
    expect(await productsOf(shop)).toBe(1);
  });
}

test('a breakdown that is remembered comes again under its key, and only under it', async () => {
  await using shop = await startShop();
  shop.running.faults.add({ ...create, action: 'saved_500' });
  for (const replayed of [undefined, 'true', 'true']) {
    const failed = await refusalOf(
      shop.stripe.products.create({ name: 'Platea' }, { idempotencyKey: 'k' }),
    );
    expect([failed.statusCode, failed.headers?.['idempotent-replayed']]).toEqual([500, replayed]);
  }
  await shop.stripe.products.create({ name: 'Platea' }, { idempotencyKey: 'k-2' });
  expect(await productsOf(shop)).toBe(1);
});

test('the SDK’s own retries get over a fault that passes', async () => {
  await using shop = await startShop();
  const patient = new Stripe(shop.running.secretKey, {
    host: '127.0.0.1',
    port: shop.running.port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 2,
  });
  for (const fault of [
    { action: '500', executed: true },
    { action: '409' },
    { action: 'lose_answer' },
    { action: 'drop' },
  ] as const) {
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
  // Cleared means healed: what hung is cut off, and the SDK's one repeat of a reset connection is a new call.
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
  const pay = (): Promise<unknown> =>
    shop.confirm(session, {
      payment_method: 'pm_card_visa',
      expected_amount: 5000,
      email: 'anna@example.it',
      name: 'Anna',
    });
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
  const outcome = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'ok',
      () => 'broken',
    );
  const names = async (count: number): Promise<string[]> => {
    const seen: string[] = [];
    for (let index = 0; index < count; index += 1)
      seen.push(await outcome(shop.stripe.products.create({ name: 'Platea' })));
    return seen;
  };
  const rule = faults.add({ ...create, action: '500', nth: 2, times: 2 });
  expect(await names(5)).toEqual(['ok', 'broken', 'broken', 'ok', 'ok']);
  expect(faults.rules).toEqual([expect.objectContaining({ id: rule.id, matched: 5, hits: 2 })]);
  expect([faults.remove(rule.id), faults.remove(rule.id)]).toEqual([true, false]);
  faults.add({ ...create, action: '500', times: 'always' });
  expect(await names(3)).toEqual(['broken', 'broken', 'broken']);
  expect(await outcome(shop.stripe.products.list())).toBe('ok');
  faults.clear();
  expect(await names(1)).toEqual(['ok']);
  faults.add({ on: 'request', path: '/v1/*/*', action: '500', times: 'always' });
  expect(await outcome(shop.stripe.products.list())).toBe('ok');
  expect(await outcome(shop.stripe.products.retrieve('prod_x'))).toBe('broken');
  faults.clear();
  const pattern = async (seed: number): Promise<string> => {
    faults.add({ ...create, action: '500', times: 'always', probability: 0.5, seed });
    const seen = await names(24);
    faults.clear();
    return seen.join(' ');
  };
  const first = await pattern(1);
  expect(await pattern(1)).toBe(first);
  expect(await pattern(2)).not.toBe(first);
  expect(first).toContain('ok');
  expect(first).toContain('broken');
});

test('other processes order faults, move the clock and see deliveries over HTTP, with the secret key and only where it was allowed', async () => {
  await using closed = await startShop();
  const steer = async (
    shop: Shop,
    method: string,
    path: string,
    body?: object,
    key = shop.running.secretKey,
  ): Promise<{ status: number; body: Record<string, unknown> }> => {
    const answer = await fetch(`${shop.running.url}/_standin/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  for (const path of ['faults', 'clock', 'deliveries'])
    expect((await steer(closed, 'GET', path)).status).toBe(404);
  expect((await steer(closed, 'POST', 'faults', { action: '500' })).status).toBe(404);

  await using shop = await startShop({ faults: true });
  expect((await steer(shop, 'GET', 'faults', undefined, shop.running.restrictedKey)).status).toBe(
    200,
  );
  expect(
    (await steer(shop, 'POST', 'faults', { action: '500' }, shop.running.restrictedKey)).status,
  ).toBe(403);
  expect((await steer(shop, 'GET', 'faults', undefined, 'sk_test_other')).status).toBe(401);
  for (const wrong of [
    {},
    { action: 'explode' },
    { action: '500', on: 'delivery' },
    { action: '500', times: 0 },
    { action: '500', probability: 2 },
    { action: 'wrong_signature' },
    { action: '500', nonsense: 1 },
  ]) {
    expect([wrong, (await steer(shop, 'POST', 'faults', wrong)).status]).toEqual([wrong, 400]);
  }
  const made = await steer(shop, 'POST', 'faults', {
    method: 'POST',
    path: '/v1/products',
    action: 'lose_answer',
    times: 'always',
  });
  expect(made).toMatchObject({
    status: 200,
    body: { id: expect.stringMatching(/^fault_/), hits: 0 },
  });
  await refusalOf(shop.stripe.products.create({ name: 'Platea' }));
  const seen = await steer(shop, 'GET', 'faults');
  expect(seen.body).toMatchObject({
    rules: [{ action: 'lose_answer' }],
    executed: expect.any(Number),
    log: expect.arrayContaining([
      expect.objectContaining({ what: 'POST /v1/products', executed: true, status: 200 }),
    ]),
  });
  expect((await steer(shop, 'DELETE', `faults/${String(made.body['id'])}`)).status).toBe(200);
  expect((await steer(shop, 'DELETE', `faults/${String(made.body['id'])}`)).status).toBe(404);

  const session = await shop.open({ expires_at: Math.floor(shop.clock.now / 1000) + 1860 });
  shop.receiver.answers.push(500);
  const before = (await steer(shop, 'GET', 'clock')).body['now'] as number;
  expect((await steer(shop, 'POST', 'clock', { advance_seconds: 1900 })).body).toEqual({
    now: before + 1900,
  });
  expect((await shop.stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
  expect((await steer(shop, 'GET', 'deliveries')).body).toMatchObject({
    data: [{ state: 'pending', attempts: 1, last_error: 'HTTP 500' }],
  });
  expect((await steer(shop, 'POST', 'deliveries/retry')).status).toBe(200);
  expect((await steer(shop, 'GET', 'deliveries')).body).toMatchObject({
    data: [{ state: 'delivered', attempts: 2 }],
  });
  expect((await steer(shop, 'POST', 'deliveries/replay_all')).status).toBe(200);
  expect(shop.receiver.got).toHaveLength(3);
  expect((await steer(shop, 'POST', 'clock', { advance_seconds: -1 })).status).toBe(400);
  expect((await steer(shop, 'POST', 'faults', { action: 'hang' })).status).toBe(200);
  expect((await steer(shop, 'DELETE', 'faults')).status).toBe(200);
  expect((await steer(shop, 'GET', 'faults')).body).toEqual({ rules: [], log: [], executed: 0 });
});

test('with every other call and delivery broken, a client that repeats under its keys ends with one of each, and every event arrives', async () => {
  await using shop = await startShop();
  const { faults } = shop.running;
  const price = await shop.price(2500);
  const breaks = [
    { action: 'drop' },
    { action: 'lose_answer' },
    { action: 'truncate', bytes: 30 },
    { action: '500' },
    { action: '500', executed: true },
    { action: '409' },
    { action: '429' },
    { action: 'html', status: 200, executed: true },
  ] as const;
  breaks.forEach((fault, seed) =>
    faults.add({
      on: 'request',
      method: 'POST',
      times: 'always',
      probability: 0.08,
      seed,
      ...fault,
    }),
  );
  (['drop', 'lose_answer', 'duplicate'] as const).forEach((action, seed) =>
    faults.add({ on: 'delivery', times: 'always', probability: 0.2, seed, action }),
  );

  async function stubborn<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      const outcome = await call().then(
        (value) => ({ value }),
        () => null,
      );
      if (outcome) return outcome.value;
    }
  }
  const keys = Array.from({ length: 80 }, (_, index) => `order-${index}`);
  const opened = await Promise.all(
    keys.map((key) =>
      stubborn(() =>
        shop.stripe.checkout.sessions.create(
          {
            mode: 'payment',
            success_url: 'http://localhost/ok',
            client_reference_id: key,
            line_items: [{ price: price.id, quantity: 1 }],
          },
          { idempotencyKey: key },
        ),
      ),
    ),
  );
  await Promise.all(
    opened.map(({ id }) =>
      stubborn(() => shop.stripe.checkout.sessions.expire(id, {}, { idempotencyKey: `end ${id}` })),
    ),
  );
  expect(faults.executed).toBeGreaterThan(10);
  faults.clear();
  const kept: (string | null)[] = [];
  for await (const { client_reference_id, status } of shop.stripe.checkout.sessions.list({
    limit: 100,
  }))
    kept.push(`${client_reference_id} ${status}`);
  expect(kept.toSorted()).toEqual(keys.map((key) => `${key} expired`).toSorted());

  await shop.running.deliveries.retry();
  for (
    let tries = 0;
    tries < 20 && (await shop.running.deliveries.list()).some(({ state }) => state === 'pending');
    tries += 1
  ) {
    shop.clock.now += 60_000;
    await shop.running.tick();
  }
  expect((await shop.stripe.events.list({ delivery_success: false })).data).toEqual([]);
  const arrived = new Set(
    shop.receiver.got.map(
      ({ raw, signature }) =>
        (
          shop.stripe.webhooks.constructEvent(raw, signature, shop.running.webhookSecret!).data
            .object as Stripe.Checkout.Session
        ).client_reference_id!,
    ),
  );
  expect([...arrived].toSorted()).toEqual(keys.toSorted());
});

/** Looks again after every turn of the event loop. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo())
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}
