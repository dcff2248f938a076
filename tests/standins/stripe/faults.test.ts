/** Each fault breaks what it names, as often as ordered, and leaves exactly the stated effect. */
import type { Stripe } from 'stripe';
import { expect } from 'vitest';
import type { RequestFault } from '#server/standins/stripe/faults/fault-rules.ts';
import { madeProducts, refusalOf, sdkAt, type Shop, testShop as test } from './shop.ts';

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

test('a call hit by a fault fails as that fault says, and leaves behind its effect or nothing', async (shop) => {
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

test('a breakdown that is remembered comes again under its key, and only under it', async (shop) => {
  shop.running.faults.add({ ...create, action: 'saved_500' });
  for (const replayed of [undefined, 'true', 'true']) {
    const under = { idempotencyKey: 'k' };
    const failed = await refusalOf(shop.stripe.products.create({ name: 'Platea' }, under));
    expect([failed.statusCode, failed.headers?.['idempotent-replayed']]).toEqual([500, replayed]);
  }
  await shop.stripe.products.create({ name: 'Platea' }, { idempotencyKey: 'k-2' });
  expect(await productsOf(shop)).toBe(1);
});

test('a call that hangs goes on when it is let go, and one that is late comes late', async (shop) => {
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

test('rules hit the call they name, the time they name, and as often as they say', async (shop) => {
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

/** Looks again after every turn of the event loop. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo())
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}
