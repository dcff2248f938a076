/** Passwords, codes and sessions as OWASP ASVS 5.0 wants them: taken as they were typed, stored with a cost, not guessable, ended in their time. */
import { randomUUID } from 'node:crypto';
import { TOTP } from 'otpauth';
import { expect, test, vi } from 'vitest';
import { addTotp, beginTotp } from '#server/contract/account.ts';
import { makeResetLink } from '#server/contract/people.ts';
import { acceptInvite, login, me, resetPassword } from '#server/contract/users.ts';
import { testOnce as it } from '#tests/support/both.ts';
import { ask, callOk, comeAgain, cookieOf, makeAdmin, type Answered } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const ada = { email: 'ada@teatro.it', name: 'Ada' };
const minuteMs = 60_000;

/** The status, and the refusal's code if there is one. */
const verdictOf = ({ status, body }: Answered) => [status, (body as { code?: string })?.code];

function accept(server: TestServer, password: string) {
  const token = server.house.invite!.split('#')[1]!;
  return ask(server, 'POST', acceptInvite.path, { body: { ...ada, token, password } });
}

async function enter(server: TestServer, more: { password: string; code?: string }) {
  return verdictOf(await ask(server, 'POST', login.path, { body: { ...ada, ...more } }));
}

const isIn = async (server: TestServer, headers: { cookie: string }) =>
  (await ask(server, 'GET', me.path, { headers })).status === 200;

it('a password of any signs and of up to 256 characters counts exactly as it was typed, for years; one of eleven is refused', async (server) => {
  expect(await accept(server, 'Kx%9vQ_z3fW').then(verdictOf)).toEqual([422, 'password_weak']);
  const password = ` Ciò che è Scritto, 日本 e ${'🎭 sipario'.repeat(9)} `;
  expect(password.length).toBeGreaterThan(100);
  expect(await accept(server, password).then(verdictOf)).toEqual([200, undefined]);
  for (const other of [password.trim(), password.toLowerCase(), password.slice(0, 72)])
    expect(await enter(server, { password: other })).toEqual([401, 'login_failed']);
  server.clock.advance(3 * 365 * 24 * 60 * minuteMs);
  expect(await enter(server, { password })).toEqual([200, undefined]);
});

it('words of the trade make no password, and a new house has no account', async (server) => {
  expect(await server.house.ctx.db('users')).toEqual([]);
  const verdict = await accept(server, 'biglietteriabotteghino').then(verdictOf);
  expect(verdict).toEqual([422, 'password_weak']);
});

it('small letters alone make a password', async (server) => {
  expect(await accept(server, 'unaplateapienadiluce').then(verdictOf)).toEqual([200, undefined]);
});

it('a password is stored as argon2id of at least 19 MiB, two passes and a salt of 16 bytes', async (server) => {
  await makeAdmin(server);
  const { password_hash } = (await server.house.ctx.db('users').first()) as {
    password_hash: string;
  };
  const [, kind, version, cost = '', salt = ''] = password_hash.split('$');
  const { m, t, p } = Object.fromEntries(cost.split(',').map((part) => part.split('='))) as Record<
    string,
    string
  >;
  expect([kind, version, Number(p)]).toEqual(['argon2id', 'v=19', 1]);
  // OWASP's Password Storage Cheat Sheet, first choice.
  expect(Number(m)).toBeGreaterThanOrEqual(19 * 1_024);
  expect(Number(t)).toBeGreaterThanOrEqual(2);
  expect(Buffer.from(salt, 'base64')).toHaveLength(16);
});

async function withApp(server: TestServer, admin: { cookie: string }) {
  const { secret } = await callOk(server, beginTotp, {}, admin);
  const code = codeOf(secret, server.clock.now());
  const { recovery_codes } = await callOk(server, addTotp, { body: { secret, code } }, admin);
  return { secret, codes: recovery_codes! };
}

function codeOf(secret: string, timestamp: number): string {
  return new TOTP({ secret }).generate({ timestamp });
}

const password = 'una-platea-piena-di-luce';

it('a code of the app that is two steps old opens nothing; a recovery code has 120 bits', async (server) => {
  const { secret, codes } = await withApp(server, await makeAdmin(server));
  // Five letters' worth of bits each, of an alphabet of 32.
  for (const code of codes) expect(code.replaceAll('-', '')).toMatch(/^[0-9A-HJKMNP-TV-Z]{24}$/);
  expect(new Set(codes.join('')).size).toBeGreaterThan(20);
  server.clock.advance(10 * minuteMs);
  const old = codeOf(secret, server.clock.now() - 2 * 30_000);
  expect(await enter(server, { password, code: old })).toEqual([401, 'code_wrong']);
  const fresh = codeOf(secret, server.clock.now());
  expect(await enter(server, { password, code: fresh })).toEqual([200, undefined]);
});

it('a link to a new password does not lead past the second factor', async (server, admin) => {
  const { id } = await callOk(server, me, {}, admin);
  await withApp(server, admin);
  const { url } = await callOk(server, makeResetLink, { params: { userId: id } }, admin);
  const fresh = 'il-sipario-si-alza-piano';
  const body = { token: url.split('#')[1]!, password: fresh };
  const reset = await ask(server, 'POST', resetPassword.path, { body });
  expect([reset.status, reset.headers.getSetCookie()]).toEqual([204, []]);
  expect(await enter(server, { password: fresh })).toEqual([401, 'code_needed']);
});

it('a session ends after seven days, however busy it is', async (server, admin) => {
  const hours: number[] = [];
  for (let hour = 0; hour < 7 * 24; hour += 7) {
    if (await isIn(server, admin)) hours.push(hour);
    server.clock.advance(7 * 60 * minuteMs);
  }
  expect(hours).toHaveLength(24);
  expect(await isIn(server, admin)).toBe(false);
});

it('a login gives the browser a new session and ends the one that it had', async (server) => {
  const headers = await makeAdmin(server);
  const body = { ...ada, password };
  const next = cookieOf(await ask(server, 'POST', login.path, { body, headers }));
  expect(next.cookie).not.toBe(headers.cookie);
  expect([await isIn(server, headers), await isIn(server, next)]).toEqual([false, true]);
});

it('ends of sessions are asked to confirm who sits there', async (server, admin) => {
  server.clock.advance(11 * minuteMs);
  for (const path of ['/api/auth/sessions', `/api/auth/sessions/${randomUUID()}`])
    expect(verdictOf(await ask(server, 'DELETE', path, { headers: admin }))).toEqual([
      403,
      'confirm_again',
    ]);
});

test('what opens something is no work of Math.random: with a constant in its place all differ', async () => {
  const constant = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  try {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const { secret, codes } = await withApp(server, admin);
    const again = await comeAgain(server).catch(() => null);
    const other = await callOk(server, beginTotp, {}, admin);
    const all = [admin.cookie, secret, other.secret, ...codes, again?.cookie ?? 'none'];
    expect(new Set(all).size).toBe(all.length);
  } finally {
    constant.mockRestore();
  }
});
