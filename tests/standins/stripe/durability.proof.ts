/** Many kills, and two processes on one file; durability.test.ts and races.test.ts are shorter. */
import Database from 'better-sqlite3';
import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { startChild, type Child } from '#tests/standins/standins-child.ts';
import { KEY, killAtRandomMoments } from './kills.ts';
import { madeProducts, makePrice, refuses, sdkAt, startReceiver, startShop } from './shop.ts';
import { newFile } from '#tests/standins/new-file.ts';

test('killed at thirty random moments in the middle of its work, it never does anything twice and keeps what it answered', () =>
  killAtRandomMoments(30));

test('two processes on one file are one account: no call is refused for the other’s sake, one key is one effect, an event comes once', async () => {
  using place = newFile();
  const receiver = await startReceiver();
  const options = ['--stripe-port', '0', '--file', place.file, '--secret-key', KEY];
  // At the same moment, on a file that neither has made yet.
  const starting = [1, 2].map(() => startChild([...options, '--webhook-url', receiver.url])) as [
    Promise<Child>,
    Promise<Child>,
  ];
  await using one = await starting[0];
  await using two = await starting[1];
  const clients = [one, two].map(({ port }) => sdkAt(port, KEY, { timeout: 10_000 }));
  const price = await makePrice(clients[0]!, 2500);
  const open = (stripe: Stripe, key: string): Promise<Stripe.Checkout.Session> =>
    stripe.checkout.sessions.create(
      {
        mode: 'payment',
        success_url: 'http://localhost/ok',
        client_reference_id: key,
        line_items: [{ price, quantity: 1 }],
      },
      { idempotencyKey: key },
    );
  const keys = Array.from({ length: 60 }, (_, index) => `order-${index}`);
  const made = await Promise.all(
    keys.map(async (key) => {
      const [left, right] = await Promise.all(clients.map((stripe) => open(stripe, key)));
      expect(left!.id).toBe(right!.id);
      return left!.id;
    }),
  );
  await Promise.all(made.map((id, index) => clients[index % 2]!.checkout.sessions.expire(id)));
  const all = await clients[1]!.checkout.sessions
    .list({ limit: 100 })
    .autoPagingToArray({ limit: 1000 });
  expect(all.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
  await receiver.reached(60);
  const late = { delivery_success: false };
  while (
    (await clients[0]!.events.list(late)).data.some(
      ({ type }) => type === 'checkout.session.expired',
    )
  )
    await Promise.all(clients.map((stripe) => stripe.prices.list().catch(() => undefined)));
  const ids = receiver.got.map(({ raw }) => (JSON.parse(raw) as { id: string }).id);
  expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
  for (const child of [one, two]) expect(child.said()).not.toMatch(/SQLITE|Error/);
  await receiver.close();
});

test('whoever waits too long for a file that somebody else holds is told so, and nothing was done', async () => {
  using place = newFile();
  await using shop = await startShop(place);
  const { products } = shop.stripe;
  const other = new Database(place.file);
  other.exec('BEGIN IMMEDIATE');
  await refuses({ statusCode: 409, code: 'lock_timeout' }, products.create({ name: 'Loggione' }));
  other.exec('COMMIT');
  other.close();
  expect(await madeProducts(shop.stripe)).toEqual([]);
});
