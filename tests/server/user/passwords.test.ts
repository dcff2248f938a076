/** Passwords: who guesses waits longer and longer, whoever has been here before does not, and what everybody guesses first is no password. */
import { expect, test } from 'vitest';
import { acceptInvite, login } from '#server/contract/users.ts';
import type { UserRow } from '#db/rows.ts';
import { noteWrongPassword } from '#server/services/user/wrong-passwords.ts';
import { Turnstile } from '#server/services/kit/turnstile.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { ask, makeAdmin } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const person = { email: 'ada@teatro.it', name: 'Ada', password: 'una-platea-piena-di-luce' };

function tryAt(
  server: TestServer,
  {
    password = 'sbagliata',
    from,
    cookie = '',
  }: { password?: string; from: string; cookie?: string },
) {
  return ask(server, 'POST', login.path, {
    body: { email: person.email, password },
    headers: { 'x-forwarded-for': from, cookie },
  });
}

it(
  'guesses from many addresses at once make the account wait as guesses one by one would, but not the computer that knows it; ten wrong passwords in a day are written down, and their owner gets one mail',
  async (server) => {
    await makeAdmin(server);
    const known = (await tryAt(server, { ...person, from: '192.0.2.1' })).headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('device='))!
      .split(';')[0]!;
    const guesses = async (times: number) => {
      const answers = Array.from({ length: times }, (_, nth) =>
        tryAt(server, { from: `198.51.100.${nth}` }),
      );
      return (await Promise.all(answers)).map(({ status }) => status).toSorted();
    };
    expect(await guesses(40)).toEqual([...Array(10).fill(401), ...Array(30).fill(429)]);
    const { db } = server.house.ctx;
    expect(await db('audit').where({ action: 'login_failed' })).toHaveLength(10);
    await server.runDue();
    expect(await db('mails').where({ kind: 'login_alarm' })).toMatchObject([
      { to_address: person.email, subject: 'Qualcuno prova a indovinare la tua password' },
    ]);
    server.clock.advance(61_000);
    expect(await guesses(20)).toEqual([401, ...Array(19).fill(429)]);
    const from = '203.0.113.1';
    const stranger = await tryAt(server, { ...person, from });
    const wait = Number(stranger.headers.get('retry-after'));
    expect([stranger.status, wait > 30]).toEqual([429, true]);
    const forged = await tryAt(server, { ...person, from, cookie: `device=${'a'.repeat(43)}` });
    expect(forged.status).toBe(429);
    expect((await tryAt(server, { ...person, from, cookie: known })).status).toBe(200);
    expect((await tryAt(server, { ...person, from })).status).toBe(200);
    server.clock.advance(25 * 3_600_000);
    const user = await db<UserRow>('users').first();
    await Promise.all(Array.from({ length: 10 }, () => noteWrongPassword(server.house.ctx, user!)));
    expect(await db('mails').where({ kind: 'login_alarm' })).toHaveLength(2);
  },
  { env: { TRUST_PROXY: '1' } },
);

test('passwords that are guessed first are refused', async () => {
  await using server = await startServer();
  const token = server.house.invite!.split('#')[1]!;
  for (const password of [
    'sunshine1234',
    'letmeinletmein',
    'iloveyou2024',
    'football123456',
    'qwertyuiop12',
    'ada@teatro.it1',
  ]) {
    const answer = await ask(server, 'POST', acceptInvite.path, {
      body: { ...person, token, password },
    });
    expect([password, answer.status]).toEqual([password, 422]);
  }
});

test('many logins at once: two are looked at, some wait, the rest is asked to come back', async () => {
  const turnstile = new Turnstile(2, 3);
  const open: (() => void)[] = [];
  const pass = () => turnstile.pass(() => new Promise<void>((resolve) => void open.push(resolve)));
  const passing = Array.from({ length: 5 }, pass);
  expect(open).toHaveLength(2);
  await expect(pass()).rejects.toMatchObject({ code: 'try_again' });
  for (let done = 0; done < 5; done += 1) {
    open.shift()!();
    await passing[done];
  }
  await turnstile.pass(() => Promise.resolve());
});
