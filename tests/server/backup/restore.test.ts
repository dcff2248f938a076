/** A house comes back from a backup into an empty place, or not at all; half of one is never opened. */
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { lockHouse } from '#server/adapters/house-lock.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { beginSecretChange } from '#server/services/event/secrets.ts';
import { askAdmin, runAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { placeOf } from '#tests/support/house.ts';
import { callOk, demoEvent, makeOrder, payOrder } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { makeClock, openServer, startServer, type TestServer } from '#tests/support/server.ts';

async function emptyPlace(server: TestServer): Promise<Record<string, string>> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'altrove-'));
  const PORT = String(await freePort());
  if (server.house.ctx.db.client.dialect !== 'postgresql') return { DATA_DIR, PORT };
  const { address } = await makeDatabase(inject('postgresUrl'));
  return { DATA_DIR, PORT, DATABASE_URL: address };
}

async function backupOf(server: TestServer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copie-'));
  const house = placeOf(server);
  return (await makeBackup({ house, folder, kind: 'by_hand', seal: null, now: server.clock.now() }))
    .path;
}

testOnBoth('with one command all is there again, in another place', async (server) => {
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  const params = { orderId: order.order_id };
  const before = await callOk(server, getOrder, { params });
  expect(before.state).toBe('confirmed');
  // Its codes are of an earlier secret from here on.
  expect(await beginSecretChange(server.house.ctx, demoEvent, 'cli')).toBe(true);
  const epoch = () => server.house.ctx.db('events').orderBy('id').pluck('feed_epoch');
  const epochs = await epoch();
  const file = await backupOf(server);
  const settings = await emptyPlace(server);
  const { code, body } = await askAdmin({ settings }, ['restore', file]);
  expect(body).toMatchObject({ ok: true, broken: [], aside: null, recovery: { lost: [] } });
  expect(code).toBe(0);
  expect(
    (await readdir(settings['DATA_DIR']!)).filter((name) => /ripristino|lavoro/.test(name)),
  ).toEqual([]);
  await using other = await openServer(settings, {}, makeClock(), async () => {});
  const after = await callOk(other, getOrder, { params });
  expect(after.tickets.map(({ code: text }) => text)).toEqual(
    before.tickets.map(({ code: text }) => text),
  );
  expect(other.house.invite).not.toBe(undefined);
  // Phones must not go on from a cursor that this house does not know.
  const renewed = await other.house.ctx.db('events').orderBy('id').pluck('feed_epoch');
  expect(renewed.filter((text) => epochs.includes(text as string))).toEqual([]);
});

testOnBoth('where a house is already, or still runs, nothing happens but words', async (server) => {
  const file = await backupOf(server);
  const settings = { ...server.settings };
  const again = await runAdmin({ settings }, ['restore', file]);
  expect(again).toMatchObject({ code: 1, out: '' });
  expect(again.err).toMatch(/Qui c’è già un botteghino|ancora in funzione/);
  const empty = await emptyPlace(server);
  const lock = lockHouse(empty['DATA_DIR']!)!;
  const running = await askAdmin({ settings: empty }, ['restore', file]);
  expect(running).toMatchObject({ code: 1, body: { ok: false, code: 'running' } });
  lock.release();
});

test('what cannot be restored is refused in words and leaves the place empty', async () => {
  await using server = await startServer();
  const file = await backupOf(server);
  const settings = await emptyPlace(server);
  const refusals: [string, string][] = [[join(tmpdir(), 'non-c-e.tar'), 'unreadable']];
  const cut = `${file}.corta`;
  await writeFile(cut, await (await import('node:fs/promises')).readFile(file));
  await truncate(cut, 100_000);
  refusals.push([cut, 'damaged']);
  for (const [path, code] of refusals) {
    const { body } = await askAdmin({ settings }, ['restore', path]);
    expect(body).toMatchObject({ ok: false, code });
    expect(
      (await readdir(settings['DATA_DIR']!)).filter((name) => !name.startsWith('house.lock')),
    ).toEqual([]);
  }
});

test('with --over what was there lies beside', async () => {
  await using server = await startServer();
  const file = await backupOf(server);
  const settings = await emptyPlace(server);
  expect((await runAdmin({ settings }, ['restore', file])).code).toBe(0);
  expect((await runAdmin({ settings }, ['restore', file])).err).toContain('--over');
  // Nobody can type the word here.
  expect((await runAdmin({ settings }, ['restore', file, '--over'])).err).toContain('--yes');
  const { body } = await askAdmin({ settings }, ['restore', file, '--over', '--yes']);
  expect(body).toMatchObject({ ok: true });
  expect(await readdir(body['aside'] as string)).toContain('botteghino.sqlite');
  expect(await readdir(settings['DATA_DIR']!)).toContain('botteghino.sqlite');
});

test('an empty database beside files of a house, or a restore that was broken off, is no new house', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'mezza-'));
  const settings = { DATA_DIR, PORT: String(await freePort()) };
  const open = () => openServer(settings, {}, makeClock(), async () => {});
  await writeFile(join(DATA_DIR, 'standins.sqlite'), 'qualcosa');
  await expect(open()).rejects.toThrow('manca o è vuoto');
  await writeFile(join(DATA_DIR, 'botteghino.sqlite'), '');
  await expect(open()).rejects.toThrow('BOTTEGHINO_NEW=1');
  await rm(join(DATA_DIR, 'standins.sqlite'));
  await mkdir(join(DATA_DIR, 'ripristino-in-corso'));
  await expect(open()).rejects.toThrow('rimasto a metà');
  await rm(join(DATA_DIR, 'ripristino-in-corso'), { recursive: true });
  await (await open()).close();
});
