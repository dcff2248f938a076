/**
 * The one way to change several rows together: all or none, and the caller gets an answer only
 * when they are safely stored.
 */
import { isPostgres, type Pool, type Trx } from './dialect.ts';
import { isInWork, owesWake } from './group-commit.ts';
import { commitOnce, writeOnce, type TransactOptions } from './lost.ts';
import { retrying } from './retrying.ts';
import { groupOf } from './sqlite.ts';
import { wakeWorker } from './wake.ts';
import {
  insertFromJson,
  insertMany,
  insertOneByOne,
  selectRows,
  type NewRows,
  type Statement,
} from './statements.ts';

/**
 * Runs `work` in a transaction and resolves when it is committed. `work` awaits only statements
 * of its `trx` (no provider, timer or other pool), writes nothing outside the database, and may
 * run more than once: after a conflict in PostgreSQL, or a connection lost before the COMMIT.
 * After a later loss the database is asked whether the write was kept. On SQLite waiting works
 * are committed together, and a work that throws undoes only itself. The commit wakes the worker
 * if it has something to do.
 * @throws what `work` throws; the database's own error when nothing could be committed
 */
export async function transact<T>(
  db: Pool,
  work: (trx: Trx) => Promise<T>,
  options?: TransactOptions,
): Promise<T> {
  if (db.isTransaction || isInWork())
    throw new Error('transact() inside transact(): hand on the trx');
  let wakes = false;
  const noting = async (trx: Trx) => {
    const value = await work(trx);
    wakes = owesWake();
    return value;
  };
  const sqlite = groupOf(db);
  const value = sqlite
    ? await sqlite.group.transact(() => noting(sqlite.trx))
    : await retrying(() => commitOnce(db, noting, options));
  if (wakes) wakeWorker(db);
  return value;
}

interface ConditionalRows {
  /** A read that locks its row, or an update that returns the changed row. */
  condition: Statement;
  /**
   * Rows that are written only if the condition found its row. The first one has an id of its
   * own, which shows after a lost connection whether all rows were kept; without that id the
   * answer may wrongly be false.
   */
  rows?: readonly NewRows[];
  /** Rows that are written in any case; an existing row is not changed. */
  always?: NewRows;
}

/**
 * Writes rows of several tables, all or none, under one condition. PostgreSQL gets a single
 * statement, so a sale needs one round trip instead of seven. Returns true if the condition found
 * its row.
 */
export async function insertIf(db: Pool, ask: ConditionalRows): Promise<boolean> {
  if (isPostgres(db)) return insertAtOnce(db, ask);
  const { condition, rows = [], always } = ask;
  return transact(db, async (trx) => {
    const found = await selectRows(trx, condition.sql, condition.bindings);
    if (always) insertOneByOne(trx, always, ' ON CONFLICT DO NOTHING');
    if (found.length === 0) return false;
    for (const some of rows) await insertMany(trx, some.table, some.rows);
    return true;
  });
}

async function insertAtOnce(
  db: Pool,
  { condition, rows = [], always }: ConditionalRows,
): Promise<boolean> {
  const parts = [
    condition,
    ...rows.map((some) => insertFromJson(some, ' WHERE EXISTS (SELECT FROM found)')),
    ...(always ? [insertFromJson(always, ' ON CONFLICT DO NOTHING')] : []),
  ];
  const named = parts.map(({ sql }, at) => `${at === 0 ? 'found' : `part_${at}`} AS (${sql})`);
  return writeOnce(db, rows[0], async () => {
    const [found] = await selectRows<{ n: number }>(
      db,
      `WITH ${named.join(', ')} SELECT COUNT(*) AS n FROM found`,
      parts.flatMap(({ bindings }) => bindings),
    );
    return found !== undefined && found.n > 0;
  });
}
