/** People: the one-time link, login, logout, sessions. */
import { expect } from 'vitest';
import { acceptInvite, login, logout, me } from '#server/contract/users.ts';
import { testOnBoth as it, testOnce as test } from '#tests/support/both.ts';
import { ask, callOk, cookieOf, makeAdmin } from '#tests/support/make.ts';

const person = { email: 'ada@teatro.it', name: 'Ada', password: 'una-platea-piena-di-luce' };

type At = { url: string };
const accept = (server: At, token: string, more: object = {}) =>
  ask(server, 'POST', acceptInvite.path, { body: { ...person, token, ...more } });
const enter = (server: At, more: object = {}) =>
  ask(server, 'POST', login.path, { body: { ...person, ...more } });
const isIn = async (server: At, headers: { cookie: string }) =>
  (await ask(server, 'GET', me.path, { headers })).status === 200;

it('the first link makes the first admin, once', async (server) => {
  const token = server.house.invite!.split('#')[1]!;
  // Nothing is said about a password until the link is right.
  const stranger = await accept(server, 'x'.repeat(43), { password: 'password1234' });
  expect(stranger).toMatchObject({ status: 410, body: { code: 'invite_invalid' } });
  const weak = await accept(server, token, { password: 'password1234' });
  expect(weak).toMatchObject({ status: 422, body: { code: 'password_weak' } });
  const made = await accept(server, token);
  expect([made.status, made.body]).toEqual([
    200,
    { id: expect.any(String), email: 'ada@teatro.it', name: 'Ada', role: 'admin' },
  ]);
  expect(made.headers.getSetCookie()[0]).toMatch(
    /^sid=[\w-]{43}; path=\/; expires=.*; samesite=lax; httponly$/i,
  );
  const again = await accept(server, token, { email: 'eva@teatro.it' });
  expect(again).toMatchObject({ status: 410, body: { code: 'invite_invalid' } });
  await using next = await server.restart();
  expect(next.house.invite).toBeNull();
});

it('a second start makes the older link worthless', async (server) => {
  const old = server.house.invite!.split('#')[1]!;
  server.clock.advance(61_000);
  await using next = await server.restart();
  expect((await accept(next, old)).status).toBe(410);
  expect((await accept(next, next.house.invite!.split('#')[1]!)).status).toBe(200);
});

it('login, me, logout; a session ends when it is idle or old', async (server) => {
  await makeAdmin(server);
  const wrong = await enter(server, { password: 'sbagliata' });
  const unknown = await enter(server, { email: 'nessuno@teatro.it', password: 'sbagliata' });
  expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body]);
  expect(wrong.body).toMatchObject({ status: 401, code: 'login_failed' });
  const session = cookieOf(await enter(server, { email: ' ADA@teatro.it ' }));
  expect(await callOk(server, me, {}, session)).toMatchObject({
    email: person.email,
    role: 'admin',
  });
  expect((await ask(server, 'POST', logout.path, { headers: session })).status).toBe(204);
  expect(await isIn(server, session)).toBe(false);

  const fresh = cookieOf(await enter(server));
  server.clock.advance(7 * 3_600_000);
  expect(await isIn(server, fresh)).toBe(true);
  server.clock.advance(9 * 3_600_000);
  expect(await isIn(server, fresh)).toBe(false);
});

it('the sixth guess at a password waits, even when it is right, and after a restart, too', async (server) => {
  await makeAdmin(server);
  for (let guess = 0; guess < 5; guess += 1)
    expect((await enter(server, { password: `no-${guess}` })).status).toBe(401);
  const sixth = await enter(server);
  expect(sixth).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(sixth.headers.get('retry-after')).toMatch(/^\d+$/);
  await using next = await server.restart();
  expect((await enter(next)).status).toBe(429);
  next.clock.advance(15 * 60_000);
  expect((await enter(next)).status).toBe(200);
});

test('another site’s page cannot use the cookie', async (server) => {
  const { cookie } = await makeAdmin(server);
  const from = (headers: Record<string, string>) =>
    ask(server, 'POST', '/api/admin/phones/', {
      body: { name: 'x', event_ids: ['la-locandiera'] },
      headers: { cookie, ...headers },
    });
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];
  for (const headers of foreign)
    expect([headers, await from(headers)]).toMatchObject([
      headers,
      { status: 403, body: { code: 'wrong_origin' } },
    ]);
  const own = { 'sec-fetch-site': 'same-origin', origin: server.url };
  expect((await from(own)).status).toBe(200);
});
