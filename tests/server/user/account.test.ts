/** The own account over HTTP: changing the password, a forgotten one, sessions, and links that go by mail and stay nowhere. */
import { expect } from 'vitest';
import {
  changePassword,
  endAllSessions,
  endSession,
  listSessions,
} from '#server/contract/account.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { invitePerson } from '#server/contract/people.ts';
import {
  acceptInvite,
  forgotPassword,
  login,
  me,
  readInvite,
  resetPassword,
} from '#server/contract/users.ts';
import type { MailRow } from '#db/rows.ts';
import { composeReset } from '#server/services/mail/people-mails.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { testWithSmtp } from '#tests/support/mail-day.ts';
import { ask, callOk, makeAdmin } from '#tests/support/make.ts';
import type { Smtp } from '#tests/support/smtp.ts';
import type { TestServer } from '#tests/support/server.ts';

const ada = { email: 'ada@teatro.it', password: 'una-platea-piena-di-luce' };
const fresh = 'un-palco-tutto-di-velluto';
const chromeOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36';

async function enter(
  server: TestServer,
  headers: Record<string, string> = {},
  password = ada.password,
) {
  const answer = await ask(server, 'POST', login.path, { body: { ...ada, password }, headers });
  return { status: answer.status, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

const isIn = async (server: TestServer, cookie: string) =>
  (await ask(server, 'GET', me.path, { headers: { cookie } })).status === 200;

test('a new password needs the old one, and ends all other sessions; guesses at the old one wait', async (server, admin) => {
  const other = await enter(server);
  const change = (old: string, password: string) =>
    ask(server, 'POST', changePassword.path, { headers: admin, body: { old, password } });
  const wrong = await change('sbagliata', fresh);
  expect(wrong.body).toMatchObject({ status: 422, code: 'password_wrong' });
  const weak = await change(ada.password, 'teatro123456');
  expect(weak.body).toMatchObject({ code: 'password_weak' });
  expect((await change(ada.password, fresh)).status).toBe(204);
  expect(await isIn(server, admin.cookie)).toBe(true);
  expect(await isIn(server, other.cookie)).toBe(false);
  expect((await enter(server)).status).toBe(401);
  expect((await enter(server, {}, fresh)).status).toBe(200);
  // Guesses at the old one wait like those at the login.
  const statuses = [];
  for (let guess = 0; guess < 6; guess += 1)
    statuses.push((await change(`no-${guess}`, fresh)).status);
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
});

test(
  'sessions tell device and kind of address, and end one by one or everywhere',
  async (server, admin) => {
    const near = await enter(server, {
      'user-agent': chromeOnWindows,
      'x-forwarded-for': '192.168.1.20',
    });
    const far = await enter(server, { 'user-agent': 'curl/8', 'x-forwarded-for': '198.51.100.7' });
    const { items } = await callOk(server, listSessions, {}, { cookie: near.cookie });
    const seen = Object.fromEntries(
      items.map(({ device, place, current }) => [place, [device, current]]),
    );
    expect(items).toHaveLength(3);
    expect(seen).toEqual({
      network: ['Chrome su Windows', true],
      internet: ['Programma sconosciuto', false],
      here: ['Programma sconosciuto', false],
    });
    expect(JSON.stringify(await server.house.ctx.db('sessions'))).not.toMatch(/192\.168|198\.51/);
    const one = items.find(({ place }) => place === 'internet')!.id;
    const end = (cookie: string) =>
      ask(server, 'DELETE', addressOf(endSession, { sessionId: one }), { headers: { cookie } });
    expect([(await end(near.cookie)).status, (await end(near.cookie)).status]).toEqual([204, 404]);
    expect(await isIn(server, far.cookie)).toBe(false);
    expect(await isIn(server, near.cookie)).toBe(true);
    await callOk(server, endAllSessions, {}, { cookie: near.cookie });
    expect(await isIn(server, admin.cookie)).toBe(false);
    expect(await isIn(server, near.cookie)).toBe(false);
  },
  { env: { TRUST_PROXY: '1' } },
);

/** The last link that arrived, as a person would click it. */
function linkIn(smtp: Smtp): string {
  return /https?:\S+#([\w-]{43})/.exec(smtp.received.at(-1)!.email.text ?? '')![1]!;
}

testWithSmtp(
  'a forgotten password: the same answer for everybody, a link for the owner alone, kept nowhere',
  async (server, smtp) => {
    await makeAdmin(server);
    const cookie = (await enter(server)).cookie;
    const forget = (email: string) => ask(server, 'POST', forgotPassword.path, { body: { email } });
    const [known, unknown] = [await forget(ada.email), await forget('nessuno@teatro.it')];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect(known.status).toBe(202);
    await server.runDue();
    expect(smtp.received.map(({ to }) => to)).toEqual([[ada.email]]);
    const token = linkIn(smtp);
    const { db } = server.house.ctx;
    const kept = JSON.stringify([
      await db('mails'),
      await db('link_tokens'),
      await db('one_time_links'),
    ]);
    expect([kept.includes(token), kept.includes('nessuno@teatro.it')]).toEqual([false, false]);
    const reset = { body: { token, password: fresh } };
    expect((await ask(server, 'POST', resetPassword.path, reset)).status).toBe(204);
    expect((await ask(server, 'POST', resetPassword.path, reset)).status).toBe(410);
    expect(await isIn(server, cookie)).toBe(false);
    expect((await enter(server, {}, fresh)).status).toBe(200);

    for (let time = 0; time < 5; time += 1) await forget(ada.email);
    // As the workers of several processes do.
    const waiting: MailRow[] = await db('mails').where({
      kind: 'password_reset',
      state: 'waiting',
    });
    const { ctx } = server.house;
    const often = [...waiting, ...waiting, ...waiting, ...waiting];
    const letters = await Promise.all(often.map((mail) => composeReset(ctx, mail)));
    expect(letters.filter((letter) => letter !== 'obsolete')).toHaveLength(3);
    server.clock.advance(3_600_000);
    await server.runDue();
    expect(smtp.received).toHaveLength(4);
  },
);

let tries = 0;
testWithSmtp(
  'an invitation by mail is for that address; sent twice, both mails open it',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    tries = 0;
    const { url } = await callOk(
      server,
      invitePerson,
      { body: { role: 'office', email: 'rosa@teatro.it' } },
      admin,
    );
    expect(url).toBeNull();
    await server.runDue();
    const first = linkIn(smtp);
    server.clock.advance(3_600_000);
    await server.runDue();
    expect(smtp.received).toHaveLength(2);
    const second = linkIn(smtp);
    expect(second).not.toBe(first);
    for (const token of [first, second])
      expect(await callOk(server, readInvite, { body: { token } })).toMatchObject({
        email: 'rosa@teatro.it',
      });
    expect(JSON.stringify(await server.house.ctx.db('mails'))).not.toContain(second);
    const accept = (token: string) =>
      ask(server, 'POST', acceptInvite.path, {
        body: { token, email: 'altra@teatro.it', name: 'Rosa', password: fresh },
      });
    expect((await accept(first)).body).toMatchObject({ email: 'rosa@teatro.it', role: 'office' });
    expect((await accept(second)).status).toBe(410);
  },
  { answers: { data: () => ((tries += 1) === 1 ? '451 Later' : null) } },
);
