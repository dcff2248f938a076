/**
 * Makes a backup every hour, verifies one a day, deletes old ones, and reports to Salute, the
 * office's page on the server's health.
 */
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { claimPeriod, claimSetting, putSetting, readSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import { wakeWorker } from '#db/engine/wake.ts';
import { openableSeal } from '#server/adapters/backup-file.ts';
import {
  BackupFault,
  backupEveryMs,
  backupsToDrop,
  backupTooOldMs,
  readBackupName,
  verifyEveryMs,
  type BackupKind,
} from '#server/domain/backup.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { inWorker } from './in-worker.ts';
import type { MadeBackup } from './make.ts';

/** A file in the backup folder; `made_at` in milliseconds. */
interface KeptBackup {
  name: string;
  size: number;
  made_at: number;
  sealed: boolean;
}

/**
 * Stored as JSON in one setting. `since`: when this house first ran this job; `failed`: the last
 * attempt, if it failed.
 */
interface BackupState {
  since: number;
  last: KeptBackup | null;
  verified: KeptBackup | null;
  failed: { at: number; says: string } | null;
}

const stateKey = 'backups';
const madeKey = 'backup_made';
const askedKey = 'backup_asked';
/** After this time a process that makes a backup counts as dead, and another may start one. */
const leaseMs = 30 * 60_000;

async function readState(ctx: Ctx): Promise<BackupState> {
  const text = await readSetting(ctx.db, stateKey);
  if (text !== null) return JSON.parse(text) as BackupState;
  return { since: ctx.now(), last: null, verified: null, failed: null };
}

/**
 * Runs on the schedule; only one process makes the backup. The first backup comes an hour after
 * the first start.
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
      await takeBackup(ctx, 'by_hand').finally(() => putSetting(ctx.db, askedKey, '0'));
    return;
  }
  if (await claimPeriod(ctx.db, madeKey, { now, notSince: now - backupEveryMs }))
    await takeBackup(ctx, 'automatic');
}

/** Makes a backup. Salute shows a failure; the next try comes after an hour. */
async function takeBackup(ctx: Ctx, kind: BackupKind): Promise<void> {
  const { verified } = await readState(ctx);
  const isDue = verified === null || ctx.now() - verified.made_at >= verifyEveryMs;
  try {
    await makeAndKeep(ctx, kind, { verify: isDue || kind === 'by_hand' });
  } catch (error) {
    ctx.log.error({ err: error }, 'backup failed');
    const says = error instanceof BackupFault ? error.message : String(error).slice(0, 200);
    await change(ctx, { failed: { at: ctx.now(), says } });
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
  const made = await inWorker({ job: 'make', ask });
  await change(ctx, { last: keptOf(made), failed: null });
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
  const files = (await readdir(folder)).flatMap((name) => readBackupName(name) ?? []);
  for (const name of backupsToDrop(files, { keep, verified: verified?.name ?? null }))
    await rm(join(folder, name), { force: true });
}

function keptOf({ path, size, made_at, sealed }: MadeBackup): KeptBackup {
  return { name: basename(path), size, made_at, sealed };
}

async function change(ctx: Ctx, changes: Partial<BackupState>): Promise<void> {
  await putSetting(ctx.db, stateKey, JSON.stringify({ ...(await readState(ctx)), ...changes }));
}

/**
 * Asks the worker for a backup, which starts within seconds; if one has been asked for already,
 * nothing changes.
 */
export async function askBackup(ctx: Ctx, actor: Actor) {
  await transact(ctx.db, async (trx) => {
    if (isAtIt(ctx, await readSetting(trx, askedKey))) return;
    await putSetting(trx, askedKey, String(ctx.now()));
    wakeWorker(trx);
    await happened(ctx, trx, { actor, action: 'backup_asked', subject: 'backup' });
  });
  return backupReport(ctx);
}

function isAtIt(ctx: Ctx, asked: string | null): boolean {
  const since = Math.abs(Number(asked ?? 0));
  return since > 0 && ctx.now() - since < leaseMs;
}

/** The report for Salute. `too_old`: no verified backup is younger than a day (RULES B1). */
export async function backupReport(ctx: Ctx) {
  const { since, last, verified, failed } = await readState(ctx);
  const { folder, besideHouse, seal } = ctx.backups;
  return {
    running: isAtIt(ctx, await readSetting(ctx.db, askedKey)),
    last,
    verified,
    failed,
    too_old: ctx.now() - (verified?.made_at ?? since) > backupTooOldMs,
    folder,
    beside_house: besideHouse,
    encrypted: seal !== null,
  };
}
