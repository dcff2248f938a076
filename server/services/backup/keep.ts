/**
 * Makes backups as often as they cost little, at least every hour, verifies one a day, deletes old
 * ones, and reports to Salute, the office's page on the server's health.
 */
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { claimPeriod, claimSetting, putSetting, readSetting } from '#db/settings.ts';
import { markOfChange } from '#db/office/last-change.ts';
import { noteWork, openWork } from '#db/office/started-work.ts';
import type { Db } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import { wakeWorker } from '#db/engine/wake.ts';
import { openableSeal } from '#server/adapters/backup-file.ts';
import {
  BackupFault,
  backupEveryMs,
  backupInterval,
  backupsToDrop,
  backupTooOldMs,
  type BackupCost,
  readBackupName,
  verifyEveryMs,
  type BackupKind,
} from '#server/domain/backup.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { aliveProcesses, ownProcess } from '#server/services/kit/processes.ts';
import { noteForWorker } from '#server/services/kit/started-work.ts';
import { faultOfFolder, isBesideHouse } from './folder.ts';
import { freeBytes, sizeOf } from './house-files.ts';
import { inWorker } from './in-worker.ts';
import type { MadeBackup } from './make.ts';

/** A file in the backup folder; `made_at` in milliseconds. */
interface KeptBackup {
  name: string;
  size: number;
  made_at: number;
  sealed: boolean;
}

/** `mark`: the state of the house when the copy began; 1.0.1 stored neither `cost` nor `mark`. */
interface LastBackup extends KeptBackup {
  cost?: BackupCost;
  mark?: string;
}

/**
 * Stored as JSON in one setting. `since`: when this house first ran this job; `failed`: the last
 * attempt, if it failed; `files`: the copies in the folder, with their total size.
 */
interface BackupState {
  since: number;
  last: LastBackup | null;
  verified: KeptBackup | null;
  failed: { at: number; says: string } | null;
  files?: { count: number; size: number };
}

const stateKey = 'backups';
const madeKey = 'backup_made';
const askedKey = 'backup_asked';
/** After this time a process that makes a backup counts as dead, and another may start one. */
const leaseMs = 30 * 60_000;

async function readState(ctx: Ctx): Promise<BackupState> {
  const text = await readSetting(ctx.db, stateKey);
  return text === null ? newState(ctx) : (JSON.parse(text) as BackupState);
}

function newState(ctx: Ctx): BackupState {
  return { since: ctx.now(), last: null, verified: null, failed: null };
}

/**
 * Runs on the schedule; only one process makes the backup. The first backup comes an hour after
 * the first start; while nothing happens, one an hour is enough.
 */
export async function keepBackups(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  if ((await readSetting(ctx.db, stateKey)) === null) {
    await putSetting(ctx.db, stateKey, JSON.stringify(await readState(ctx)));
    await putSetting(ctx.db, madeKey, String(now));
  }
  const asked = await readSetting(ctx.db, askedKey);
  if (asked !== null && Number(asked) > 0) {
    // While a process makes the backup, the setting is minus the time at which it began.
    if (await claimSetting(ctx.db, askedKey, { from: asked, to: String(-now) }))
      await takeAsked(ctx).finally(() => putSetting(ctx.db, askedKey, '0'));
    return;
  }
  const { last } = await readState(ctx);
  const mayRest = last?.mark === (await markOfChange(ctx.db));
  const everyMs = mayRest ? backupEveryMs : backupInterval(last?.cost ?? null);
  if (await claimPeriod(ctx.db, madeKey, { now, notSince: now - everyMs }))
    await takeBackup(ctx, 'automatic');
}

/** Makes the backup that a person has asked for, and notes who makes it and how it ended. */
async function takeAsked(ctx: Ctx): Promise<void> {
  const id = (await openWork(ctx.db, 'backup'))?.id ?? '';
  await noteWork(ctx.db, id, { process_id: ownProcess(ctx), moved_at: ctx.now() });
  const said = await takeBackup(ctx, 'by_hand');
  const outcome = said === null ? 'done' : 'failed';
  await noteWork(ctx.db, id, { ended_at: ctx.now(), moved_at: ctx.now(), outcome, said });
}

/**
 * Makes a backup. Salute shows a failure; the next try comes after the interval. Returns why it
 * failed, or null.
 */
async function takeBackup(ctx: Ctx, kind: BackupKind): Promise<string | null> {
  const { verified } = await readState(ctx);
  const isDue = verified === null || ctx.now() - verified.made_at >= verifyEveryMs;
  try {
    await makeAndKeep(ctx, kind, { verify: isDue || kind === 'by_hand' });
    return null;
  } catch (error) {
    ctx.log.error({ err: error }, 'backup failed');
    const says = error instanceof BackupFault ? error.message : String(error).slice(0, 200);
    await change(ctx, { failed: { at: ctx.now(), says } });
    return says;
  }
}

