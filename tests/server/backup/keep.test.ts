/** Backups come by themselves: as often as they cost little, one a day verified, old ones cleared away, and Salute says what is wrong with them. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { readBackups } from '#server/contract/backups.ts';
import { migrations } from '#db/migrations/index.ts';
import landed from '#db/migrations/landed.json' with { type: 'json' };
import type { Step } from '#server/standins/kit/steps.ts';
import { seatsioSteps } from '#server/standins/seatsio/statements/schema.ts';
import {
  backupFileName,
  backupInterval,
  backupsToDrop,
  readBackupName,
} from '#server/domain/backup.ts';
import { askBackup, backupReport, keepBackups } from '#server/services/backup/keep.ts';
import { houseChecks } from '#server/cli/diagnosis-house.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { lookAtAll } from '#server/services/office/findings.ts';
import { runAdmin } from '#tests/support/admin-command.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const hourMs = 3_600_000;
const filesOf = async (folder: string) => (await readdir(folder).catch(() => [])).toSorted();

it('the first comes an hour after the first start, the day’s first is verified', async (server, admin) => {
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
  // Nothing has happened, so the next one is not made before the hour is over.
  expect(await report()).toMatchObject({ loses_since: null, every_ms: 300_000 });
  server.clock.advance(hourMs - 60_000);
  await keepBackups(ctx);
  expect(await filesOf(folder)).toHaveLength(1);
  await makePaidOrder(server);
  expect((await report()).loses_since).not.toBeNull();
  await keepBackups(ctx);
  const { last, verified, files } = await report();
  expect(verified!.name).toBe(first);
  expect(last!.name).not.toBe(first);
  expect(files).toEqual({ count: 2, size: verified!.size + last!.size });
  server.clock.advance(4 * 60_000);
  await makePaidOrder(server, undefined, { nth: 2 });
  await keepBackups(ctx);
  expect(await filesOf(folder)).toHaveLength(2);
  server.clock.advance(60_000);
  await keepBackups(ctx);
  expect(await filesOf(folder)).toHaveLength(3);
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

/** A folder on another disk than the temporary ones; null: this machine has one disk. */
async function otherDisk(): Promise<string | null> {
  const { dev } = await stat(tmpdir());
  for (const place of ['/dev/shm', '/var/tmp', homedir()])
    if ((await stat(place).catch(() => null))?.dev !== dev) return mkdtemp(join(place, 'copie-'));
  return null;
}

test('what goes wrong is told, and the next hour tries again; a key of somebody else verifies, too', async () => {
  const recipient = await identityToRecipient(await generateIdentity());
  const elsewhere = await otherDisk();
  const BACKUP_FOLDER = elsewhere ?? (await mkdtemp(join(tmpdir(), 'copie-')));
  await using server = await startServer({ env: { BACKUP_FOLDER, BACKUP_RECIPIENT: recipient } });
  const { ctx } = server.house;
  const admin = await makeAdmin(server);
  await keepBackups(ctx);
  server.clock.advance(hourMs);
  const good = ctx.backups.folder;
  ctx.backups.folder = '/dev/null/copie';
  await keepBackups(ctx);
  const told = await callOk(server, readBackups, {}, admin);
  const why = expect.stringMatching(
    /cartella delle copie .* BACKUP_FOLDER.*dev.null.copie/,
  ) as string;
  expect(told).toMatchObject({ folder_fault: why, failed: { says: why } });
  expect((await lookAtAll(ctx)).get('backup')).toMatchObject({ state: 'amber', mend: why });
  expect(await houseChecks['Backup']!(ctx)).toMatchObject({ state: 'bad', mend: why });
  expect(server.logged.splice(0).join('')).toContain('backup failed');
  ctx.backups.folder = good;
  server.clock.advance(hourMs);
  await keepBackups(ctx);
  expect(await callOk(server, readBackups, {}, admin)).toMatchObject({
    failed: null,
    folder_fault: null,
    beside_house: elsewhere === null,
    encrypted: true,
    verified: { sealed: true },
  });
  await rm(BACKUP_FOLDER, { recursive: true });
});

test('a folder that takes no copies is blamed at the start, not the database', async () => {
  const BACKUP_FOLDER = '/dev/null/copie';
  await using server = await startServer({ env: { BACKUP_FOLDER } });
  expect(server.house.warning).toContain(`BACKUP_FOLDER`);
  const { house, folder } = server.house.ctx.backups;
  expect(folder).toBe(BACKUP_FOLDER);
  const made = makeBackup({ house, folder, kind: 'by_hand', seal: null, now: server.clock.now() });
  await expect(made).rejects.toMatchObject({ code: 'no_folder' });
});

