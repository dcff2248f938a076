/** What the house tells those who watch it: figures for a machine, red lights for the office, and nothing for strangers. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { providerHealth } from '#server/adapters/provider-health.ts';
import { readHealth } from '#server/contract/health.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { mailStates } from '#server/domain/mail/kinds.ts';
import { canWork, announceStop } from '#server/services/office/health.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { ask, callOk, makeOrder, payOrder } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const minute = 60_000;

/** The value of one line; undefined when it is not there. */
async function figure(server: TestServer, line: string): Promise<number | undefined> {
  server.clock.advance(6_000);
  const text = (await ask(server, 'GET', '/metrics')).body as string;
  const found = text.split('\n').find((candidate) => candidate.startsWith(`botteghino_${line} `));
  return found === undefined ? undefined : Number(found.split(' ').at(-1));
}

it('the figures follow what happens', async (server, admin) => {
  expect(await figure(server, 'orders{state="confirmed"}')).toBe(0);
  for (const state of mailStates)
    expect([state, await figure(server, `mails{state="${state}"}`)]).toEqual([state, 0]);
  const order = await makeOrder(server);
  await makeOrder(server, { nth: 1 });
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  await ask(server, 'GET', `/api/orders/${order.order_id}/status`);
  const { db } = server.house.ctx;
  expect(await figure(server, 'orders{state="confirmed"}')).toBe(1);
  expect(await figure(server, 'orders{state="awaiting_payment"}')).toBe(1);
  expect(await figure(server, 'seats_sold{event="la-locandiera"}')).toBe(2);
  expect(
    await figure(
      server,
      'http_requests_total{route="/api/event/:eventId/book",method="POST",status="2xx"}',
    ),
  ).toBe(2);
  // Pages from memory are counted like all others.
  const pages = (status: string) =>
    figure(
      server,
      `http_requests_total{route="/api/event/:eventId",method="GET",status="${status}"}`,
    );
  const before = (await pages('2xx')) ?? 0;
  const etag = (await ask(server, 'GET', '/api/event/la-locandiera/')).headers.get('etag');
  await ask(server, 'GET', '/api/event/la-locandiera/');
  await ask(server, 'GET', '/api/event/la-locandiera/', {
    headers: { 'if-none-match': String(etag) },
  });
  server.clock.advance(10_000);
  expect([await pages('2xx'), await pages('3xx')]).toEqual([before + 2, 1]);
  expect(await figure(server, 'provider_up{provider="stripe"}')).toBe(1);
  expect(await figure(server, 'outbox_pending')).toBe((await db('outbox')).length);
  server.clock.advance(20 * minute);
  expect(await figure(server, 'outbox_lag_seconds')).toBeGreaterThan(1_000);
  await db('orders').where({ id: order.order_id }).update({ paid_cents: 1 });
  await ask(server, 'POST', '/api/admin/health/invariants', { headers: admin });
  expect(await figure(server, 'invariant_violations{name="confirmed_is_paid"}')).toBe(1);
  expect(await figure(server, 'invariant_violations{name="place_has_one_ticket"}')).toBe(0);
});

/** The families of `/metrics`: name, type, help, and the samples with their labels and values. */
async function familiesOf(server: TestServer) {
  server.clock.advance(6_000);
  const text = (await ask(server, 'GET', '/metrics')).body as string;
  const families: { name: string; type: string; help: string; samples: string[] }[] = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const [, kind, name, rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') families.push({ name: name!, type: '', help: rest!, samples: [] });
    else if (kind === 'TYPE') expect(families.at(-1)!.name).toBe(name);
    if (kind === 'TYPE') families.at(-1)!.type = rest!;
    if (kind === undefined) families.at(-1)!.samples.push(line);
  }
  return families;
}

/** The value of each sample of all counters. */
function countsIn(families: Awaited<ReturnType<typeof familiesOf>>): Map<string, number> {
  const samples = families.flatMap(({ type, samples }) => (type === 'counter' ? samples : []));
  return new Map(
    samples.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' '))),
    ]),
  );
}

test('every figure is named and typed as `promtool check metrics` asks, and a counter only rises', async () => {
  await using server = await startServer();
  const before = countsIn(await familiesOf(server));
  await makeOrder(server);
  // Twice, because a sum that is added again at each reading would rise as well.
  await familiesOf(server);
  const families = await familiesOf(server);
  expect(families.length).toBeGreaterThan(20);
  expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  for (const { name, type, help, samples } of families) {
    expect([name, name]).toEqual([name, expect.stringMatching(/^botteghino(_[a-z\d]+)+$/)]);
    expect([name, type]).toEqual([name, expect.stringMatching(/^(counter|gauge|histogram)$/)]);
    expect([name, help]).toEqual([name, expect.stringMatching(/^[A-Z].{9,}[^.]$/)]);
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    // Reserved endings, types in names, and other units than seconds and bytes.
    expect([name, /_(count|sum|bucket|counter|gauge|histogram)(_|$)/.test(name)]).toEqual([
      name,
      false,
    ]);
    expect([
      name,
      /_(ms|millis\w*|sec|minutes?|hours?|days?|kb|mb|kilo\w*|mega\w*|percent)(_|$)/.test(name),
    ]).toEqual([name, false]);
    const endings = type === 'histogram' ? '(_bucket|_sum|_count)' : '';
    const sample = new RegExp(`^${name}${endings}({([a-z_]+="[^"]*",?)+})? -?[\\d.e+]+$`);
    expect([name, samples.filter((line) => !sample.test(line))]).toEqual([name, []]);
    if (name.endsWith('_info'))
      expect(samples.map((line) => line.split(' ').at(-1))).toEqual(['1']);
  }
  const after = countsIn(families);
  expect([...before].filter(([sample, value]) => after.get(sample)! < value)).toEqual([]);
  const calls = 'botteghino_provider_calls_total{provider="stripe",outcome="answered"}';
  expect(after.get(calls)).toBeGreaterThan(before.get(calls) ?? 0);
  expect(after.get(calls)).toBe(providerHealth(server.house.ctx.payments)!.answers);
});

