/** Deliveries: signed afresh, repeated until taken, to whoever asked for them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { DeliveryFault } from '#server/standins/stripe/faults/fault-rules.ts';
import { openStore } from '#server/standins/kit/store.ts';
import { startStripe } from '#server/standins/stripe/server.ts';
import { stripeSchema } from '#server/standins/stripe/statements/schema.ts';
import { Stripe } from 'stripe';
import { freePort } from '#tests/standins/standins-child.ts';
import { refusalOf, startReceiver, startShop, type Shop } from './shop.ts';

test('a delivery that was not taken comes again, with a signature of its own that holds', async () => {
  await using shop = await startShop();
  shop.receiver.answers.push(500);
  const session = await shop.open();
  await shop.stripe.checkout.sessions.expire(session.id);
  await shop.receiver.reached(1);
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
  expect((await shop.stripe.events.list({ delivery_success: false })).data).toEqual([]);
  expect((await shop.stripe.events.retrieve(one!.id)).pending_webhooks).toBe(0);
});

test('what cannot be delivered stays listed as undelivered', async () => {
  await using shop = await startShop();
  const session = await shop.open();
  await shop.receiver.close();
  await shop.stripe.checkout.sessions.expire(session.id);
  await shop.running.tick();
  const list = await shop.stripe.events.list({ delivery_success: false });
  expect(list.data).toMatchObject([{ type: 'checkout.session.expired', pending_webhooks: 1 }]);
});

test('a receiver that starts later than the stand-in still gets everything', async () => {
  const port = await freePort();
  const store = openStore(':memory:', stripeSchema);
  const running = await startStripe({
    store,
    now: Date.now,
    port: 0,
    publicUrl: 'http://localhost/p',
    webhookUrl: `http://127.0.0.1:${port}/webhooks`,
  });
  const stripe = new Stripe(running.secretKey, {
    host: '127.0.0.1',
    port: running.port,
    protocol: 'http',
    telemetry: false,
  });
  const price = await stripe.prices.create({
    currency: 'eur',
    unit_amount: 900,
    product_data: { name: 'Ridotto' },
  });
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'http://localhost/ok',
    line_items: [{ price: price.id, quantity: 1 }],
  });
  await fetch(`${running.url}/v1/payment_pages/${session.id}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ payment_method: 'pm_card_visa', expected_amount: '900' }),
  });
  const receiver = await startReceiver(port);
  await receiver.reached(4);
  expect(
    receiver.got
      .slice(0, 4)
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual([
    'charge.succeeded',
    'checkout.session.completed',
    'payment_intent.created',
    'payment_intent.succeeded',
  ]);
  await running.close();
  await receiver.close();
  await store.close();
});

test('endpoints made through the API get what they asked for, in their own version, until they are deleted', async () => {
  await using shop = await startShop({ webhooks: false });
  const { webhookEndpoints } = shop.stripe;
  expect(shop.running.webhookSecret).toBeNull();
  const endpoint = await webhookEndpoints.create({
    url: shop.receiver.url,
    enabled_events: ['checkout.session.expired'],
    api_version: '2026-10-28.endive',
  });
  expect(endpoint.secret).toMatch(/^whsec_/);
  expect(await webhookEndpoints.retrieve(endpoint.id)).not.toHaveProperty('secret');
  const session = await shop.open();
  await shop.stripe.checkout.sessions.expire(session.id);
  await shop.running.tick();
  expect(shop.receiver.got).toHaveLength(1);
  const [{ raw, signature }] = shop.receiver.got as [(typeof shop.receiver.got)[number]];
  expect(shop.stripe.webhooks.constructEvent(raw, signature, endpoint.secret!)).toMatchObject({
    type: 'checkout.session.expired',
    api_version: '2026-10-28.endive',
  });
  await webhookEndpoints.del(endpoint.id);
  await shop.stripe.checkout.sessions.expire((await shop.open()).id);
  await shop.running.tick();
  expect(shop.receiver.got).toHaveLength(1);
  expect(
    await refusalOf(webhookEndpoints.create({ url: 'ftp://x', enabled_events: ['*'] })),
  ).toMatchObject({ code: 'url_invalid' });
});

const HOUR = 3_600_000;

/** One event: a session expired by call. */
async function cause(shop: Shop): Promise<void> {
  const session = await shop.open();
  await shop.stripe.checkout.sessions.expire(session.id);
}

