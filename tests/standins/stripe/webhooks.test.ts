/** Deliveries: signed afresh, and repeated until they are taken. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { DeliveryFault } from '#server/standins/stripe/faults/fault-rules.ts';
import { ask, startShop, type Shop } from './shop.ts';

const HOUR = 3_600_000;
const EXPIRED = 'checkout.session.expired';

/** One event: a session expired by call, and delivered as it may be. */
async function cause(shop: Shop, params: Parameters<Shop['open']>[0] = {}): Promise<void> {
  const session = await shop.open(params);
  await shop.stripe.checkout.sessions.expire(session.id);
  await shop.running.tick();
}

/** What became of the events so far. */
async function eventsOf(shop: Shop, delivery_success: boolean) {
  return (await shop.stripe.events.list({ delivery_success })).data;
}

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a delivery that was not taken comes again, with a signature of its own that holds, and what cannot be delivered stays listed', async () => {
  await using shop = await startShop();
  shop.receiver.answers.push(500);
  await cause(shop);
  shop.clock.now += 60_000;
  await shop.receiver.reached(2);
  const [first, second] = shop.receiver.got;
  expect([first?.status, second?.status]).toEqual([500, 200]);
  expect(second?.signature).not.toBe(first?.signature);
  const [one, two] = [first!, second!].map(({ raw, signature }) =>
    shop.stripe.webhooks.constructEvent(raw, signature, shop.running.webhookSecret!),
  );
  expect(two!.id).toBe(one!.id);
  expect(() =>
    shop.stripe.webhooks.constructEvent(first!.raw, first!.signature, 'whsec_other'),
  ).toThrow(/signature/i);
  await shop.running.tick();
  expect(await eventsOf(shop, false)).toEqual([]);
  await shop.receiver.close();
  await cause(shop);
  expect(await eventsOf(shop, false)).toMatchObject([{ type: EXPIRED, pending_webhooks: 1 }]);
});

test('at Stripe’s pace a delivery is tried within minutes, then hours, for three days, and then given up', async () => {
  await using shop = await startShop({ deliveries: { retryScale: 1 } });
  shop.receiver.answers.push(...Array<number>(100).fill(500));
  await cause(shop);
  const waits: number[] = [];
  let since = 0;
  while ((await shop.running.deliveries.list())[0]!.state === 'pending') {
    const tries = shop.receiver.got.length;
    shop.clock.now += 300_000;
    since += 300_000;
    await shop.running.tick();
    if (shop.receiver.got.length > tries) {
      waits.push(since / HOUR);
      since = 0;
    }
  }
  expect(waits).toEqual([5 / 60, 0.5, 2, 5, 10, 12, 12, 12, 12]);
  expect(new Set(shop.receiver.got.map(({ signature }) => signature)).size).toBe(10);
  expect(await eventsOf(shop, false)).toMatchObject([{ type: EXPIRED, pending_webhooks: 0 }]);
  expect((await eventsOf(shop, true)).map(({ type }) => type)).not.toContain(EXPIRED);
  shop.receiver.answers.length = 0;
  await shop.running.deliveries.retry();
  expect(await eventsOf(shop, false)).toEqual([]);
});

test('only a 2xx is an answer: a redirect, a refusal and silence are not', async () => {
  await using shop = await startShop();
  const { deliveries } = shop.running;
  for (const status of [301, 302, 400, 404, 410, 500]) {
    shop.receiver.answers.push(status);
    await cause(shop);
    const last_error = `HTTP ${status}`;
    expect((await deliveries.list())[0]).toMatchObject({ state: 'pending', last_error });
    shop.clock.now += 1000;
    await shop.running.tick();
  }
  shop.receiver.answers.push(201, 204, 299);
  for (const _ of [201, 204, 299]) await cause(shop);
  expect(new Set((await deliveries.list()).map(({ state }) => state))).toEqual(
    new Set(['delivered']),
  );
  // Of its own, because the others may well take longer on a busy machine.
  using silent = await listen(() => undefined);
  await using hasty = await startShop({ webhookUrl: silent.url, deliveries: { timeoutMs: 200 } });
  await cause(hasty);
  expect(await hasty.running.deliveries.list()).toMatchObject([
    { state: 'pending', last_error: 'No answer within 200 ms' },
  ]);
});

test('an endpoint gets what a shop needs; without an address nothing is sent', async () => {
  await using shop = await startShop();
  await shop.price(2500);
  await cause(shop);
  expect(shop.receiver.got.map(({ type }) => type)).toEqual([EXPIRED]);
  await using quiet = await startShop({ webhooks: false });
  expect(quiet.running.webhookSecret).toBeNull();
  await cause(quiet);
  expect(await quiet.running.deliveries.list()).toEqual([]);
});