async function makeAndKeep(
  ctx: Ctx,
  kind: BackupKind,
  { verify }: { verify: boolean },
): Promise<void> {
  const { house, folder, keep, seal: wanted } = ctx.backups;
  const { seal, opening } = await openableSeal(wanted);
  const ask = { house, folder, kind, seal, now: ctx.now() };
  const mark = await markOfChange(ctx.db);
  const made = await inWorker({ job: 'make', ask });
  await change(ctx, { last: { ...keptOf(made), cost: made.cost, mark }, failed: null });
  if (verify) {
    const found = await inWorker({
      job: 'verify',
      path: made.path,
      scratch: house.dataDir,
      opening,
    });
    if (found.broken.length > 0) throw new BackupFault('broken_books', found.broken.join(', '));
    await change(ctx, { verified: keptOf(made) });
  }
  const { verified } = await readState(ctx);
  const files = await filesIn(folder);
  const room = (await freeBytes(folder)) * mostOfFree;
  const terms = { now: ctx.now(), keep, verified: verified?.name ?? null, room };
  const dropped = backupsToDrop(files, terms);
  for (const name of dropped) await rm(join(folder, name), { force: true });
  const kept = files.filter(({ name }) => !dropped.includes(name));
  const size = kept.reduce((sum, file) => sum + file.size, 0);
  await change(ctx, { files: { count: kept.length, size } });
}

/** The copies of the last two hours take at most this share of what is free. */
const mostOfFree = 0.25;

async function filesIn(folder: string) {
  const files = (await readdir(folder)).flatMap((name) => readBackupName(name) ?? []);
  return Promise.all(
    files.map(async (file) => ({ ...file, size: await sizeOf(join(folder, file.name)) })),
  );
}

type Kept = Pick<MadeBackup, 'path' | 'size' | 'made_at' | 'sealed'>;

function keptOf({ path, size, made_at, sealed }: Kept): KeptBackup {
  return { name: basename(path), size, made_at, sealed };
}

/** A command may write at the same time, so a change that was overtaken is tried again. */
async function change(ctx: Ctx, changes: Partial<BackupState>): Promise<void> {
  for (;;) {
    const from = await readSetting(ctx.db, stateKey);
    const state = from === null ? newState(ctx) : (JSON.parse(from) as BackupState);
    const to = JSON.stringify({ ...state, ...changes });
    if (from === to || (await claimSetting(ctx.db, stateKey, { from, to }))) return;
  }
}

/** Counts a copy that a person has verified by a command, if none younger was verified before. */
export async function noteVerified(ctx: Ctx, found: Kept): Promise<void> {
  const { verified } = await readState(ctx);
  if (verified === null || verified.made_at < found.made_at)
    await change(ctx, { verified: keptOf(found) });
}

/**
 * Asks the worker for a backup, which starts within seconds; if one has been asked for already,
 * nothing changes.
 */
export async function askBackup(ctx: Ctx, actor: Actor) {
  await transact(ctx.db, async (trx) => {
    if (await isAtIt(ctx, trx)) return;
    await putSetting(trx, askedKey, String(ctx.now()));
    wakeWorker(trx);
    await noteForWorker(ctx, trx, { work: 'backup', actor });
    await happened(ctx, trx, { actor, action: 'backup_asked', subject: 'backup' });
  });
  return backupReport(ctx);
}

/** Whether a backup is asked for or being made, by a process that runs. */
async function isAtIt(ctx: Ctx, db: Db): Promise<boolean> {
  const asked = Number((await readSetting(db, askedKey)) ?? 0);
  if (asked === 0 || Math.abs(ctx.now() - Math.abs(asked)) >= leaseMs) return false;
  const maker = asked < 0 ? (await openWork(db, 'backup'))?.process_id : undefined;
  return maker == null || (await aliveProcesses(ctx, db)).has(maker);
}

/**
 * The report for Salute. `too_old`: no verified backup is younger than a day (RULES B1).
 * `loses_since`: what has happened since then would be lost with the disk.
 */
export async function backupReport(ctx: Ctx) {
  const { since, last, verified, failed, files } = await readState(ctx);
  const { folder, seal } = ctx.backups;
  const isSaved = last?.mark === (await markOfChange(ctx.db));
  return {
    running: await isAtIt(ctx, ctx.db),
    last,
    verified,
    failed,
    too_old: ctx.now() - (verified?.made_at ?? since) > backupTooOldMs,
    loses_since: isSaved ? null : (last?.made_at ?? since),
    every_ms: backupInterval(last?.cost ?? null),
    files: files ?? null,
    folder,
    folder_fault: (await faultOfFolder(ctx.backups))?.message ?? null,
    // An unreadable folder is reported as a fault of its own.
    beside_house: await isBesideHouse(ctx.backups).catch(() => false),
    encrypted: seal !== null,
  };
}
