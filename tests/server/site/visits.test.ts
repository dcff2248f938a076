/** Services that watch: those of others off until keys are set; our own counters on, and keep nothing of any person. */
import { expect, test } from 'vitest';
import { readVisits, sendVisitEvents } from '#server/contract/rum.ts';
import { readSite } from '#server/contract/site.ts';
import { readConfig } from '#server/config.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { faultsOf } from '#tests/support/config.ts';
import { ask, callOk, comeAgain } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { startServer } from '#tests/support/server.ts';

const client_key = 'pubblica-123';
const port = await freePort();
const own = {
  PORT: String(port),
  RUM_HOST: `http://localhost:${port}`,
  RUM_CLIENT_KEY: client_key,
};

test('unless somebody says otherwise we count ourselves, without a cookie, and nothing foreign may be loaded', async () => {
  await using server = await startServer();
  const { monitoring } = await callOk(server, readSite, {});
  expect(monitoring).toEqual({
    rum: { url: '/api/rum/events', client_key: expect.stringMatching(/^\w+$/) },
    sentry: null,
    analytics: null,
  });
  const { client_key: key } = monitoring!.rum!;
  const counted = await ask(server, 'POST', '/api/rum/events', {
    body: { client_key: key, page_url: '/', events: [{ name: 'pageview' }] },
  });
  expect([counted.status, counted.headers.getSetCookie()]).toEqual([204, []]);
  expect(await server.house.ctx.db('visit_counts').pluck('name')).toEqual(['pageview']);
  const page = await ask(server, 'GET', '/healthz');
  expect(page.headers.get('content-security-policy')).not.toMatch(/https?:/);
});

test('a thousand pages behind one address take nothing from the purchases there', async () => {
  await using server = await startServer({ env: { ...own, TRUST_PROXY: '1' } });
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const body = { client_key, page_url: '/', events: [{ name: 'pageview' }] };
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async () => {
      return (await ask(server, 'POST', '/api/rum/events', { body, headers })).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([204]));
  const { status } = await ask(server, 'DELETE', '/api/orders/x/checkout_session', { headers });
  expect(status).toBe(404);
});

test('switched off and without keys nothing watches, and nothing foreign may be loaded', async () => {
  await using server = await startServer({ env: { RUM_HOST: 'off' } });
  expect((await callOk(server, readSite, {})).monitoring).toBe(null);
  const page = await ask(server, 'GET', '/healthz');
  expect(page.headers.get('content-security-policy')).not.toMatch(/https?:/);
  const refused = await ask(server, 'POST', '/api/rum/events', {
    body: { client_key, page_url: '/', events: [{ name: 'pageview' }] },
  });
  expect([refused.status, refused.body]).toEqual([
    404,
    expect.objectContaining({ code: 'not_found' }),
  ]);
});

test('the policy of the pages opens exactly for what is switched on', async () => {
  await using server = await startServer({
    env: {
      RUM_HOST: 'https://misure.example',
      RUM_CLIENT_KEY: client_key,
      SENTRY_DSN: 'https://abc@errori.example/7',
      ANALYTICS_URL: 'https://numeri.example/script.js',
      ANALYTICS_SITE_KEY: 'teatro',
    },
  });
  const policy = (await ask(server, 'GET', '/healthz')).headers.get('content-security-policy')!;
  const of = (name: string) =>
    policy
      .split(';')
      .find((directive) => directive.trim().startsWith(`${name} `))!
      .split(' ')
      .filter((word) => word.startsWith('http'));
  expect([of('script-src'), of('connect-src'), of('img-src'), of('default-src')]).toEqual([
    ['https://numeri.example'],
    ['https://misure.example', 'https://errori.example', 'https://numeri.example'],
    [],
    [],
  ]);
  expect((await callOk(server, readSite, {})).monitoring).toEqual({
    rum: { url: 'https://misure.example/api/rum/events', client_key },
    sentry: { dsn: 'https://abc@errori.example/7' },
    analytics: { script_url: 'https://numeri.example/script.js', site_key: 'teatro' },
  });
});