test('a secret can be changed while the old one still holds for a while', async () => {
  await using shop = await startShop({ faults: true });
  await cause(shop);
  const { endpoint } = (await shop.running.deliveries.list())[0]!;
  const { body } = await ask(shop, `POST /_standin/webhook_endpoints/${endpoint}/roll_secret`, {
    form: 'expires_in_seconds=3600',
  });
  const [old, secret] = [shop.running.webhookSecret!, body['secret'] as string];
  expect(secret).not.toBe(old);
  const last = () => shop.receiver.got.at(-1)!;
  const typeBy = (key: string) =>
    shop.stripe.webhooks.constructEvent(last().raw, last().signature, key).type;
  await cause(shop);
  expect(last().signature).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64},v0=[0-9a-f]{64}$/);
  expect([old, secret].map(typeBy)).toEqual([EXPIRED, EXPIRED]);
  shop.clock.now += 3_600_000;
  await cause(shop);
  expect(last().signature).toMatch(/^t=\d+,v1=[0-9a-f]{64},v0=[0-9a-f]{64}$/);
  expect(typeBy(secret)).toBe(EXPIRED);
  expect(() => typeBy(old)).toThrow(/signature/i);
});

test('events are kept for thirty days', async () => {
  await using shop = await startShop();
  const listed = async () => (await shop.stripe.events.list()).data.map(({ type }) => type);
  await cause(shop);
  shop.clock.now += 30 * 24 * HOUR - 10_000;
  expect(await listed()).toContain(EXPIRED);
  shop.clock.now += 20_000;
  expect(await listed()).toEqual([]);
  await shop.running.tick();
  expect(await shop.running.deliveries.list()).toEqual([]);
});

/** A careful receiver's view of what arrived: the event types it accepts, or its refusal. */
function verdicts(shop: Shop): string[] {
  return shop.receiver.got.map(({ raw, signature }) => {
    try {
      const event = shop.stripe.webhooks.constructEvent(
        raw,
        signature,
        shop.running.webhookSecret!,
      );
      return event.livemode ? 'live' : event.type;
    } catch {
      return 'refused';
    }
  });
}

const spoilt: [DeliveryFault['action'], ...string[]][] = [
  ['wrong_signature', 'refused'],
  ['old_timestamp', 'refused'],
  ['tampered_body', 'refused'],
  ['wrong_livemode', 'live'],
  ['lose_answer', EXPIRED, EXPIRED],
  ['drop', EXPIRED],
  ['duplicate', EXPIRED, EXPIRED],
];

test('a delivery hit by a fault shows a careful receiver what that fault is about', async () => {
  for (const [action, ...expected] of spoilt) {
    await using shop = await startShop({ checked: false });
    const { faults } = shop.running;
    faults.add({ on: 'delivery', event: 'checkout.session.*', action });
    await cause(shop);
    shop.clock.now += 60_000;
    await shop.running.tick();
    expect([action, ...verdicts(shop)]).toEqual([action, ...expected]);
    const executed = action !== 'drop';
    expect(faults.log).toEqual([
      expect.objectContaining({ on: 'delivery', what: EXPIRED, action, executed }),
    ]);
  }
});

test('deliveries can be late, in another order, held, and all sent again', async () => {
  await using shop = await startShop();
  const { faults, deliveries } = shop.running;
  /** Which sessions were told of since the last time. */
  const order = (): string =>
    shop.receiver.got
      .splice(0)
      .map(
        ({ raw }) =>
          (JSON.parse(raw) as { data: { object: { client_reference_id: string } } }).data.object
            .client_reference_id,
      )
      .join('');
  const end = async (...names: string[]): Promise<string> => {
    for (const client_reference_id of names) await cause(shop, { client_reference_id });
    return order();
  };
  faults.add({ on: 'delivery', action: 'delay', ms: 90_000 });
  expect(await end('a', 'b')).toBe('b');
  shop.clock.now += 90_000;
  await shop.running.tick();
  expect(order()).toBe('a');

  faults.add({ on: 'delivery', action: 'reorder', hold: 3, times: 'always' });
  expect(await end('c', 'd', 'e')).toBe('edc');
  expect(await end('f')).toBe('');
  faults.clear();
  await shop.running.tick();
  expect(order()).toBe('f');

  faults.add({ on: 'delivery', action: 'replay_all' });
  expect([...(await end('g'))].toSorted()).toEqual([...'abcdefg']);
  await deliveries.replayAll();
  expect(order()).toHaveLength(7);

  deliveries.pause();
  expect(await end('h')).toBe('');
  await deliveries.resume();
  expect(order()).toBe('h');
  faults.add({ on: 'delivery', action: 'pause' });
  expect(await end('i')).toBe('');
  await deliveries.resume();
  expect(order()).toBe('i');
});
