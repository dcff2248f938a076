/** Whose address counts: proxies are believed only when TRUST_PROXY names them, and nobody makes himself free of limits. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { addressOf } from '#server/contract/endpoint.ts';
import { downloadTickets } from '#server/contract/order/documents.ts';
import { trustProxies } from '#server/http/caller.ts';
import { testOnce as it } from '#tests/support/both.ts';
import { faultsOf } from '#tests/support/config.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

const addressBehind = (
  trusted: Parameters<typeof trustProxies>[0],
  peer: string,
  forwarded?: string,
) => trustProxies(trusted)(peer, forwarded).address;

test('without a named proxy the connection’s own address counts', () => {
  expect(addressBehind({ hops: 0 }, '::ffff:203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
  expect(trustProxies({ hops: 0 })('127.0.0.1', '198.51.100.1')).toMatchObject({
    unbelieved: true,
    direct: true,
  });
});

test('a number of proxies: so many from the right, the nearest in a private network', () => {
  const said = '127.0.0.1, 198.51.100.1';
  expect(addressBehind({ hops: 1 }, '10.0.0.2', said)).toBe('198.51.100.1');
  expect(addressBehind({ hops: 2 }, '10.0.0.2', '192.0.2.7, 198.51.100.1')).toBe('192.0.2.7');
  expect(addressBehind({ hops: 1 }, '203.0.113.9', said)).toBe('203.0.113.9');
  expect(addressBehind({ hops: 1 }, '::1', '[2001:db8::5]:4711')).toBe('2001:db8::5');
  expect(addressBehind({ hops: 1 }, '127.0.0.1', 'nonsense')).toBe('127.0.0.1');
});

test('named networks: whatever they forward is believed as far as they reach', () => {
  const trusted = { networks: ['203.0.113.0/24', '2001:db8::1'] };
  expect(addressBehind(trusted, '203.0.113.9', '1.2.3.4, 203.0.113.8')).toBe('1.2.3.4');
  expect(addressBehind(trusted, '2001:db8::1', '1.2.3.4')).toBe('1.2.3.4');
  expect(addressBehind(trusted, '127.0.0.1', '1.2.3.4')).toBe('127.0.0.1');
});

test('a setting that is no number and no network is a fault', () => {
  expect(faultsOf({ TRUST_PROXY: 'yes' })).toHaveLength(1);
  expect(faultsOf({ TRUST_PROXY: '10.0.0.0/33' })).toHaveLength(1);
  expect(faultsOf({ HOST: 'theatre' })).toHaveLength(1);
  expect(faultsOf({ TRUST_PROXY: '10.0.0.5, fd00::/8', HOST: '127.0.0.1' })).toEqual([]);
});

test('who claims to be this machine is limited like everybody', async () => {
  await using server = await startServer({ env: { TRUST_PROXY: '1' } });
  // Of the classes with a long window, one that costs little: a slow machine must not need longer than it.
  const path = addressOf(downloadTickets, { orderId: 'nobody' });
  const statuses: number[] = [];
  for (let nth = 0; nth <= 60; nth += 1) {
    const answer = await fetch(server.url + path, { headers: { 'X-Forwarded-For': '127.0.0.1' } });
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  expect(statuses).toContain(429);
});

it('a forwarded address that is not believed shows in Salute', async (server) => {
  const { cookie } = await makeAdmin(server);
  const health = async () =>
    (await (await fetch(`${server.url}/api/admin/health`, { headers: { cookie } })).json()) as {
      unbelieved_proxy: { peer: string } | null;
    };
  expect((await health()).unbelieved_proxy).toBeNull();
  await fetch(`${server.url}/readyz`, { headers: { 'X-Forwarded-For': '198.51.100.1' } });
  expect((await health()).unbelieved_proxy?.peer).toMatch(/^(?:127\.0\.0\.1|::1)$/);
});

it('two Host headers are refused, as is one that names no host, and whoever takes no compression gets plain bytes', async (server) => {
  const { hostname, port } = new URL(server.url);
  const statusOf = (headers: string[]) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ hostname, port, path: '/api/openapi.json', headers, setHost: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
  expect(await statusOf(['Host', 'a', 'Host', 'b'])).toBe(400);
  for (const name of ['a b', '<a>', 'a/b@:x']) expect(await statusOf(['Host', name])).toBe(400);
  for (const name of ['', 'a:8080', '[::1]:80']) expect(await statusOf(['Host', name])).toBe(200);
  const plain = await fetch(`${server.url}/api/openapi.json`, {
    headers: { 'Accept-Encoding': '*;q=0' },
  });
  expect(plain.status).toBe(200);
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await plain.json()).toMatchObject({ openapi: '3.1.0' });
  // What changes with a release only is not sent twice.
  const again = await fetch(`${server.url}/api/openapi.json`, {
    headers: { 'If-None-Match': plain.headers.get('etag')! },
  });
  expect([again.status, await again.text()]).toEqual([304, '']);
});
