/** Nothing answered is ever lost and nothing is done twice: across restarts, kills at any moment, and two processes on one file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openStore } from '#server/standins/kit/store.ts';
import { startStripe } from '#server/standins/stripe/server.ts';
import { stripeSchema } from '#server/standins/stripe/statements/schema.ts';
import { freePort, startChild, type Child } from '#tests/standins/standins-child.ts';
import { refusalOf, startReceiver, startShop } from './shop.ts';

function inFolder(name: string, run: (file: string) => Promise<void>, timeout: number): void {
  test(
    name,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
      try {
        await run(join(folder, 'standins.sqlite'));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    timeout,
  );
}

function clientOf(port: number, key: string): Stripe {
  return new Stripe(key, {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: 10_000,
  });
}

const KEY = 'sk_test_durability0123456789';

inFolder(
  'a restart keeps keys, objects, idempotency and what is still to be delivered',
  async (file) => {
    const before = await startShop({ file });
    const { secretKey, webhookSecret, restrictedKey } = before.running;
    const session = await before.open();
    await before.running.tick();
    before.receiver.answers.push(...Array.from({ length: 100 }, () => 503));
    await before.confirm(session, {
      payment_method: 'pm_card_visa',
      expected_amount: 5000,
      email: 'anna@example.it',
      name: 'Anna',
    });
    await before.stripe.products.create({ name: 'Loggione' }, { idempotencyKey: 'once' });
    await before.receiver.reached(4);
    await before[Symbol.asyncDispose]();

    await using after = await startShop({ file });
    expect(after.running).toMatchObject({ secretKey, webhookSecret, restrictedKey });
    expect(await after.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
    });
    await after.stripe.products.create({ name: 'Loggione' }, { idempotencyKey: 'once' });
    expect(
      (await after.stripe.products.list()).data.filter((product) => product.name === 'Loggione'),
    ).toHaveLength(1);
    expect((await after.stripe.webhookEndpoints.list()).data).toMatchObject([
      { url: after.receiver.url },
    ]);
    after.clock.now += 60_000;
    await after.running.tick();
    expect(after.receiver.got.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'charge.succeeded',
        'payment_intent.succeeded',
        'checkout.session.completed',
      ]),
    );
  },
  30_000,
);

inFolder(
  'killed at thirty random moments in the middle of its work, it never does anything twice and keeps what it answered',
  async (file) => {
    const port = await freePort();
    const rounds = 30;
    const start = (): ReturnType<typeof startChild> =>
      startChild(['--stripe-port', String(port), '--file', file, '--secret-key', KEY]);
    const answered = new Map<string, string>();
    let price = '';
    let charge = '';
    const asked: string[] = [];

    /** One call per key, always with the same parameters. */
    function call(stripe: Stripe, key: string): Promise<{ id: string }> {
      if (key.startsWith('session')) {
        return stripe.checkout.sessions.create(
          {
            mode: 'payment',
            success_url: 'http://localhost/ok',
            client_reference_id: key,
            line_items: [{ price, quantity: 1 }],
          },
          { idempotencyKey: key },
        );
      }
      return stripe.refunds.create(
        { charge, amount: 10, metadata: { key } },
        { idempotencyKey: key },
      );
    }

    let child = await start();
    const stripe = clientOf(port, KEY);
    price = (
      await stripe.prices.create({
        currency: 'eur',
        unit_amount: 90_000,
        product_data: { name: 'Platea' },
      })
    ).id;
    const paid = await stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'http://localhost/ok',
      line_items: [{ price, quantity: 1 }],
    });
    const confirmed = await fetch(`http://127.0.0.1:${port}/v1/payment_pages/${paid.id}/confirm`, {
      method: 'POST',
      body: new URLSearchParams({
        payment_method: 'pm_card_visa',
        expected_amount: '90000',
        email: 'a@b.it',
        name: 'A',
      }),
    });
    expect(confirmed.status).toBe(200);
    charge = (await stripe.charges.list()).data[0]!.id;

    for (let round = 0; round < rounds; round += 1) {
      const keys = [1, 2, 3, 4].flatMap((count) => [
        `session-${round}-${count}`,
        `refund-${round}-${count}`,
      ]);
      asked.push(...keys);
      // Those of the round before again, beside the new ones: a client that does not know how it ended.
      const calls = [...keys, ...asked.slice(-16, -8)].map((key) =>
        call(stripe, key).then(
          ({ id }) => {
            remembered(key, id);
          },
          () => undefined,
        ),
      );
      await new Promise((resolve) => {
        setTimeout(resolve, Math.random() * 40);
      });
      await child.stop();
      await Promise.all(calls);
      child = await start();
    }
    for (const key of asked) remembered(key, (await call(stripe, key)).id);
    for (const key of asked.slice(0, 20)) remembered(key, (await call(stripe, key)).id);

    const sessions: (string | null)[] = [];
    for await (const { client_reference_id } of stripe.checkout.sessions.list({ limit: 100 }))
      sessions.push(client_reference_id);
    expect(sessions.filter((name) => name !== null).toSorted()).toEqual(
      asked.filter((key) => key.startsWith('session')).toSorted(),
    );
    const refunds: string[] = [];
    for await (const { metadata } of stripe.refunds.list({ limit: 100 }))
      refunds.push(metadata!['key']!);
    expect(refunds.toSorted()).toEqual(asked.filter((key) => key.startsWith('refund')).toSorted());
    expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(refunds.length * 10);
    await child.stop();

    function remembered(key: string, id: string): void {
      expect([key, answered.get(key) ?? id]).toEqual([key, id]);
      answered.set(key, id);
    }
  },
  180_000,
);

