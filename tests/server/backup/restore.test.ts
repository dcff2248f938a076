/** A house comes back from a backup into an empty place, or not at all; half of one is never opened. */
import { copyFile, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import { dirname, join } from 'node:path';
import tar from 'tar-stream';
import { expect, test } from 'vitest';
import { makeSale } from '#server/contract/counter.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { endMaintenance, readHouse } from '#server/contract/site.ts';
import { lockHouse } from '#server/adapters/house-lock.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { verifyBackup } from '#server/services/backup/verify.ts';
import { lookAtAll } from '#server/services/office/findings.ts';
import { beginSecretChange } from '#server/services/event/secrets.ts';
import { askAdmin, runAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth as it, testOnSqlite } from '#tests/support/both.ts';
import { openDrawer, saleBody } from '#tests/support/counter.ts';
import { emptyPlace, placeOf } from '#tests/support/house.ts';
import {
  ask,
  callOk,
  demoEvent,
  holdSeats,
  makeAdmin,
  makeOrder,
  payOrder,
  tryBook,
} from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { makeClock, openServer, startServer, type TestServer } from '#tests/support/server.ts';

async function backupOf(server: TestServer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copie-'));
  const house = placeOf(server);
  return (await makeBackup({ house, folder, kind: 'by_hand', seal: null, now: server.clock.now() }))
    .path;
}

it('with one command all is there again, in another place', async (server) => {
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

testOnSqlite(
  'a restored house names what it lacks and sells nothing until a person has confirmed it',
  async (server, admin) => {
    const copiedAt = server.clock.now();
    const file = await backupOf(server);
    const settings = await emptyPlace(server);
    const { out } = await runAdmin({ settings }, ['restore', file]);
    const missing =
      /Dal.+ alle .+: vendite in cassa, blocchi, spostamenti non sono in questa copia/;
    expect(out).toMatch(missing);
    expect(out).not.toContain('Nessuna differenza');
    await using other = await openServer(settings, {}, makeClock(), async () => {});
    const { ctx } = other.house;
    const held = await holdSeats(other);
    const book = () => tryBook(other, held);
    expect(await book()).toMatchObject({ status: 503, body: { code: 'maintenance' } });
    await openDrawer(other, admin);
    const sale = await saleBody(other, { nth: 4 });
    const sold = await ask(other, 'POST', makeSale.path, { body: sale, headers: admin });
    expect(sold.body).toMatchObject({ code: 'maintenance' });
    expect((await lookAtAll(ctx)).get('restored')).toMatchObject({
      state: 'amber',
      mend: expect.stringMatching(missing) as string,
    });
    expect((await runAdmin(other, ['maintenance', 'off'])).err).toMatch(missing);
    const paused = await callOk(other, readHouse, {}, admin);
    expect(paused.gap).toEqual({ from: expect.any(String), to: paused.maintenance_since });
    expect(Math.abs(Date.parse(paused.gap!.from) - copiedAt)).toBeLessThan(1_000);
    const end = (since: string | null, headers = admin) =>
      ask(other, 'POST', endMaintenance.path, { body: { since }, headers });
    expect(await end(paused.gap!.from)).toMatchObject({ status: 409 });
    expect((await end(paused.maintenance_since)).body).toMatchObject({ gap: null });
    expect((await end(paused.maintenance_since)).status).toBe(200);
    expect((await book()).status).toBe(200);
    const { from, to } = paused.gap!;
    expect(await ctx.db('audit').where({ action: 'maintenance_ended' }).pluck('detail')).toEqual([
      JSON.stringify({ copied_at: Date.parse(from), restored_at: Date.parse(to) }),
    ]);
  },
);

testOnSqlite(
  'where a house is already, or still runs, nothing happens but words',
  async (server) => {
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
  },
);

const noHouse = {
  format: 1,
  product: '0',
  made_at: 0,
  database: 'sqlite',
  migrations: [],
  tables: {},
  columns: {},
  secrets_key: null,
  members: [{ name: 'botteghino.sqlite', size: 5, sha256: '' }],
};

/** A member of a tar that says of itself that it is so long. */
async function headOf(name: string, size: number): Promise<Buffer> {
  const pack = tar.pack();
  pack.entry({ name, size }).on('error', () => undefined);
  const { value } = await (pack as AsyncIterable<Buffer>)[Symbol.asyncIterator]().next();
  return value as Buffer;
}

async function tarOf(manifest: object, ...more: Buffer[]): Promise<Buffer> {
  const text = JSON.stringify(manifest);
  const rest = Buffer.alloc(512 - (text.length % 512));
  return Buffer.concat([
    await headOf('manifest.json', text.length),
    Buffer.from(text),
    rest,
    ...more,
  ]);
}

/** What only pretends to be a backup. The last number: so long is the file made, with nothing in it and no room taken. */
async function oddFiles(): Promise<[name: string, code: string, bytes: Buffer, length?: number][]> {
  const long = 2_000_000_000;
  const large = [{ ...noHouse.members[0], size: 2 ** 50 }];
  return [
    ['testo', 'not_a_backup', Buffer.from('ciao '.repeat(1_000))],
    ['tar.gz', 'not_a_backup', gzipSync(randomBytes(2_000))],
    ['senza-nulla', 'not_a_backup', await tarOf({ ...noHouse, members: [] })],
    [
      'senza-colonne',
      'not_a_backup',
      await tarOf({ ...noHouse, database: 'postgres', columns: null }),
    ],
    ['senza-data', 'not_a_backup', await tarOf({ ...noHouse, made_at: 1e300 })],
    ['elenco-enorme', 'not_a_backup', await headOf('manifest.json', long), long],
    ['promette-tutto', 'no_room', await tarOf({ ...noHouse, members: large })],
    [
      'piu-di-quanto-dice',
      'damaged',
      await tarOf(noHouse, await headOf('botteghino.sqlite', long)),
      long,
    ],
  ];
}

test('what cannot be restored is refused in words and leaves the place empty', async () => {
  await using server = await startServer();
  const file = await backupOf(server);
  const settings = await emptyPlace(server);
  const refusals: [string, string][] = [[join(tmpdir(), 'non-c-e.tar'), 'unreadable']];
  const cut = `${file}.corta`;
  await copyFile(file, cut);
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

it('a database that was put back by other means is a restored house, too', async (server) => {
  const settings = await emptyPlace(server);
  const putBack = (since: string) => askAdmin({ settings }, ['restore', '--since', since]);
  expect((await putBack('21:03')).body).toMatchObject({ code: 'no_house' });
  const open = () => openServer(settings, {}, makeClock(), async () => {});
  await using first = await open();
  const admin = await makeAdmin(first);
  expect((await putBack('21:03')).body).toMatchObject({ code: 'running' });
  await first.close();
  expect((await runAdmin({ settings }, ['restore', '--since', 'ieri'])).code).toBe(2);
  const { body } = await putBack('2026-11-23 21:03');
  expect(body).toMatchObject({ ok: true, gap: { from: '2026-11-23T20:03:00.000Z' } });
  await using again = await open();
  expect((await callOk(again, readHouse, {}, admin)).gap).toEqual(body['gap']);
});

test('a copy of before a change of keys is restored with the old key beside the new one', async () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
  const env = { SECRETS_KEY: old!, BACKUP_PASSPHRASE: 'la parola di prima' };
  await using server = await startServer({ env });
  const { house, seal, folder } = server.house.ctx.backups;
  const now = server.clock.now();
  const { path } = await makeBackup({ house, folder, kind: 'by_hand', seal, now });
  const settings = {
    ...(await emptyPlace(server)),
    SECRETS_KEY: fresh!,
    BACKUP_PASSPHRASE: 'la parola nuova',
    BACKUP_PASSPHRASE_BEFORE: env.BACKUP_PASSPHRASE,
  };
  const refused = await askAdmin({ settings }, ['restore', path]);
  expect(refused.body).toMatchObject({ ok: false, code: 'other_secrets_key' });
  const changing = { ...settings, SECRETS_KEY: `${fresh},${old}` };
  expect((await askAdmin({ settings: changing }, ['restore', path])).body).toMatchObject({
    ok: true,
  });
});

test('what only pretends to be a backup is refused before it takes memory or room', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'copie-'));
  const opening = { passphrase: null, identities: [] };
  for (const [name, code, bytes, length] of await oddFiles()) {
    const path = join(scratch, name);
    await writeFile(path, bytes);
    if (length !== undefined) await truncate(path, length);
    const refused = verifyBackup(path, { scratch, opening }).catch((error: unknown) => error);
    expect([name, await refused]).toMatchObject([name, { code }]);
    await rm(path);
  }
  expect(await readdir(scratch)).toEqual([]);
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

test('what is not ours does not stand in the way: `lost+found` that only root may open, and logs', async () => {
  await using server = await startServer();
  const file = await backupOf(server);
  const settings = await emptyPlace(server);
  const strange = ['log', 'lost+found'];
  for (const name of strange) await mkdir(join(settings['DATA_DIR']!, name), { mode: 0o000 });
  await (await openServer(settings, {}, makeClock(), async () => {})).close();
  for (const name of await readdir(settings['DATA_DIR']!))
    if (!strange.includes(name)) await rm(join(settings['DATA_DIR']!, name), { recursive: true });
  expect(await askAdmin({ settings }, ['restore', file])).toMatchObject({ body: { ok: true } });
  expect(await askAdmin({ settings }, ['backup', dirname(file)])).toMatchObject({ code: 0 });
  const { body } = await askAdmin({ settings }, ['restore', file, '--over', '--yes']);
  expect(await readdir(body['aside'] as string)).not.toContain('log');
});
