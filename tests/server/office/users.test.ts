/** People: the one-time link, login, logout, sessions. */
import { expect, test } from 'vitest';
import { acceptInvite, login, logout, me } from '#server/contract/users.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { ask, callOk, makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

const person = { email: 'ada@teatro.it', name: 'Ada', password: 'una-platea-piena-di-luce' };

testOnBoth('the first link makes the first admin, once', async (server) => {
  const token = server.house.invite!.split('#')[1]!;
  const weak = await ask(server, 'POST', acceptInvite.path, {
    body: { ...person, token, password: 'password1234' },
  });
  expect([weak.status, weak.body]).toEqual([
    422,
    expect.objectContaining({ code: 'password_weak' }),
  ]);
  const made = await ask(server, 'POST', acceptInvite.path, { body: { ...person, token } });
  expect([made.status, made.body]).toEqual([
    200,
    { id: expect.any(String), email: 'ada@teatro.it', name: 'Ada', role: 'admin' },
  ]);
  expect(made.headers.getSetCookie()[0]).toMatch(
    /^sid=[\w-]{43}; path=\/; expires=.*; samesite=lax; httponly$/i,
  );
  const again = await ask(server, 'POST', acceptInvite.path, {
    body: { ...person, email: 'eva@teatro.it', token },
  });
  expect([again.status, again.body]).toEqual([
    410,
    expect.objectContaining({ code: 'invite_invalid' }),
  ]);
  await using next = await server.restart();
  expect(next.house.invite).toBeNull();
});

testOnBoth('a second start makes the older link worthless', async (server) => {
  const old = server.house.invite!.split('#')[1]!;
  server.clock.advance(61_000);
  await using next = await server.restart();
  expect(
    (await ask(next, 'POST', acceptInvite.path, { body: { ...person, token: old } })).status,
  ).toBe(410);
  expect(
    (
      await ask(next, 'POST', acceptInvite.path, {
        body: { ...person, token: next.house.invite!.split('#')[1]! },
      })
    ).status,
  ).toBe(200);
});

testOnBoth('login, me, logout; a session ends when it is idle or old', async (server) => {
  await makeAdmin(server);
  const wrong = await ask(server, 'POST', login.path, {
    body: { email: person.email, password: 'sbagliata' },
  });
  const unknown = await ask(server, 'POST', login.path, {
    body: { email: 'nessuno@teatro.it', password: 'sbagliata' },
  });
  expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body]);
  expect(wrong.body).toMatchObject({ status: 401, code: 'login_failed' });
  const logged = await ask(server, 'POST', login.path, {
    body: { email: ' ADA@teatro.it ', password: person.password },
  });
  const cookie = logged.headers.getSetCookie()[0]!.split(';')[0]!;
  expect(await callOk(server, me, {}, { cookie })).toMatchObject({
    email: person.email,
    role: 'admin',
  });
  expect((await ask(server, 'POST', logout.path, { headers: { cookie } })).status).toBe(204);
  expect((await ask(server, 'GET', me.path, { headers: { cookie } })).status).toBe(401);

  const fresh = (await ask(server, 'POST', login.path, { body: person })).headers
    .getSetCookie()[0]!
    .split(';')[0]!;
  server.clock.advance(7 * 3_600_000);
  expect((await ask(server, 'GET', me.path, { headers: { cookie: fresh } })).status).toBe(200);
  server.clock.advance(9 * 3_600_000);
  expect((await ask(server, 'GET', me.path, { headers: { cookie: fresh } })).status).toBe(401);
});

testOnBoth(
  'the sixth guess at a password waits, even when it is right, and after a restart, too',
  async (server) => {
    await makeAdmin(server);
    for (let guess = 0; guess < 5; guess += 1)
      expect(
        (
          await ask(server, 'POST', login.path, {
            body: { email: person.email, password: `no-${guess}` },
          })
        ).status,
      ).toBe(401);
    const sixth = await ask(server, 'POST', login.path, { body: person });
    expect([sixth.status, sixth.body, sixth.headers.get('retry-after')]).toEqual([
      429,
      expect.objectContaining({ code: 'too_many_requests' }),
      expect.stringMatching(/^\d+$/),
    ]);
    await using next = await server.restart();
    expect((await ask(next, 'POST', login.path, { body: person })).status).toBe(429);
    next.clock.advance(15 * 60_000);
    expect((await ask(next, 'POST', login.path, { body: person })).status).toBe(200);
  },
);

test('another site’s page cannot use the cookie', async () => {
  await using server = await startServer();
  const { cookie } = await makeAdmin(server);
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];
  for (const headers of foreign) {
    const answer = await ask(server, 'POST', '/api/admin/phones/', {
      body: { name: 'x', event_ids: ['la-locandiera'] },
      headers: { cookie, ...headers },
    });
    expect([headers, answer.status, answer.body]).toEqual([
      headers,
      403,
      expect.objectContaining({ code: 'wrong_origin' }),
    ]);
  }
  expect(
    (
      await ask(server, 'POST', '/api/admin/phones/', {
        body: { name: 'x', event_ids: ['la-locandiera'] },
        headers: { cookie, 'sec-fetch-site': 'same-origin', origin: server.url },
      })
    ).status,
  ).toBe(200);
});
