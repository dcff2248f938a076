/** People and roles over HTTP: an invitation by link and by mail, what an admin changes, and that somebody is always left to do so. */
import { expect } from 'vitest';
import {
  changeRole,
  invitePerson,
  listPeople,
  makeResetLink,
  removePerson,
  restorePerson,
  suspendPerson,
  withdrawInvite,
} from '#server/contract/people.ts';
import { acceptInvite, login, me, readInvite, resetPassword } from '#server/contract/users.ts';
import { addressOf, type EndpointShape } from '#server/contract/endpoint.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { ask, callOk, cookieOf } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const password = 'un-palco-tutto-di-velluto';
type Headers = Record<string, string>;

const tokenOf = (url: string) => url.split('#')[1]!;

function accept(server: TestServer, token: string, email = 'rosa@teatro.it') {
  const body = { token, email, name: 'Rosa Bianchi', password };
  return ask(server, 'POST', acceptInvite.path, { body });
}

function tryTo(
  server: TestServer,
  endpoint: EndpointShape,
  userId: string,
  ask_: { headers: Headers; body?: unknown },
) {
  return ask(server, endpoint.method, addressOf(endpoint, { userId }), ask_);
}

async function makeRosa(server: TestServer, admin: Headers, role: 'admin' | 'cassa' = 'cassa') {
  const { url } = await callOk(server, invitePerson, { body: { role } }, admin);
  const answer = await accept(server, tokenOf(url!));
  return { ...(answer.body as { id: string; role: string }), headers: cookieOf(answer) };
}

