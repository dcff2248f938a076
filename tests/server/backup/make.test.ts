/** A backup is one file of one moment, made while the house works, and it is believed only after it was opened. */
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { expect } from 'vitest';
import type { Sealing } from '#server/adapters/backup-file.ts';
import { BackupFault } from '#server/domain/backup.ts';
import { inWorker } from '#server/services/backup/in-worker.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { verifyBackup } from '#server/services/backup/verify.ts';
import { testOnBoth as it, testOnce as test } from '#tests/support/both.ts';
import { placeOf } from '#tests/support/house.ts';
import { type TestServer } from '#tests/support/server.ts';

const closed = { passphrase: null, identities: [] };

async function backupOf(server: TestServer, seal: Sealing = null) {
  const folder = await mkdtemp(join(tmpdir(), 'copie-'));
  const house = placeOf(server);
  const made = await makeBackup({ house, folder, kind: 'by_hand', seal, now: server.clock.now() });
  return { ...made, folder, house };
}

it('what is written meanwhile is not in it, and the rest is whole', async (server) => {
  const { db } = server.house.ctx;
  let written = 0;
  const work = { isOver: false };
  const writing = (async () => {
    while (!work.isOver) {
      await db('settings').insert({ key: `while-${written}`, value: 'x' });
      written += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const { path, folder, house, tables } = await backupOf(server);
  work.isOver = true;
  await writing;
  const found = await verifyBackup(path, { scratch: house.dataDir, opening: closed });
  expect(found.broken).toEqual([]);
  expect(found.tables).toEqual(tables);
  expect(tables['events']).toBeGreaterThan(0);
  expect(written).toBeGreaterThan(0);
  const after = await db('settings').count({ n: '*' }).first();
  expect(tables['settings']).toBeLessThan(Number(after!['n']));
  // Nothing of the work stays beside the house, and the file is its owner's only.
  expect((await readdir(house.dataDir)).filter((name) => name.startsWith('lavoro'))).toEqual([]);
  expect((await stat(path)).mode & 0o077).toBe(0);
  expect(await readdir(folder)).toHaveLength(1);
});

test('the house answers while its backup is made and verified in a thread of its own', async (server) => {
  const { db } = server.house.ctx;
  for (let lot = 0; lot < 30; lot += 1)
    await db.raw(
      `INSERT INTO hold_prolongations WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       SELECT 'peso-${lot}-' || i || hex(zeroblob(60)), 1, i FROM n`,
    );
  const folder = await mkdtemp(join(tmpdir(), 'copie-'));
  const house = placeOf(server);
  const seal = { passphrase: 'una parola d’ordine lunga' };
  await inWorker({ job: 'version' });
  const before = performance.eventLoopUtilization();
  const made = await inWorker({
    job: 'make',
    ask: { house, folder, kind: 'by_hand', seal, now: server.clock.now() },
  });
  const found = await inWorker({
    job: 'verify',
    path: made.path,
    scratch: house.dataDir,
    opening: { ...seal, identities: [] },
  });
  expect(found.broken).toEqual([]);
  expect(made.size).toBeGreaterThan(3_000_000);
  // Its own loop had little to do all the while, however busy the machine is.
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});

test('sealed, it opens with the passphrase or the key that it was sealed for, and says what is missing otherwise', async (server) => {
  const identity = await generateIdentity();
  const recipient = await identityToRecipient(identity);
  const seals = [
    [
      { passphrase: 'quattro parole messe insieme' },
      { passphrase: 'quattro parole messe insieme', identities: [] },
    ],
    [{ recipient }, { passphrase: null, identities: [identity] }],
  ] as const;
  for (const [seal, opening] of seals) {
    const { path, house } = await backupOf(server, seal);
    expect(path).toMatch(/\.tar\.age$/);
    const file = await readFile(path, 'latin1');
    expect(file.includes('manifest.json')).toBe(false);
    // At least 2^16 rounds of scrypt stand between a guess at the passphrase and the key.
    if ('passphrase' in seal) expect(file).toMatch(/^-> scrypt \S+ (?:1[6-9]|2\d)$/m);
    const at = { scratch: house.dataDir };
    expect((await verifyBackup(path, { ...at, opening })).broken).toEqual([]);
    await expect(verifyBackup(path, { ...at, opening: closed })).rejects.toMatchObject({
      code: 'sealed',
    });
    const other = { passphrase: 'tutt’altra parola', identities: [await generateIdentity()] };
    await expect(verifyBackup(path, { ...at, opening: other })).rejects.toMatchObject({
      code: 'wrong_key',
    });
    if (!('passphrase' in seal)) continue;
    // While the passphrase is being replaced.
    const changed = { ...other, passphraseBefore: seal.passphrase };
    expect((await verifyBackup(path, { ...at, opening: changed })).broken).toEqual([]);
  }
  // The file is one of age's own.
  const { path } = await backupOf(server, seals[1][0]);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const plain = await decrypter.decrypt(await readFile(path));
  expect(Buffer.from(plain).includes('manifest.json')).toBe(true);
});

/** Whatever is done to the file, it is not believed. */
async function expectDamageTold(server: TestServer, seal: Sealing, identities: string[]) {
  const { path, house } = await backupOf(server, seal);
  const opening = { passphrase: null, identities };
  const whole = await readFile(path);
  const check = () => verifyBackup(path, { scratch: house.dataDir, opening });
  for (const part of [0.001, 0.2, 0.5, 0.8, 0.95]) {
    const at = Math.floor(whole.length * part);
    const hurt = Buffer.from(whole);
    // A byte of padding between two members is nobody's.
    for (let byte = at; byte < at + 600; byte += 1) hurt[byte]! ^= 0x55;
    await writeFile(path, hurt);
    await expect(check(), `byte ${at}`).rejects.toBeInstanceOf(BackupFault);
    await writeFile(path, whole);
    await truncate(path, at);
    await expect(check(), `cut at ${at}`).rejects.toBeInstanceOf(BackupFault);
  }
  await writeFile(path, 'una lista della spesa');
  await expect(check()).rejects.toMatchObject({
    code: expect.stringMatching(/not_a_backup|damaged/) as string,
  });
  await rm(path);
  await expect(check()).rejects.toMatchObject({ code: 'unreadable' });
  expect((await readdir(house.dataDir)).filter((name) => name.startsWith('lavoro'))).toEqual([]);
}

it('a damaged or shortened file is told, wherever it is', (server) =>
  expectDamageTold(server, null, []));

test('a damaged or shortened file is told, also when it is sealed', async (server) => {
  const identity = await generateIdentity();
  await expectDamageTold(server, { recipient: await identityToRecipient(identity) }, [identity]);
});