/** Like fetch, which does not let a caller choose the Host. */
function statusOf(server: { url: string }, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${server.url}/metrics`, { headers: { connection: 'close', ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    })
      .on('error', reject)
      .end();
  });
}

test('strangers get no figures: not through a proxy, not on a public address, not with a wrong token', async () => {
  await using open = await startServer();
  expect(await statusOf(open, {})).toBe(200);
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
    expect(await statusOf(open, { [header]: '127.0.0.1' })).toBe(404);
  // The name of another site's page, which DNS points to this machine.
  expect(await statusOf(open, { host: 'evil.example' })).toBe(404);
  expect(await statusOf(open, { host: `127.0.0.1:${new URL(open.url).port}` })).toBe(200);
  await using guarded = await startServer({ env: { METRICS_TOKEN: 'un-gettone-molto-lungo' } });
  expect(
    await Promise.all(
      [
        {},
        { authorization: 'Bearer un-gettone-molto-lungO' },
        { authorization: 'un-gettone-molto-lungo' },
        { authorization: 'Bearer un-gettone-molto-lungo' },
      ].map((headers) => statusOf(guarded, headers as Record<string, string>)),
    ),
  ).toEqual([404, 404, 404, 200]);
  expect(() => readConfig({ METRICS_TOKEN: 'corto' }, [])).toThrow(ConfigError);
  const port = await freePort();
  await using site = await startServer({
    env: { PORT: String(port), PUBLIC_URL: 'https://biglietti.teatro.it', BOTTEGHINO_DEMO: '1' },
  });
  expect(site.url).toBe('https://biglietti.teatro.it');
  expect(await statusOf({ url: `http://127.0.0.1:${port}` }, {})).toBe(404);
  expect(await statusOf({ url: `http://127.0.0.1:${port}` }, { host: 'localhost' })).toBe(404);
});

it('a house whose work lies about, whose database does not write or which is leaving is not ready', async (server) => {
  const { ctx } = server.house;
  expect((await ask(server, 'GET', '/readyz')).status).toBe(200);
  await makeOrder(server);
  server.clock.advance(15 * minute + 4 * minute);
  expect(await canWork(ctx)).toBe(true);
  server.clock.advance(2 * minute);
  expect((await ask(server, 'GET', '/readyz')).body).toEqual({ status: 'not_ready' });
  await server.runDue();
  server.clock.advance(2_000);
  expect((await ask(server, 'GET', '/readyz')).status).toBe(200);
  const [last] = await ctx.db('knex_migrations').orderBy('id', 'desc').limit(1);
  await ctx.db('knex_migrations').where({ id: last.id }).update({ name: 'none-of-ours' });
  server.clock.advance(2_000);
  expect((await ask(server, 'GET', '/readyz')).status).toBe(503);
  await ctx.db('knex_migrations').where({ id: last.id }).update({ name: last.name });
  await ctx.db.schema.renameTable('settings', 'settings_gone');
  server.clock.advance(2_000);
  expect((await ask(server, 'GET', '/readyz')).status).toBe(503);
  await ctx.db.schema.renameTable('settings_gone', 'settings');
  server.clock.advance(2_000);
  expect((await ask(server, 'GET', '/readyz')).status).toBe(200);
  announceStop(ctx);
  expect((await ask(server, 'GET', '/readyz')).status).toBe(503);
  expect((await ask(server, 'GET', '/healthz')).status).toBe(200);
});

it('the office sees a silent provider, and that Stripe does not tell of payments any more', async (server, admin) => {
  const health = () => callOk(server, readHealth, {}, admin);
  const { db } = server.house.ctx;
  const first = await makeOrder(server);
  server.house.standins!.stripe!.deliveries.pause();
  await payOrder(server, first.checkout_url);
  server.clock.advance(3_000);
  await ask(server, 'GET', `/api/orders/${first.order_id}/status`);
  expect((await health()).webhook).toMatchObject({
    last_at: null,
    paid_since: 1,
    silent_since: null,
  });
  server.clock.advance(6 * minute);
  expect((await health()).webhook.silent_since).not.toBeNull();
  await db('webhook_events').insert({
    id: 'evt_1',
    type: 'charge.updated',
    received_at: server.clock.now(),
    outcome: 'payment',
  });
  expect((await health()).webhook).toMatchObject({ paid_since: 0, silent_since: null });

  expect((await health()).providers).toMatchObject([
    { name: 'stripe', up: true },
    { name: 'seatsio', up: true },
  ]);
  const order = await makeOrder(server, { nth: 1 });
  await server.house.standins!.stripe!.close();
  server.clock.advance(3_000);
  await ask(server, 'DELETE', `/api/orders/${order.order_id}/checkout_session`);
  expect((await health()).providers[0]).toMatchObject({
    name: 'stripe',
    up: false,
    error: expect.any(String),
    silent_at: expect.any(String),
  });
});