test('an invitation by link works once, for 72 hours, and makes the role that it says', async (server, admin) => {
  const made = await callOk(server, invitePerson, { body: { role: 'cassa' } }, admin);
  expect(made).toMatchObject({
    invite: { role: 'cassa', email: null },
    url: expect.stringMatching(/\/admin\/invito#[\w-]{43}$/),
  });
  const token = tokenOf(made.url!);
  const { db } = server.house.ctx;
  expect(
    JSON.stringify([await db('link_tokens'), await db('one_time_links'), await db('audit')]),
  ).not.toContain(token);
  expect(await callOk(server, readInvite, { body: { token } })).toMatchObject({
    role: 'cassa',
    email: null,
  });
  expect((await callOk(server, listPeople, {}, admin)).invites).toMatchObject([
    { id: made.invite.id, role: 'cassa', made_by: 'Ada' },
  ]);
  const [first, second] = await Promise.all([
    accept(server, token),
    accept(server, token, 'eva@teatro.it'),
  ]);
  expect([first.status, second.status].toSorted()).toEqual([200, 410]);
  const people = await callOk(server, listPeople, {}, admin);
  expect(people.invites).toEqual([]);
  expect(
    people.items.map(({ role, suspended, last_seen_at }) => [
      role,
      suspended,
      last_seen_at !== null,
    ]),
  ).toEqual([
    ['admin', false, true],
    ['cassa', false, true],
  ]);

  const late = await callOk(server, invitePerson, { body: { role: 'door' } }, admin);
  server.clock.advance(72 * 3_600_000 + 1_000);
  expect((await accept(server, tokenOf(late.url!), 'tardi@teatro.it')).status).toBe(410);
});

test('an invitation can be taken back', async (server, admin) => {
  const { invite, url } = await callOk(server, invitePerson, { body: { role: 'admin' } }, admin);
  const path = addressOf(withdrawInvite, { inviteId: invite.id });
  expect((await ask(server, 'DELETE', path, { headers: admin })).status).toBe(204);
  expect((await ask(server, 'DELETE', path, { headers: admin })).status).toBe(410);
  expect((await accept(server, tokenOf(url!))).status).toBe(410);
});

test('all spellings of an address are one account', async (server, admin) => {
  const link = async () =>
    tokenOf((await callOk(server, invitePerson, { body: { role: 'cassa' } }, admin)).url!);
  const made = await accept(server, await link(), "Rosa.D'Amico@CITTA\u0300.it");
  expect(made).toMatchObject({ status: 200, body: { email: "rosa.d'amico@città.it" } });
  const email = "rosa.d'amico@xn--citt-3na.it";
  const body = { role: 'admin', email };
  for (const second of [
    await accept(server, await link(), email),
    await ask(server, 'POST', invitePerson.path, { headers: admin, body }),
  ])
    expect(second.body).toMatchObject({ code: 'email_taken' });
  for (const spelled of [email, " ROSA.D'AMICO@città.it"])
    expect(
      (await ask(server, 'POST', login.path, { body: { email: spelled, password } })).status,
    ).toBe(200);
});

test('another role holds from the next call on; suspended and removed people are out at once', async (server, admin) => {
  const rosa = await makeRosa(server, admin);
  const enter = () =>
    ask(server, 'POST', login.path, { body: { email: 'rosa@teatro.it', password } });
  const may = async (headers: Headers) =>
    (await ask(server, 'GET', '/api/admin/attention', { headers })).status;
  expect(await may(rosa.headers)).toBe(403);
  const params = { userId: rosa.id };
  await callOk(server, changeRole, { params, body: { role: 'office' } }, admin);
  expect(await may(rosa.headers)).toBe(200);

  await callOk(server, suspendPerson, { params: { userId: rosa.id } }, admin);
  expect(await may(rosa.headers)).toBe(401);
  expect(await enter()).toMatchObject({ status: 403, body: { code: 'account_suspended' } });
  await callOk(server, restorePerson, { params: { userId: rosa.id } }, admin);
  expect(await may(rosa.headers)).toBe(401);
  const back = cookieOf(await enter());
  expect(await may(back)).toBe(200);

  await callOk(server, removePerson, { params: { userId: rosa.id } }, admin);
  expect(await may(back)).toBe(401);
  expect(await enter()).toMatchObject({ status: 401, body: { code: 'login_failed' } });
  expect((await tryTo(server, suspendPerson, rosa.id, { headers: admin })).status).toBe(404);
  // The address is free for a new beginning.
  expect((await makeRosa(server, admin)).id).not.toBe(rosa.id);
  const actions = await server.house.ctx
    .db('audit')
    .where({ subject: rosa.id })
    .orderBy('at')
    .pluck('action');
  expect(actions.filter((action: string) => action !== 'logged_in')).toEqual([
    'invite_accepted',
    'role_changed',
    'person_suspended',
    'person_restored',
    'person_removed',
  ]);
});

test('the last admin stays one, also when two take each other’s role at the same moment', async (server, admin) => {
  const ada = await callOk(server, me, {}, admin);
  for (const endpoint of [suspendPerson, removePerson])
    expect((await tryTo(server, endpoint, ada.id, { headers: admin })).body).toMatchObject({
      code: 'last_admin',
    });
  const demote = { headers: admin, body: { role: 'office' } };
  expect((await tryTo(server, changeRole, ada.id, demote)).status).toBe(409);
  for (let round = 0; round < 5; round += 1) {
    const rosa = await makeRosa(server, admin, 'admin');
    const answers = await Promise.all([
      tryTo(server, suspendPerson, rosa.id, { headers: admin }),
      tryTo(server, changeRole, ada.id, { ...demote, headers: rosa.headers }),
    ]);
    // Whoever comes second is refused: not an admin any more, shut out, or the last one.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = await server.house.ctx
      .db('users')
      .where({ role: 'admin', suspended_at: null, removed_at: null });
    expect(left).toHaveLength(1);
    await server.house.ctx.db('users').where({ id: rosa.id }).delete();
    await server.house.ctx.db('users').where({ id: ada.id }).update({ role: 'admin' });
  }
});

test('an admin hands over a link to a new password: once, within the hour', async (server, admin) => {
  const rosa = await makeRosa(server, admin);
  const link = async () =>
    tokenOf((await callOk(server, makeResetLink, { params: { userId: rosa.id } }, admin)).url);
  const set = (token: string, fresh: string) =>
    ask(server, 'POST', resetPassword.path, { body: { token, password: fresh } });
  const token = await link();
  expect((await set(token, 'rosa@teatro.it1')).status).toBe(422);
  expect((await set(token, 'il-sipario-si-alza-piano')).status).toBe(204);
  expect((await set(token, 'il-sipario-cala-piano-piano')).status).toBe(410);
  expect((await ask(server, 'GET', me.path, { headers: rosa.headers })).status).toBe(401);
  const enter = (tried: string) =>
    ask(server, 'POST', login.path, { body: { email: 'rosa@teatro.it', password: tried } });
  expect([
    (await enter(password)).status,
    (await enter('il-sipario-si-alza-piano')).status,
  ]).toEqual([401, 200]);
  const late = await link();
  server.clock.advance(3_600_000 + 1_000);
  expect((await set(late, 'il-sipario-cala-piano-piano')).status).toBe(410);
});
