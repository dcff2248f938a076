/** The one way to change several rows together: all of it or nothing, and the answer only when it is safe. */
import type { Knex } from 'knex';
import { isPostgres, type Db, type Pool, type Trx } from './dialect.ts';
import { asWork, isInWork } from './group-commit.ts';
import { retrying } from './retrying.ts';
import { groupOf } from './sqlite.ts';
import { insertFromJson, insertMany, insertOneByOne, type NewRows } from './statements.ts';

/**
 * Runs `work` in a transaction and resolves when it is committed. `work` awaits only statements of its `trx` (no provider, no
 * timer, no other pool), writes nothing outside the database, and may run more than once: a transaction that PostgreSQL undid
 * because it stood in another's way is run again. On SQLite works that wait together are committed together; one that throws
 * undoes only itself.
 * @throws whatever `work` throws; the database's own error when nothing could be committed
 */
export async function transact<T>(db: Pool, work: (trx: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction || isInWork())
    throw new Error('transact() inside transact(): hand on the trx');
  const sqlite = groupOf(db);
  if (sqlite) return sqlite.group.transact(() => work(sqlite.trx));
  return retrying(() => db.transaction((trx) => asWork(() => work(trx))));
}

export interface ConditionalRows {
  /** A reading that locks the row that it finds, or an update that returns the row that it changed. */
  condition: (db: Db) => Knex.QueryBuilder;
  /** Written only if the condition found its row. */
  rows: readonly NewRows[];
  /** Written in any case; a row that exists already stays as it is. */
  always?: NewRows;
}

/**
 * Rows of several tables, all or none of them, that depend on one condition: a transaction in which nothing is awaited from the
 * outside. PostgreSQL gets it as one statement and so in one round trip; a sale needs seven otherwise. True: the condition found its row.
 */
export async function insertIf(
  db: Pool,
  { condition, rows, always }: ConditionalRows,
): Promise<boolean> {
  if (isPostgres(db)) {
    const statement = db.with('found', condition(db)).from('found').count({ n: '*' });
    for (const [at, some] of rows.entries())
      statement.with(`part_${at}`, insertFromJson(db, some, ' WHERE EXISTS (SELECT FROM found)'));
    if (always) statement.with('always', insertFromJson(db, always, ' ON CONFLICT DO NOTHING'));
    const [found] = (await statement) as { n: number }[];
    return found!.n > 0;
  }
  return transact(db, async (trx) => {
    const found = (await condition(trx)) as unknown[];
    if (always) insertOneByOne(trx, always, ' ON CONFLICT DO NOTHING');
    if (found.length === 0) return false;
    for (const some of rows) await insertMany(trx, some.table, some.rows);
    return true;
  });
}
