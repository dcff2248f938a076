/** A big house: several server processes on one PostgreSQL, the seat map in it, beside one stand-in of Stripe; here they share a test process, not memory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { getEvent } from '#server/contract/events.ts';
import { findOrders } from '#server/contract/order/holders.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { acceptInvite, login, readInvite } from '#server/contract/users.ts';
import { readConfig } from '#server/config.ts';
import { openProduct, type OpenProduct } from '#server/open.ts';
import { startStandins } from '#server/standins/start.ts';
import { guessTogether } from '#tests/attack/guesses.ts';
import { ask, callOk, demoEvent, until, sessionIn } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { makeDatabase } from '#tests/support/postgres.ts';

/** The one printed link works once, at either process; guesses are counted by both together. */
async function expectOneAdmin(servers: readonly { url: string }[], token: string): Promise<void> {
  const person = { email: 'ada@teatro.it', name: 'Ada', password: 'una-platea-piena-di-luce' };
  const statuses = async (path: string, bodies: readonly object[]) => {
    const found: number[] = [];
    for (const [at, body] of bodies.entries())
      found.push((await ask(servers[at % 2]!, 'POST', path, { body })).status);
    return found;
  };
  const looks = [{ token }, { token }];
  expect(await statuses(readInvite.path, looks)).toEqual([200, 200]);
  const taken = [1, 2].map(() => ({ ...person, token }));
  expect(await statuses(acceptInvite.path, taken)).toEqual([200, 410]);
  const guesses = ['1', '2', '3', '4', '5', '6'].map((password) => ({ ...person, password }));
  expect(await statuses(login.path, guesses)).toEqual([401, 401, 401, 401, 401, 429]);
}

/** What one address may is counted by both together: letters that it has us write, and hold tokens. */
async function expectOneCount(servers: readonly { url: string }[], tokens: string): Promise<void> {
  const askAs = async (address: string, path: string, times: number) => {
    const statuses: number[] = [];
    const askOnce = async (_: unknown, nth: number) => {
      const headers = { 'x-forwarded-for': address };
      const body = path === findOrders.path ? { email: 'ada@example.it' } : undefined;
      statuses.push((await ask(servers[nth % 2]!, 'POST', path, { body, headers })).status);
    };
    // On a busy machine more calls together would wait too long for a connection.
    for (let left = times; left > 0; left -= 10)
      await Promise.all(Array.from({ length: Math.min(left, 10) }, askOnce));
    return statuses.filter((status) => status === 429).length;
  };
  expect(await askAs('203.0.113.7', findOrders.path, 24)).toBe(4);
  expect(await askAs('203.0.113.7', tokens, 110)).toBe(10);
  // Guesses at one account that come all at once, from addresses of their own.
  expect(await guessTogether(servers, 40)).toBe(10);
  // Somebody else is not kept waiting.
  expect(await askAs('203.0.113.8', tokens, 2)).toBe(0);
}

test('two processes start together on an empty database, sell one hall, and each order ends once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const database = await makeDatabase(inject('postgresUrl'));
  const ports = [await freePort(), await freePort()];
  const standins = await startStandins({
    file: join(folder, 'standins.sqlite'),
    now: Date.now,
    chartFolder: folder,
    stripePublicUrl: `http://localhost:${ports[0]}/standins/stripe`,
    stripePort: 0,
    webhookUrl: `http://127.0.0.1:${ports[1]}/api/webhooks/stripe`,
  });
  const { stripe } = standins;
  const env = (port: number) => ({
    PORT: String(port),
    DATA_DIR: join(folder, String(port)),
    DATABASE_URL: database.address,
    PUBLIC_URL: `http://localhost:${ports[0]}`,
    TRUST_PROXY: '1',
    STRIPE_URL: stripe!.url,
    STRIPE_SECRET_KEY: stripe!.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe!.webhookSecret!,
  });
  let houses: OpenProduct[] = [];
  try {
    houses = await Promise.all(
      ports.map((port) => openProduct(readConfig({ ...env(port), LOG_LEVEL: 'silent' }, []))),
    );
    const [a, b] = ports.map((port) => ({ url: `http://localhost:${port}` }));
    const printed = houses.flatMap(({ invite }) => invite ?? []);
    expect(printed).toHaveLength(1);
    await expectOneAdmin([a!, b!], printed[0]!.split('#')[1]!);
    expect(await houses[0]!.ctx.db('events').count({ n: '*' }).first()).toEqual({ n: 2 });

    const { event } = await callOk(b!, getEvent, { params: { eventId: demoEvent } });
    const map = `/standins/seatsio/system/public/${event.seatsio_workspace_key}`;
    const hold = await ask(a!, 'POST', `${map}/hold-tokens`);
    const { holdToken: hold_token } = hold.body as { holdToken: string };
    const selected_objects = ['Platea-D-1', 'Platea-D-2'].map((object_id) => ({
      object_id,
      ticket_type: 'intero',
    }));
    await ask(b!, 'POST', `${map}/events/${demoEvent}/actions/hold`, {
      body: {
        holdToken: hold_token,
        objects: selected_objects.map(({ object_id }) => ({ objectId: object_id })),
      },
    });
    const answers = await Promise.all(
      [a!, b!, a!, b!].map((server) =>
        ask(server, 'POST', `/api/event/${demoEvent}/book`, {
          body: { hold_token, selected_objects },
        }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);

    const { order_id, checkout_url } = answers[0]!.body as {
      order_id: string;
      checkout_url: string;
    };
    await ask(a!, 'POST', `/standins/stripe/v1/payment_pages/${sessionIn(checkout_url)}/confirm`, {
      body: { payment_method: 'pm_card_visa', expected_amount: 6400 },
    });
    const pageAt = (server: { url: string }) =>
      callOk(server, getOrder, { params: { orderId: order_id } });
    // The receipt comes after the confirmation, and either process may be the one that reads it.
    await until(async () => (await pageAt(a!)).receipt_url !== null);
    const pages = await Promise.all([a!, b!].map(pageAt));
    expect(pages[0]).toEqual(pages[1]);
    expect(pages[0]!.tickets).toHaveLength(2);
    await expectOneCount([a!, b!], `${map}/hold-tokens`);
  } finally {
    await Promise.all(houses.map((house) => house.close()));
    await standins.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