inFolder(
  'two processes on one file are one account: no call is refused for the other’s sake, one key is one effect, an event comes once',
  async (file) => {
    const receiver = await startReceiver();
    // At the same moment, on a file that neither has made yet.
    const starting = [1, 2].map(() =>
      startChild([
        '--stripe-port',
        '0',
        '--file',
        file,
        '--secret-key',
        KEY,
        '--webhook-url',
        receiver.url,
      ]),
    ) as [Promise<Child>, Promise<Child>];
    await using one = await starting[0];
    await using two = await starting[1];
    const clients = [clientOf(one.port, KEY), clientOf(two.port, KEY)];
    const price = await clients[0]!.prices.create({
      currency: 'eur',
      unit_amount: 2500,
      product_data: { name: 'Platea' },
    });
    const open = (stripe: Stripe, key: string): Promise<Stripe.Checkout.Session> =>
      stripe.checkout.sessions.create(
        {
          mode: 'payment',
          success_url: 'http://localhost/ok',
          client_reference_id: key,
          line_items: [{ price: price.id, quantity: 1 }],
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
    const all: string[] = [];
    for await (const { id } of clients[1]!.checkout.sessions.list({ limit: 100 })) all.push(id);
    expect(all.toSorted()).toEqual(made.toSorted());
    await receiver.reached(60);
    while (
      (await clients[0]!.events.list({ delivery_success: false, type: 'checkout.session.expired' }))
        .data.length > 0
    )
      await Promise.all(clients.map((stripe) => stripe.balance.retrieve().catch(() => undefined)));
    const ids = receiver.got.map(({ raw }) => (JSON.parse(raw) as { id: string }).id);
    expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
    for (const child of [one, two]) expect(child.said()).not.toMatch(/SQLITE|Error/);
    await receiver.close();
  },
  60_000,
);

inFolder(
  'while somebody else holds the file, reading goes on, and writing waits its turn without holding up the process',
  async (file) => {
    await using shop = await startShop({ file });
    const other = new Database(file);
    await shop.stripe.products.create({ name: 'Platea' });
    other.exec('BEGIN IMMEDIATE');
    const writing = shop.stripe.products.create({ name: 'Galleria' });
    const slowest = await slowestOf(20, () => shop.stripe.products.list());
    expect(slowest).toBeLessThan(400);
    other.exec('COMMIT');
    expect((await writing).name).toBe('Galleria');
    other.exec('BEGIN IMMEDIATE');
    const refused = await refusalOf(shop.stripe.products.create({ name: 'Loggione' }));
    expect(refused).toMatchObject({ statusCode: 409, code: 'lock_timeout' });
    other.exec('COMMIT');
    other.close();
    expect((await shop.stripe.products.list()).data).toHaveLength(2);
  },
  60_000,
);

inFolder(
  'a full disk gives nobody a success that is not kept, and is forgotten once there is room again',
  async (file) => {
    const store = openStore(file, stripeSchema);
    const running = await startStripe({ store, now: Date.now, port: 0, publicUrl: '' });
    const stripe = clientOf(running.port, running.secretKey);
    const made: string[] = [];
    const { page_count } = (await store.get<{ page_count: number }>('PRAGMA page_count'))!;
    await store.write((writer) => writer.get(`PRAGMA max_page_count = ${page_count + 8}`));
    const silence = console.error;
    console.error = () => undefined;
    const failed = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        stripe.products
          .create(
            { name: `Fila ${index}`, description: 'x'.repeat(2000) },
            { idempotencyKey: `k${index}` },
          )
          .then(
            ({ id }) => {
              made.push(id);
            },
            (error: unknown) => error,
          ),
      ),
    );
    console.error = silence;
    expect(failed.filter((error) => error !== undefined).length).toBeGreaterThan(0);
    for (const error of failed)
      if (error !== undefined)
        expect(error).toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
    expect(
      (await stripe.products.list({ limit: 100 })).data.map(({ id }) => id).toSorted(),
    ).toEqual(made.toSorted());
    await store.write((writer) => writer.get('PRAGMA max_page_count = 1000000'));
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        stripe.products.create(
          { name: `Fila ${index}`, description: 'x'.repeat(2000) },
          { idempotencyKey: `k${index}` },
        ),
      ),
    );
    expect((await stripe.products.list({ limit: 100 })).data).toHaveLength(60);
    await running.close();
    await store.close();
  },
  30_000,
);

async function slowestOf(count: number, run: () => Promise<unknown>): Promise<number> {
  let slowest = 0;
  for (let index = 0; index < count; index += 1) {
    const before = performance.now();
    await run();
    slowest = Math.max(slowest, performance.now() - before);
  }
  return slowest;
}