test('at Stripe’s pace a delivery is tried within minutes, then hours, for three days, and then given up', async () => {
  await using shop = await startShop({ deliveries: { retryScale: 1 } });
  shop.receiver.answers.push(...Array.from({ length: 100 }, () => 500));
  await cause(shop);
  await shop.running.tick();
  const waits: number[] = [];
  let since = 0;
  while ((await shop.running.deliveries.list())[0]!.state === 'pending') {
    const tries = shop.receiver.got.length;
    shop.clock.now += 60_000;
    since += 60_000;
    await shop.running.tick();
    if (shop.receiver.got.length > tries) {
      waits.push(since / HOUR);
      since = 0;
    }
  }
  expect(waits.map((hours) => Math.round(hours * 60) / 60)).toEqual([
    5 / 60,
    0.5,
    2,
    5,
    10,
    12,
    12,
    12,
    12,
  ]);
  expect(new Set(shop.receiver.got.map(({ signature }) => signature)).size).toBe(10);
  expect((await shop.stripe.events.list({ delivery_success: false })).data).toMatchObject([
    { type: 'checkout.session.expired', pending_webhooks: 0 },
  ]);
  expect(
    (await shop.stripe.events.list({ delivery_success: true })).data.map(({ type }) => type),
  ).not.toContain('checkout.session.expired');
  shop.receiver.answers.length = 0;
  await shop.running.deliveries.retry();
  expect((await shop.stripe.events.list({ delivery_success: false })).data).toEqual([]);
}, 60_000);

