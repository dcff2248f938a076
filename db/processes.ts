/**
 * The servers that run on this database, each with its version, and the floor: the oldest version
 * that may run here.
 */
import { awaitTurn, oneAtATime, type Db, type Pool, type Trx } from '#db/engine/dialect.ts';
import type { ProcessRow, ReleaseRow } from './rows.ts';
import { putSetting, readSetting } from './settings.ts';

const floorKey = 'floor';

/** The oldest version that may run here; null: any. */
export async function readFloor(db: Db): Promise<string | null> {
  return readSetting(db, floorKey);
}

/**
 * Writes the row of a process that starts. In the same turn no floor is raised: either the raise
 * finds this row, or the process reads the new floor after it has written the row.
 */
export async function addProcess(db: Pool, row: ProcessRow): Promise<void> {
  await oneAtATime(db, () => beatProcess(db, row));
}

/** Stores the beat; writes the row anew if it was swept meanwhile. */
export async function beatProcess(db: Pool, row: ProcessRow): Promise<void> {
  await db<ProcessRow>('processes').insert(row).onConflict('id').merge(['last_beat_at']);
}

export async function dropProcess(db: Pool, id: string): Promise<void> {
  await db<ProcessRow>('processes').where({ id }).delete();
}

/** Removes processes that have been silent since then. */
export async function sweepProcesses(db: Pool, silentSince: number): Promise<void> {
  await db<ProcessRow>('processes').where('last_beat_at', '<', silentSince).delete();
}

/** The processes, the oldest first. */
export async function listProcesses(db: Db): Promise<ProcessRow[]> {
  return db<ProcessRow>('processes').orderBy(['started_at', 'id']);
}

/**
 * Stores the floor unless `refuse` throws, which gets the processes. It reads them after its turn
 * has come, so that a process that starts in this moment is among them or sees the new floor.
 */
export async function putFloor(
  trx: Trx,
  floor: string,
  refuse: (processes: readonly ProcessRow[]) => void,
): Promise<void> {
  await awaitTurn(trx);
  refuse(await listProcesses(trx));
  await putSetting(trx, floorKey, floor);
}

/** Stores when a version ran here first; its later starts change nothing. */
export async function noteRelease(db: Pool, row: ReleaseRow): Promise<void> {
  await db<ReleaseRow>('releases').insert(row).onConflict('version').ignore();
}

/** The versions that have run here, in the order of their first starts. */
export async function listReleases(db: Db): Promise<ReleaseRow[]> {
  return db<ReleaseRow>('releases').orderBy(['first_started_at', 'version']);
}