test('half a pair, a wrong address and a key with spaces are said in words, all at once', () => {
  expect(
    faultsOf({
      RUM_HOST: 'https://misure.example',
      ANALYTICS_SITE_KEY: 'x',
      SENTRY_DSN: 'https://errori.example/7',
    }),
  ).toHaveLength(3);
  expect(faultsOf({ RUM_HOST: 'http://misure.example', RUM_CLIENT_KEY: 'k' })).toEqual([
    expect.stringContaining('RUM_HOST'),
  ]);
  expect(faultsOf({ RUM_HOST: 'https://misure.example/api', RUM_CLIENT_KEY: 'k' })).toEqual([
    expect.stringContaining('RUM_HOST'),
  ]);
  expect(faultsOf({ RUM_HOST: 'https://misure.example', RUM_CLIENT_KEY: 'a b' })).toEqual([
    expect.stringContaining('RUM_CLIENT_KEY'),
  ]);
  expect(faultsOf({ ANALYTICS_URL: 'javascript:alert(1)', ANALYTICS_SITE_KEY: 'x' })).toEqual([
    expect.stringContaining('ANALYTICS_URL'),
  ]);
  expect(readConfig({ RUM_HOST: 'off' }, []).monitoring).toBe(null);
  expect(faultsOf({ RUM_CLIENT_KEY: 'k' })).toEqual([expect.stringContaining('RUM_HOST')]);
  expect(
    readConfig(
      {
        PUBLIC_URL: 'https://teatro.example',
        BOTTEGHINO_DEMO: '1',
        RUM_HOST: 'https://teatro.example',
        RUM_CLIENT_KEY: 'k',
      },
      [],
    ).monitoring,
  ).toEqual({ rum: { url: '/api/rum/events', client_key: 'k' }, sentry: null, analytics: null });
});

it(
  'our own host counts by day, name, kind of page and step, and keeps nothing else',
  async (server, admin) => {
    const send = (page_url: string, events: { name: string; value?: number }[]) =>
      callOk(server, sendVisitEvents, { body: { client_key, page_url, events } });
    await Promise.all(
      Array.from({ length: 8 }, async () =>
        send(`${server.url}/event/la-locandiera?x=eva@example.it`, [
          { name: 'pageview' },
          { name: 'LCP', value: 1_200 },
          { name: 'seats_selected' },
          { name: 'seats_selected' },
        ]),
      ),
    );
    await send(`${server.url}/orders/geheim-0123456789`, [
      { name: 'pageview' },
      { name: 'LCP', value: 9_000 },
      { name: 'LCP', value: 3_000 },
      { name: 'CLS', value: 0 },
    ]);
    // What nobody asked for is accepted and forgotten: no stranger fills the table.
    await send('x', [{ name: 'mai.sentito-prima' }, { name: 'LCP' }, { name: 'constructor' }]);
    const rows = await server.house.ctx.db('visit_counts');
    expect(
      rows
        .map((row) => [row.name, row.page, row.step, Number(row.n)])
        .toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
    ).toEqual([
      ['CLS', 'order', '0.01', 1],
      ['LCP', 'event', '1500', 8],
      ['LCP', 'order', '4000', 1],
      ['LCP', 'order', 'more', 1],
      ['pageview', 'event', '', 8],
      ['pageview', 'order', '', 1],
      ['seats_selected', 'event', '', 16],
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/geheim|eva@|127\.0|locandiera/);
    const report = await callOk(server, readVisits, {}, admin);
    expect(report).toMatchObject({ counting: true, days: 7 });
    expect(report.visits).toContainEqual({ name: 'pageview', n: 9 });
    expect(report.vitals).toContainEqual({ name: 'LCP', n: 10, p75: 1_500, good: 8, poor: 1 });
    server.clock.advance(7 * 24 * 3_600_000);
    expect((await callOk(server, readVisits, {}, await comeAgain(server))).visits).toContainEqual({
      name: 'pageview',
      n: 0,
    });
  },
  { env: own },
);

test('another key, another origin and names against the rule are refused', async () => {
  await using server = await startServer({ env: own });
  const send = (body: object, headers: Record<string, string> = {}) =>
    ask(server, 'POST', '/api/rum/events', {
      body: { client_key, page_url: '/', events: [{ name: 'pageview' }], ...body },
      headers,
    });
  expect((await send({})).status).toBe(204);
  expect((await send({ client_key: 'altra' })).status).toBe(403);
  expect((await send({}, { origin: 'https://altro.example' })).status).toBe(403);
  for (const name of ['', '1a', '_a', 'a b', 'è', 'a'.repeat(65), 'a\n'])
    expect([name, (await send({ events: [{ name }] })).status]).toEqual([name, 400]);
  for (const name of ['a', 'A9_-.', 'a'.repeat(64)])
    expect([name, (await send({ events: [{ name }] })).status]).toEqual([name, 204]);
  for (const value of [-1, 1e10, '1', null])
    expect([value, (await send({ events: [{ name: 'LCP', value }] })).status]).toEqual([
      value,
      400,
    ]);
  expect(
    (await send({ events: Array.from({ length: 51 }, () => ({ name: 'pageview' })) })).status,
  ).toBe(400);
});
