/** The one way to change several rows together: all of it or nothing, and the answer only when it is safe. */
import { isDeadlock, type Pool, type Trx } from './dialect.ts';
import { asWork, isInWork } from './group-commit.ts';
import { groupOf } from './sqlite.ts';

/** PostgreSQL ends one of two transactions that wait for each other: that one is simply run again, so often. */
const mostTries = 4;

/**
 * Runs `work` in a transaction and resolves when it is committed. `work` awaits only statements of its `trx` (no provider, no
 * timer, no other pool), writes nothing outside the database, and may run more than once. On SQLite works that wait together
 * are committed together; one that throws undoes only itself.
 * @throws whatever `work` throws; the database's own error when nothing could be committed
 */
export async function transact<T>(db: Pool, work: (trx: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction || isInWork()) throw new Error('transact() inside transact(): hand on the trx');
  const sqlite = groupOf(db);
  if (sqlite) return sqlite.group.transact(() => work(sqlite.trx));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction((trx) => asWork(() => work(trx)));
    } catch (error) {
      if (!isDeadlock(error) || attempt === mostTries) throw error;
    }
  }
}