test('only a 2xx is an answer: a redirect, a refusal and silence are not', async () => {
  await using shop = await startShop({ deliveries: { timeoutMs: 200 } });
  for (const status of [301, 302, 400, 404, 410, 500]) {
    shop.receiver.answers.push(status);
    await cause(shop);
    await shop.running.tick();
    expect((await shop.running.deliveries.list())[0]).toMatchObject({
      state: 'pending',
      last_error: `HTTP ${status}`,
    });
    shop.clock.now += 1000;
    await shop.running.tick();
  }
  for (const status of [201, 204, 299]) {
    shop.receiver.answers.push(status);
    await cause(shop);
    await shop.running.tick();
  }
  expect((await shop.running.deliveries.list()).every(({ state }) => state === 'delivered')).toBe(
    true,
  );
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  const { id } = await shop.stripe.webhookEndpoints.create({
    url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`,
    enabled_events: ['checkout.session.expired'],
  });
  await cause(shop);
  await shop.running.tick();
  expect(
    (await shop.running.deliveries.list()).find(({ endpoint }) => endpoint === id),
  ).toMatchObject({
    state: 'pending',
    last_error: 'No answer within 200 ms',
  });
  silent.closeAllConnections();
  silent.close();
});

test('of many deliveries only so many are under way at once, and a slow receiver does not hold up another', async () => {
  await using shop = await startShop({ webhooks: false, deliveries: { inFlight: 3 } });
  let open = 0;
  let most = 0;
  const let_go: (() => void)[] = [];
  const slow = createServer((request, response) => {
    request.resume();
    open += 1;
    most = Math.max(most, open);
    let_go.push(() => {
      open -= 1;
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    slow.listen(0, '127.0.0.1', resolve);
  });
  await shop.stripe.webhookEndpoints.create({
    url: `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`,
    enabled_events: ['checkout.session.expired'],
  });
  for (let count = 0; count < 7; count += 1) await cause(shop);
  const settled = shop.running.tick();
  let answered = 0;
  while (answered < 7) {
    while (let_go.length === 0)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    let_go.shift()!();
    answered += 1;
  }
  await settled;
  expect(most).toBeLessThanOrEqual(3);
  expect((await shop.running.deliveries.list()).every(({ state }) => state === 'delivered')).toBe(
    true,
  );
  slow.closeAllConnections();
  slow.close();
});

test('an endpoint that is switched off gets nothing new, and what waited for it is not tried again', async () => {
  await using shop = await startShop();
  const [endpoint] = (await shop.stripe.webhookEndpoints.list()).data;
  shop.receiver.answers.push(500);
  await cause(shop);
  await shop.running.tick();
  expect((await shop.stripe.webhookEndpoints.update(endpoint!.id, { disabled: true })).status).toBe(
    'disabled',
  );
  shop.clock.now += 60_000;
  await shop.running.tick();
  await cause(shop);
  await shop.running.tick();
  expect(shop.receiver.got).toHaveLength(1);
  expect(await shop.running.deliveries.list()).toMatchObject([
    { state: 'failed', last_error: 'The endpoint is disabled.' },
  ]);
  await shop.stripe.webhookEndpoints.update(endpoint!.id, {
    disabled: false,
    enabled_events: ['checkout.session.expired', 'charge.succeeded'],
  });
  await cause(shop);
  await shop.running.tick();
  expect(shop.receiver.got.map(({ status }) => status)).toEqual([500, 200]);
});

test('events are written in the version of the endpoint, and asked for by their right names only', async () => {
  await using shop = await startShop({ webhooks: false });
  const { webhookEndpoints } = shop.stripe;
  await webhookEndpoints.create({
    url: `${shop.receiver.url}?new`,
    enabled_events: ['*'],
    api_version: '2026-10-28.endive',
  });
  await webhookEndpoints.create({ url: `${shop.receiver.url}?old`, enabled_events: ['*'] });
  await cause(shop);
  await shop.running.tick();
  const seen = shop.receiver.got
    .filter(({ type }) => type === 'checkout.session.expired')
    .map(({ raw }) => {
      const { api_version, data } = JSON.parse(raw) as {
        api_version: string;
        data: { object: { ui_mode: string } };
      };
      return [api_version, data.object.ui_mode];
    });
  expect(seen.toSorted()).toEqual([
    ['2025-03-31.basil', 'hosted'],
    ['2026-10-28.endive', 'hosted_page'],
  ]);
  const wrong = (params: object): Promise<unknown> =>
    refusalOf(
      webhookEndpoints.create({
        url: shop.receiver.url,
        enabled_events: ['*'],
        ...params,
      } as Stripe.WebhookEndpointCreateParams),
    );
  expect(await wrong({ enabled_events: ['checkout.session.complete'] })).toMatchObject({
    statusCode: 400,
    param: 'enabled_events[0]',
  });
  expect(await wrong({ api_version: '2026-10-29.endive' })).toMatchObject({
    statusCode: 400,
    param: 'api_version',
  });
  expect(await wrong({ url: undefined })).toMatchObject({
    code: 'parameter_missing',
    param: 'url',
  });
  expect(await wrong({ url: 'webhooks' })).toMatchObject({ code: 'url_invalid' });
  for (let count = 2; count < 16; count += 1)
    await webhookEndpoints.create({ url: shop.receiver.url, enabled_events: ['charge.succeeded'] });
  expect(await wrong({})).toMatchObject({ statusCode: 400 });
});

test('a secret can be changed while the old one still holds for a while', async () => {
  await using shop = await startShop({ faults: true });
  const [endpoint] = (await shop.stripe.webhookEndpoints.list()).data;
  const answer = await fetch(
    `${shop.running.url}/_standin/webhook_endpoints/${endpoint!.id}/roll_secret`,
    {
      method: 'POST',
      headers: { Authorization: `Bearer ${shop.running.secretKey}` },
      body: new URLSearchParams({ expires_in_seconds: '3600' }),
    },
  );
  const { secret } = (await answer.json()) as { secret: string };
  const old = shop.running.webhookSecret!;
  expect(secret).not.toBe(old);
  await cause(shop);
  await shop.running.tick();
  const [first] = shop.receiver.got;
  expect(first!.signature).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64},v0=[0-9a-f]{64}$/);
  for (const key of [old, secret])
    expect(shop.stripe.webhooks.constructEvent(first!.raw, first!.signature, key).type).toBe(
      'checkout.session.expired',
    );
  shop.clock.now += 3_600_000;
  await cause(shop);
  await shop.running.tick();
  const last = shop.receiver.got.at(-1)!;
  expect(last.signature).toMatch(/^t=\d+,v1=[0-9a-f]{64},v0=[0-9a-f]{64}$/);
  expect(shop.stripe.webhooks.constructEvent(last.raw, last.signature, secret).type).toBe(
    'checkout.session.expired',
  );
  expect(() => shop.stripe.webhooks.constructEvent(last.raw, last.signature, old)).toThrow(
    /signature/i,
  );
});

test('events are kept for thirty days', async () => {
  await using shop = await startShop();
  await cause(shop);
  await shop.running.tick();
  const [event] = (await shop.stripe.events.list({ type: 'checkout.session.expired' })).data;
  shop.clock.now += 30 * 24 * HOUR - 10_000;
  expect((await shop.stripe.events.retrieve(event!.id)).id).toBe(event!.id);
  shop.clock.now += 20_000;
  expect(await refusalOf(shop.stripe.events.retrieve(event!.id))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
  expect((await shop.stripe.events.list()).data).toEqual([]);
  await shop.running.tick();
  expect(await shop.running.deliveries.list()).toEqual([]);
});

/** What a careful receiver makes of what arrived: the types it would act on, or why it would not. */
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

const spoilt: [DeliveryFault['action'], string[]][] = [
  ['wrong_signature', ['refused']],
  ['old_timestamp', ['refused']],
  ['tampered_body', ['refused']],
  ['wrong_livemode', ['live']],
  ['lose_answer', ['checkout.session.expired', 'checkout.session.expired']],
  ['drop', ['checkout.session.expired']],
  ['duplicate', ['checkout.session.expired', 'checkout.session.expired']],
];
for (const [action, expected] of spoilt) {
  test(`a delivery hit by ${action} shows a careful receiver ${expected.join(', ')}`, async () => {
    await using shop = await startShop();
    shop.running.faults.add({ on: 'delivery', event: 'checkout.session.*', action });
    await cause(shop);
    await shop.running.tick();
    shop.clock.now += 60_000;
    await shop.running.tick();
    expect(verdicts(shop)).toEqual(expected);
    expect(shop.running.faults.log).toEqual([
      expect.objectContaining({
        on: 'delivery',
        what: 'checkout.session.expired',
        action,
        executed: action !== 'drop',
      }),
    ]);
  });
}

test('deliveries can be late, in another order, held, and all sent again', async () => {
  await using shop = await startShop();
  const { faults, deliveries } = shop.running;
  const order = (): string[] =>
    shop.receiver.got
      .splice(0)
      .map(
        ({ raw }) =>
          (JSON.parse(raw) as { data: { object: { client_reference_id: string } } }).data.object
            .client_reference_id,
      );
  const end = async (name: string): Promise<void> => {
    const session = await shop.open({ client_reference_id: name });
    await shop.stripe.checkout.sessions.expire(session.id);
    await shop.running.tick();
  };
  faults.add({ on: 'delivery', action: 'delay', ms: 90_000 });
  await end('a');
  await end('b');
  expect(order()).toEqual(['b']);
  shop.clock.now += 90_000;
  await shop.running.tick();
  expect(order()).toEqual(['a']);

  faults.add({ on: 'delivery', action: 'reorder', hold: 3, times: 'always' });
  for (const name of ['c', 'd', 'e']) await end(name);
  expect(order()).toEqual(['e', 'd', 'c']);
  await end('f');
  expect(order()).toEqual([]);
  faults.clear();
  await shop.running.tick();
  expect(order()).toEqual(['f']);

  faults.add({ on: 'delivery', action: 'replay_all' });
  await end('g');
  expect(order().toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  await deliveries.replayAll();
  expect(order()).toHaveLength(7);

  deliveries.pause();
  await end('h');
  expect(order()).toEqual([]);
  await deliveries.resume();
  expect(order()).toEqual(['h']);
  faults.add({ on: 'delivery', action: 'pause' });
  await end('i');
  expect(order()).toEqual([]);
  await deliveries.resume();
  expect(order()).toEqual(['i']);
});
