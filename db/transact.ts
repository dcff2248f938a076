/** The one way to change several rows together: all of it or nothing, and the answer only when it is safe. */
import type { Knex } from 'knex';
import { isDeadlock, isDivisionByZero, type Pool, type Trx } from './dialect.ts';
import { asWork, isInWork } from './group-commit.ts';
import { change, insertOf, rowsOf, type Statement } from './spelled.ts';
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
  if (db.isTransaction || isInWork())
    throw new Error('transact() inside transact(): hand on the trx');
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

/**
 * Statements that need nothing of each other's answers, all or none of them: a work on SQLite, one statement and one round trip
 * on PostgreSQL (which checks references and unique indexes when all of it is there). `onlyIf` is a reading that locks what it
 * finds and comes first. False: it found nothing, and nothing was written.
 */
export async function writeTogether(
  db: Pool,
  statements: readonly Statement[],
  { onlyIf }: { onlyIf: Statement },
): Promise<boolean> {
  if (groupOf(db)) {
    return transact(db, async (trx) => {
      if ((await rowsOf(trx, onlyIf)).length === 0) return false;
      for (const statement of statements) await change(trx, statement);
      return true;
    });
  }
  const parts = statements.map(({ sql }, at) => `w${at} AS (${sql})`);
  try {
    // Of one statement's parts the reading below runs first, then those that write; only an error keeps them from it, and undoes everything.
    await db.raw(
      `WITH ${parts.join(', ')}, found AS (${onlyIf.sql}) SELECT 1 / count(*) FROM found`,
      [...statements, onlyIf].flatMap(({ bindings }) => bindings as Knex.RawBinding[]),
    );
    return true;
  } catch (error) {
    if (isDivisionByZero(error)) return false;
    throw error;
  }
}

export interface Guarded {
  /** An update of one row, which says whether there was still something to do. */
  guard: Statement;
  always: Statement;
  /** A row that is written only if the guard found its row. */
  ifMoved: { table: string; row: object };
}

/** As writeTogether(). True: the guard found its row. */
export async function writeGuarded(
  db: Pool,
  { guard, always, ifMoved: { table, row } }: Guarded,
): Promise<boolean> {
  if (groupOf(db)) {
    return transact(db, async (trx) => {
      const moved = (await change(trx, guard)) === 1;
      await change(trx, always);
      if (moved) await change(trx, insertOf(trx, table, [row]));
      return moved;
    });
  }
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    `WITH moved AS (${guard.sql} RETURNING 1), always AS (${always.sql}),
      noted AS (INSERT INTO ?? SELECT (json_populate_record(NULL::??, ?::json)).* FROM moved) SELECT count(*) AS n FROM moved`,
    [
      ...(guard.bindings as Knex.RawBinding[]),
      ...(always.bindings as Knex.RawBinding[]),
      table,
      table,
      JSON.stringify(row),
    ],
  );
  return rows[0]!.n === 1;
}
