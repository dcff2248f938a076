/** Backups come by themselves: one an hour, one a day verified, old ones cleared away, and Salute says what is wrong with them. */
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { readBackups } from '#server/contract/backups.ts';
import { migrations } from '#db/migrations/index.ts';
import { backupFileName, backupsToDrop, readBackupName } from '#server/domain/backup.ts';
import { askBackup, backupReport, keepBackups } from '#server/services/backup/keep.ts';
import { lookAtAll } from '#server/services/office/findings.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const hourMs = 3_600_000;
const filesOf = async (folder: string) => (await readdir(folder).catch(() => [])).toSorted();

it('the first comes an hour after the first start, the day’s first is verified', async (server) => {
  const admin = await makeAdmin(server);
  const { ctx } = server.house;
  const { folder } = ctx.backups;
  const report = () => callOk(server, readBackups, {}, admin);
  await keepBackups(ctx);
  expect(await filesOf(folder)).toEqual([]);
  expect(await report()).toMatchObject({
    verified: null,
    too_old: false,
    beside_house: true,
    encrypted: false,
  });
  server.clock.advance(hourMs);
  await keepBackups(ctx);
  await keepBackups(ctx);
  const [first, ...others] = await filesOf(folder);
  expect(others).toEqual([]);
  expect(await report()).toMatchObject({
    verified: { name: first, sealed: false },
    failed: null,
  });
  server.clock.advance(hourMs);
  await keepBackups(ctx);
  const { last, verified } = await report();
  expect(verified!.name).toBe(first);
  expect(last!.name).not.toBe(first);
  server.clock.advance(24 * hourMs);
  expect((await backupReport(ctx)).too_old).toBe(true);
  // The owner's alerts know of it.
  expect((await lookAtAll(ctx)).get('backup')).toMatchObject({ state: 'red' });
  // Nobody is logged in for so long.
  const ada = 'user:ada';
  // By hand: audited, made by the worker, verified.
  expect(await askBackup(ctx, ada)).toMatchObject({ running: true });
  await askBackup(ctx, ada);
  await keepBackups(ctx);
  expect(await backupReport(ctx)).toMatchObject({ running: false, too_old: false });
  expect((await lookAtAll(ctx)).get('backup')).toBeNull();
  expect(await ctx.db('audit').where({ action: 'backup_asked' })).toHaveLength(1);
});

test('what goes wrong is told, and the next hour tries again; a key of somebody else verifies, too', async () => {
  const recipient = await identityToRecipient(await generateIdentity());
  const BACKUP_FOLDER = await mkdtemp(join(tmpdir(), 'copie-'));
  await using server = await startServer({ env: { BACKUP_FOLDER, BACKUP_RECIPIENT: recipient } });
  const { ctx } = server.house;
  const admin = await makeAdmin(server);
  await keepBackups(ctx);
  server.clock.advance(hourMs);
  const good = ctx.backups.folder;
  ctx.backups.folder = '/dev/null/copie';
  await keepBackups(ctx);
  const told = await callOk(server, readBackups, {}, admin);
  expect(told.failed!.says).toContain('Nella cartella delle copie non si può scrivere');
  expect(server.logged.splice(0).join('')).toContain('backup failed');
  ctx.backups.folder = good;
  server.clock.advance(hourMs);
  await keepBackups(ctx);
  expect(await callOk(server, readBackups, {}, admin)).toMatchObject({
    failed: null,
    beside_house: false,
    encrypted: true,
    verified: { sealed: true },
  });
});

test('a newer program makes a copy before it changes the tables', async () => {
  await using server = await startServer();
  const { folder } = server.house.ctx.backups;
  const later = migrations as unknown as Record<string, unknown>;
  later['900-later'] = { up: async () => {}, down: async () => {} };
  let changed: TestServer | null = null;
  try {
    changed = await server.restart();
    const [copy, ...others] = await filesOf(folder);
    expect(copy).toContain('prima-di-aggiornare');
    expect(others).toEqual([]);
  } finally {
    delete later['900-later'];
    await changed?.close();
  }
});

test('of the last hours, days and weeks one stays each, and the verified one always', () => {
  const now = Date.parse('2026-11-23T19:30:00Z');
  const files = Array.from({ length: 24 * 60 }, (_, hour) =>
    readBackupName(backupFileName(now - hour * hourMs, hour % 5 ? 'automatic' : 'by_hand', false))!,
  );
  const keep = { hours: 24, days: 7, weeks: 5 };
  const old = files.at(-1)!.name;
  const gone = new Set(backupsToDrop(files, { keep, verified: old }));
  const stay = files.filter(({ name }) => !gone.has(name));
  expect(stay.length).toBe(24 + 5 + 3 + 1);
  expect(stay.at(-1)!.name).toBe(old);
  // A second time nothing more goes, and strangers in the folder are nobody's.
  expect(backupsToDrop(stay, { keep, verified: old })).toEqual([]);
  expect(readBackupName('botteghino-vacanze.tar')).toBeNull();
  expect(
    backupsToDrop(files.slice(0, 1), { keep: { hours: 0, days: 1, weeks: 0 }, verified: null }),
  ).toEqual([]);
});