it('a copy that a person verified counts, on the same disk it is never well', async (server) => {
  const { ctx } = server.house;
  const settings = { ...server.settings, DATA_DIR: ctx.dataDir };
  const { house, folder } = ctx.backups;
  const now = server.clock.now();
  const { path } = await makeBackup({ house, folder, kind: 'by_hand', seal: null, now });
  expect(await houseChecks['Backup']!(ctx)).toMatchObject({
    words: expect.stringMatching('nessuno verificato') as string,
  });
  const { out } = await runAdmin({ settings }, ['verify-backup', path]);
  expect(out).toContain('Salute la conta come verificata');
  expect((await backupReport(ctx)).verified).toMatchObject({ name: basename(path) });
  expect(await houseChecks['Backup']!(ctx)).toMatchObject({
    state: 'warn',
    words: expect.stringContaining('sullo stesso disco') as string,
  });
});

const changes = migrations as unknown as Record<string, unknown>;
const told = landed.sqlite as Record<string, unknown>;
const steps = seatsioSteps as Step[];

test.each<[of: string, make: () => void, undo: () => void]>([
  [
    'the house',
    () => (changes['900-later'] = async () => ({ up: async () => {}, down: async () => {} })),
    () => delete changes['900-later'],
  ],
  [
    'the seat map',
    () => {
      told['900-later'] = {};
      steps.push({ name: '900-later', sql: 'SELECT 1' });
    },
    () => {
      delete told['900-later'];
      steps.pop();
    },
  ],
])('a newer program makes a copy before it changes the tables of %s', async (_, make, undo) => {
  await using server = await startServer();
  const { folder } = server.house.ctx.backups;
  let changed: TestServer | null = null;
  make();
  try {
    changed = await server.restart();
    const [copy, ...others] = await filesOf(folder);
    expect(copy).toContain('prima-di-aggiornare');
    expect(others).toEqual([]);
  } finally {
    undo();
    await changed?.close();
  }
});

test('a backup is made as often as it costs less than a hundredth of the time, within bounds', () => {
  const minutesOf = (processor_ms: number, took_ms = 0) =>
    backupInterval({ processor_ms, took_ms }) / 60_000;
  expect(backupInterval(null)).toBe(hourMs);
  expect([0, 2_900, 6_000, 36_000, 900_000].map((ms) => minutesOf(ms))).toEqual([5, 5, 10, 60, 60]);
  // A slow disk, or a database elsewhere.
  expect([30_000, 60_000].map((ms) => minutesOf(100, ms))).toEqual([5, 10]);
});

test('of the last two hours all stay while they fit, then one for each hour, and so on', () => {
  const now = Date.parse('2026-11-23T19:30:00Z');
  const files = Array.from({ length: 12 * 48 }, (_, nth) => ({
    ...readBackupName(backupFileName(now - nth * 300_000, 'automatic', false))!,
    size: 50_000_000,
  }));
  const keep = { hours: 24, days: 7, weeks: 5 };
  const stay = (room: number) =>
    files.length - backupsToDrop(files, { now, keep, verified: null, room }).length;
  // 24 of two hours, 22 of the hours before, and what is older than a day.
  const least = stay(0);
  expect(least).toBeLessThanOrEqual(24 + 7 + 5);
  expect([stay(1e12), stay(500_000_000)]).toEqual([least + 21, least + 8]);
  // Of a clock that was a day and two hours ahead, none keeps the one that was just made from staying.
  const ahead = files.slice(-300).map((file) => ({ ...file, at: file.at + 74 * hourMs }));
  const dropped = backupsToDrop([...files, ...ahead], { now, keep, verified: null, room: 0 });
  expect(dropped).not.toContain(files[0]!.name);
  expect(files.length - dropped.length).toBe(least);
});

test('of the last hours, days and weeks one stays each, and the verified one always', () => {
  const now = Date.parse('2026-11-23T19:30:00Z');
  const files = Array.from({ length: 24 * 60 }, (_, hour) => ({
    ...readBackupName(
      backupFileName(now - hour * hourMs, hour % 5 ? 'automatic' : 'by_hand', false),
    )!,
    size: 1,
  }));
  const room = 0;
  const keep = { hours: 24, days: 7, weeks: 5 };
  const old = files.at(-1)!.name;
  const gone = new Set(backupsToDrop(files, { now, keep, verified: old, room }));
  const stay = files.filter(({ name }) => !gone.has(name));
  expect(stay.length).toBe(24 + 5 + 3 + 1);
  expect(stay.at(-1)!.name).toBe(old);
  // A second time nothing more goes, and strangers in the folder are nobody's.
  expect(backupsToDrop(stay, { now, keep, verified: old, room })).toEqual([]);
  expect(readBackupName('botteghino-vacanze.tar')).toBeNull();
  expect(
    backupsToDrop(files.slice(0, 1), {
      now,
      keep: { hours: 0, days: 1, weeks: 0 },
      verified: null,
      room,
    }),
  ).toEqual([]);
});
