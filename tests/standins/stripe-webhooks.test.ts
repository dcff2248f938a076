/** Deliveries: signed afresh, repeated until taken, to whoever asked for them. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openStore } from '#server/standins/store.ts';
import { startStripe } from '#server/standins/stripe/server.ts';
import { Stripe } from 'stripe';
import { refusalOf, startReceiver, startShop } from './stripe-shop.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => { server.close(resolve); });
  return port;
}

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
  const [one, two] = [first!, second!].map(({ raw, signature }) => shop.stripe.webhooks.constructEvent(raw, signature, shop.running.webhookSecret!));
  expect(two!.id).toBe(one!.id);
  expect(() => shop.stripe.webhooks.constructEvent(first!.raw, first!.signature, 'whsec_other')).toThrow(/signature/i);
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

test('a receiver that starts later than the stand-in still gets everything, in order', async () => {
  const port = await freePort();
  const store = openStore(':memory:');
  const running = await startStripe({ store, now: Date.now, port: 0, publicUrl: 'http://localhost/p', webhookUrl: `http://127.0.0.1:${port}/webhooks` });
  const stripe = new Stripe(running.secretKey, { host: '127.0.0.1', port: running.port, protocol: 'http', telemetry: false });
  const price = await stripe.prices.create({ currency: 'eur', unit_amount: 900, product_data: { name: 'Ridotto' } });
  const session = await stripe.checkout.sessions.create({ mode: 'payment', success_url: 'http://localhost/ok', line_items: [{ price: price.id, quantity: 1 }] });
  await fetch(`${running.url}/v1/payment_pages/${session.id}/confirm`, { method: 'POST', body: new URLSearchParams({ payment_method: 'pm_card_visa', expected_amount: '900' }) });
  const receiver = await startReceiver(port);
  await receiver.reached(4);
  expect(receiver.got.slice(0, 4).map(({ type }) => type)).toEqual(['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded', 'checkout.session.completed']);
  await running.close();
  await receiver.close();
  store.close();
});

test('endpoints made through the API get what they asked for, in their own version, until they are deleted', async () => {
  await using shop = await startShop({ webhooks: false });
  const { webhookEndpoints } = shop.stripe;
  expect(shop.running.webhookSecret).toBeNull();
  const endpoint = await webhookEndpoints.create({ url: shop.receiver.url, enabled_events: ['checkout.session.expired'], api_version: '2026-10-28.endive' });
  expect(endpoint.secret).toMatch(/^whsec_/);
  expect(await webhookEndpoints.retrieve(endpoint.id)).not.toHaveProperty('secret');
  const session = await shop.open();
  await shop.stripe.checkout.sessions.expire(session.id);
  await shop.running.tick();
  expect(shop.receiver.got).toHaveLength(1);
  const [{ raw, signature }] = shop.receiver.got as [typeof shop.receiver.got[number]];
  expect(shop.stripe.webhooks.constructEvent(raw, signature, endpoint.secret!)).toMatchObject({ type: 'checkout.session.expired', api_version: '2026-10-28.endive' });
  await webhookEndpoints.del(endpoint.id);
  await shop.stripe.checkout.sessions.expire((await shop.open()).id);
  await shop.running.tick();
  expect(shop.receiver.got).toHaveLength(1);
  expect(await refusalOf(webhookEndpoints.create({ url: 'ftp://x', enabled_events: ['*'] }))).toMatchObject({ code: 'url_invalid' });
});
