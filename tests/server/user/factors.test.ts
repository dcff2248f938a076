/** The second factor over HTTP: codes work once, recovery codes too; sensitive acts ask again; where it is required, the week ends. */
import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import {
  addTotp,
  beginTotp,
  checkFresh,
  confirmIdentity,
  readFactors,
  removeTotp,
  renamePasskey,
  renewRecoveryCodes,
} from '#server/contract/account.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { exportOrders } from '#server/contract/order/orders.ts';
import { invitePerson, resetFactors } from '#server/contract/people.ts';
import { cancelEvent, makeRefund } from '#server/contract/order/refunds.ts';
import { beginPasskeyLogin, login, loginByPasskey, me } from '#server/contract/users.ts';
import { testOnBoth as it, testOnSqlite } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, cookieOf, makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

type Headers = { cookie: string };
const ada = { email: 'ada@teatro.it', password: 'una-platea-piena-di-luce' };
const minute = 60_000;

function codeOf(server: TestServer, secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: server.clock.now() });
}

const enter = (server: TestServer, code?: string) =>
  ask(server, 'POST', login.path, { body: { ...ada, ...(code === undefined ? {} : { code }) } });

async function withApp(server: TestServer, admin: Headers) {
  const { secret, address } = await callOk(server, beginTotp, {}, admin);
  const body = { secret, code: codeOf(server, secret) };
  const { recovery_codes } = await callOk(server, addTotp, { body }, admin);
  return { secret, address, proved: body.code, codes: recovery_codes! };
}

