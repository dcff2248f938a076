/** Started work that has no row of its own elsewhere, in SQL. */
import type { Db } from '#db/engine/dialect.ts';
import type { New, StartedWorkRow } from '#db/rows.ts';
import type { RequestWork } from '#server/domain/user/started.ts';

const work = (db: Db) => db<StartedWorkRow>('started_work');

/** Stores the row, and deletes rows that began before `forgottenAt`. */
export async function insertWork(
  db: Db,
  row: New<Omit<StartedWorkRow, 'done'>>,
  forgottenAt: number,
): Promise<void> {
  await work(db).where('begun_at', '<', forgottenAt).delete();
  await work(db).insert(row);
}

export async function findWork(db: Db, id: string): Promise<StartedWorkRow | undefined> {
  return work(db).where({ id }).first();
}

/** The newest work of a kind that has not ended. */
export async function openWork(db: Db, kind: RequestWork): Promise<StartedWorkRow | undefined> {
  return work(db).where({ work: kind }).whereNull('ended_at').orderBy('begun_at', 'desc').first();
}

/**
 * Changes work that has not ended. Returns the time at which a person asked to stop it, or null.
 */
export async function noteWork(
  db: Db,
  id: string,
  changes: Partial<StartedWorkRow>,
): Promise<number | null> {
  const [row] = await work(db)
    .where({ id })
    .whereNull('ended_at')
    .update(changes)
    .returning('stop_asked_at');
  return row?.stop_asked_at ?? null;
}

/** Returns false if the work has ended. */
export async function askWorkToStop(db: Db, id: string, at: number): Promise<boolean> {
  return (await work(db).where({ id }).whereNull('ended_at').update({ stop_asked_at: at })) === 1;
}

export async function dropWork(db: Db, id: string): Promise<void> {
  await work(db).where({ id }).delete();
}

/** Work that has not ended, and what began since then; the newest first. */
export async function listWork(
  db: Db,
  { since, limit }: { since: number | null; limit: number },
): Promise<StartedWorkRow[]> {
  return work(db)
    .where((b) => {
      b.whereNull('ended_at');
      if (since !== null) b.orWhere('begun_at', '>', since);
    })
    .orderBy([
      { column: 'begun_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit);
}
