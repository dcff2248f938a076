/** Deliveries: signed afresh, and repeated until they are taken. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { DeliveryFault } from '#server/standins/stripe/faults/fault-rules.ts';
import { startShop, type Shop } from './shop.ts';

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