it('a code of the app is asked for after the password, and works once', async (server, admin) => {
  const { secret, address, proved, codes } = await withApp(server, admin);
  expect([address.startsWith('otpauth://totp/'), codes.length, new Set(codes).size]).toEqual([
    true,
    10,
    10,
  ]);
  const { db } = server.house.ctx;
  expect(JSON.stringify(await db('recovery_codes'))).not.toContain(codes[0]!.replaceAll('-', ''));
  const asked = await enter(server);
  expect([asked.status, asked.body]).toEqual([
    401,
    expect.objectContaining({
      code: 'code_needed',
      detail: { ways: { totp: true, passkey: false } },
    }),
  ]);
  const wrong = await ask(server, 'POST', login.path, { body: { ...ada, password: 'sbagliata' } });
  expect(wrong.body).toMatchObject({ code: 'login_failed' });
  // The code that proved the app is used up.
  expect((await enter(server, proved)).status).toBe(401);
  server.clock.advance(minute);
  const code = codeOf(server, secret);
  const both = await Promise.all([enter(server, code), enter(server, code)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
});

it('a recovery code opens once, new ones end the old, and an admin helps whoever lost all', async (server, admin) => {
  const { codes } = await withApp(server, admin);
  expect((await enter(server, codes[0]!.toLowerCase())).status).toBe(200);
  expect((await enter(server, codes[0])).status).toBe(401);
  expect((await callOk(server, readFactors, {}, admin)).recovery_left).toBe(9);
  const fresh = (await callOk(server, renewRecoveryCodes, {}, admin)).recovery_codes!;
  expect([(await enter(server, codes[1])).status, (await enter(server, fresh[0])).status]).toEqual([
    401, 200,
  ]);
  await callOk(server, removeTotp, {}, admin);
  expect([
    (await enter(server)).status,
    (await callOk(server, readFactors, {}, admin)).recovery_left,
  ]).toEqual([200, 0]);

  await withApp(server, admin);
  const { id } = await callOk(server, me, {}, admin);
  await callOk(server, resetFactors, { params: { userId: id } }, admin);
  expect((await enter(server)).status).toBe(200);
});

testOnSqlite(
  'only a secret that was made here, with its own code, becomes a factor',
  async (server, admin) => {
    const own = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const { secret } = await callOk(server, beginTotp, {}, admin);
    for (const body of [
      { secret: own, code: codeOf(server, own) },
      { secret, code: '000000' },
      { secret: 'nonsense', code: '123456' },
    ])
      expect((await ask(server, 'PUT', addTotp.path, { headers: admin, body })).body).toMatchObject(
        {
          code: 'code_wrong',
        },
      );
    expect((await callOk(server, readFactors, {}, admin)).totp).toBe(false);
  },
);

it('a passkey gets another name from its owner and from nobody else', async (server, admin) => {
  const office = await asRole(server, 'office');
  const { db } = server.house.ctx;
  const { id: user_id } = await callOk(server, me, {}, admin);
  const facts = { public_key: 'AA', counter: 0, transports: '[]', created_at: 0 };
  await db('passkeys').insert({ ...facts, id: 'chiave', user_id, name: 'Chrome su Linux' });
  const rename = async (who: Headers, name: string, passkeyId = 'chiave') => {
    const path = addressOf(renamePasskey, { passkeyId });
    const answer = await ask(server, 'PUT', path, { headers: who, body: { name } });
    return [answer.status, (answer.body as { code?: string } | null)?.code];
  };
  const names = async () => (await callOk(server, readFactors, {}, admin)).passkeys;
  expect((await rename(admin, '  Portatile della cassa '))[0]).toBe(204);
  expect(await names()).toMatchObject([{ name: 'Portatile della cassa' }]);
  expect(await rename(office, 'Mia')).toEqual([404, 'passkey_unknown']);
  expect(await rename(admin, 'Altra', 'nessuna')).toEqual([404, 'passkey_unknown']);
  for (const name of ['', '   ', 'x'.repeat(61)]) expect((await rename(admin, name))[0]).toBe(400);
  expect(await names()).toMatchObject([{ name: 'Portatile della cassa' }]);
});

testOnSqlite('what is no passkey of this house lets nobody in', async (server) => {
  await makeAdmin(server);
  await callOk(server, beginPasskeyLogin, {});
  for (const response of [
    {},
    { id: 'x' },
    { id: 'x', rawId: 'x', type: 'public-key', response: {} },
    { id: 7 },
  ])
    expect(
      (await ask(server, 'POST', loginByPasskey.path, { body: { response } })).body,
    ).toMatchObject({
      status: 422,
      code: 'passkey_refused',
    });
});

it('sensitive acts ask again after ten minutes: for the password, or for the factor of whoever has one', async (server, admin) => {
  const order = await makePaidOrder(server);
  const sensitive = () =>
    Promise.all(
      (
        [
          [
            'POST',
            addressOf(cancelEvent, { eventId: 'la-locandiera' }),
            { expected_cents: 1, expected_orders: 9, reason: 'Prova' },
          ],
          ['POST', invitePerson.path, { role: 'door' }],
          ['GET', exportOrders.path, undefined],
          ['GET', checkFresh.path, undefined],
        ] as const
      ).map(async ([method, path, body]) => {
        const answer = await ask(server, method, path, {
          headers: admin,
          ...(body ? { body } : {}),
        });
        return (answer.body as { code?: string }).code === 'confirm_again';
      }),
    );
  const refund = (expected_cents: number) =>
    ask(server, 'POST', addressOf(makeRefund, { orderId: order.order_id }), {
      headers: admin,
      body: { expected_cents, expected_left_cents: expected_cents, reason: 'Prova' },
    });
  expect(await sensitive()).toEqual([false, false, false, false]);
  server.clock.advance(10 * minute + 1_000);
  expect(await sensitive()).toEqual([true, true, true, true]);
  expect([(await refund(20_000)).body, (await refund(20_001)).body]).toEqual([
    expect.not.objectContaining({ code: 'confirm_again' }),
    expect.objectContaining({
      code: 'confirm_again',
      detail: { ways: { totp: false, passkey: false } },
    }),
  ]);
  const confirm = (body: object) =>
    ask(server, 'POST', confirmIdentity.path, { headers: admin, body });
  expect((await confirm({ password: 'sbagliata' })).status).toBe(422);
  expect((await confirm({})).status).toBe(422);
  expect((await confirm({ password: ada.password })).status).toBe(204);
  expect(await sensitive()).toEqual([false, false, false, false]);

  const { secret } = await withApp(server, admin);
  server.clock.advance(11 * minute);
  expect((await confirm({ password: ada.password })).status).toBe(422);
  expect((await confirm({ code: codeOf(server, secret) })).status).toBe(204);
  expect(await sensitive()).toEqual([false, false, false, false]);
});

it(
  'where it is required, seven days after the first login nothing but the own account opens',
  async (server) => {
    await makeAdmin(server);
    const door = () => asRole(server, 'door');
    const orders = async (headers: Headers) =>
      (await ask(server, 'GET', '/api/admin/orders/', { headers })).body as { code?: string };
    const cookie = async () => cookieOf(await enter(server));
    server.clock.advance(7 * 24 * 60 * minute - 11 * minute);
    const early = await cookie();
    expect((await orders(early)).code).toBeUndefined();
    server.clock.advance(20 * minute);
    const late = await cookie();
    expect((await orders(late)).code).toBe('factor_required');
    const presence = '/api/admin/conflicts';
    expect((await ask(server, 'GET', presence, { headers: await door() })).status).toBe(200);
    await withApp(server, late);
    expect((await orders(late)).code).toBeUndefined();
  },
  { env: { SECOND_FACTOR: 'required' } },
);

test('with SECRETS_KEY the app’s secret lies sealed, also one that was stored before', async () => {
  await using server = await startServer({
    env: { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
  });
  const admin = await makeAdmin(server);
  const { secret } = await withApp(server, admin);
  const users = () => server.house.ctx.db('users');
  expect(JSON.stringify(await users())).not.toContain(secret);
  await users().update({ totp_secret: secret });
  await using next = await server.restart();
  expect(JSON.stringify(await next.house.ctx.db('users'))).not.toContain(secret);
  next.clock.advance(minute);
  expect((await enter(next, codeOf(next, secret))).status).toBe(200);
});
