/** Secrets in the database are sealed with a key that is not there: an old database is sealed at the start, the tickets stay what they are, and without the key nothing starts. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readHealth } from '#server/contract/health.ts';
import {
  canUnseal,
  isSealed,
  isSealedWith,
  seal,
  unseal,
  useSealingKey,
} from '#server/services/kit/sealing.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { faultsOf } from '#tests/support/config.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { makeAddress } from '#server/services/program/addresses.ts';
import { sealSecrets } from '#server/services/event/secrets.ts';
import { createEvent } from '#server/contract/event-desk.ts';
import { makeForm } from '#tests/support/event-desk.ts';

const stored = async (server: TestServer) =>
  server.house.ctx
    .db('events')
    .orderBy('id')
    .select('id', 'code_secret', 'earlier_secret', 'code_tag');
const first = { place: 'Platea-A-1', revision: 1, earlier_codes: 0 };

test('what is sealed is read with its key alone, never twice the same, and not when a letter was changed', () => {
  const key = randomBytes(32);
  const text = 'una parola d’ordine';
  const [one, two] = [seal(text, key), seal(text, key)];
  expect([isSealed(one), isSealed(text), one === two, one.includes(text)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([canUnseal(one), canUnseal(text), seal(text, null)]).toEqual([false, true, text]);
  expect(() => unseal(one)).toThrow('SECRETS_KEY');
  useSealingKey(key);
  expect([unseal(one), unseal(two), unseal(text)]).toEqual([text, text, text]);
  const at = one.length - 5;
  expect(() =>
    unseal(one.slice(0, at) + (one[at] === 'A' ? 'B' : 'A') + one.slice(at + 1)),
  ).toThrow();
});

test('a key that is no key is a fault in words', () => {
  expect(faultsOf({ SECRETS_KEY: 'short' })).toHaveLength(1);
  expect(faultsOf({ SECRETS_KEY: randomBytes(32).toString('base64') })).toEqual([]);
});

it('with a key the secrets of all events are sealed, those of before too, and every code stays what it was', async (plain) => {
  const { ctx } = plain.house;
  const before = await stored(plain);
  const codes = before.map((event) => codeOf(event, first));
  expect(before.every(({ code_secret }) => !isSealed(code_secret))).toBe(true);
  const admin = await makeAdmin(plain);
  expect((await callOk(plain, readHealth, {}, admin)).secrets_sealed).toBe(false);

  const key = randomBytes(32);
  useSealingKey(key);
  await sealSecrets({ ...ctx, secretsKey: key });
  const after = await stored(plain);
  expect(after.every(({ code_secret }) => isSealed(code_secret))).toBe(true);
  expect(after.map((event) => codeOf(event, first))).toEqual(codes);
  // Again nothing happens, and without a key what is sealed stays so.
  await sealSecrets({ ...ctx, secretsKey: key });
  await sealSecrets({ ...ctx, secretsKey: null });
  expect(await stored(plain)).toEqual(after);

  const lost = seal('somebody else’s', randomBytes(32));
  await ctx.db('events').where({ id: demoEvent }).update({ code_secret: lost });
  expect([
    await sealSecrets({ ...ctx, secretsKey: key }),
    await sealSecrets({ ...ctx, secretsKey: null }),
  ]).toEqual([1, 1]);
});

test('a product with a key makes its events with sealed secrets and says so in Salute', async () => {
  const SECRETS_KEY = randomBytes(32).toString('base64');
  await using server = await startServer({ env: { SECRETS_KEY } });
  const admin = await makeAdmin(server);
  await callOk(
    server,
    createEvent,
    { body: { id: 'recital', ...(await makeForm(server)) } },
    admin,
  );
  const events = await stored(server);
  expect(events.map(({ id, code_secret }) => [id, isSealed(code_secret)])).toEqual([
    ['concerto-di-natale', true],
    ['la-locandiera', true],
    ['recital', true],
  ]);
  expect((await callOk(server, readHealth, {}, admin)).secrets_sealed).toBe(true);
});

it('with a new key before the old one all is sealed anew at the start, and then the old one opens nothing', async (server) => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
  const ask = async (SECRETS_KEY: string) =>
    (await askAdmin(server, ['rotate', 'key'], { env: { SECRETS_KEY } })).body;
  await using sealed = await server.restart({ SECRETS_KEY: old! });
  const wish = {
    url: 'https://example.it/',
    kinds: ['order.confirmed'] as const,
    event_id: null,
  };
  await makeAddress(sealed.house.ctx, wish, 'cli');
  const codes = (await stored(sealed)).map((event) => codeOf(event, first));
  expect(await ask(`${fresh},${old}`)).toEqual({ ok: true, before: 1, left: codes.length + 1 });
  await using both = await sealed.restart({ SECRETS_KEY: `${fresh},${old}` });
  expect(await ask(`${fresh},${old}`)).toEqual({ ok: true, before: 1, left: 0 });
  const after = await stored(both);
  expect(after.map((event) => codeOf(event, first))).toEqual(codes);
  const key = Buffer.from(fresh!, 'base64');
  expect(after.every(({ code_secret }) => isSealedWith(code_secret, key))).toBe(true);
});

test('a product whose secrets are sealed does not start without the key', async () => {
  const server = await startServer();
  const code_secret = seal('una parola d’ordine', randomBytes(32));
  await server.house.ctx.db('events').where({ id: demoEvent }).update({ code_secret });
  await expect(server.restart()).rejects.toThrow('SECRETS_KEY');
});
