/** SQL by its text: whole rows are inserted, and hand-written queries are run, with texts that never change, so that both databases keep them prepared. */
import type { Knex } from 'knex';
import { isPostgres, type Db, type Trx } from './dialect.ts';
import { runEach } from './sqlite.ts';

/** Rows of one shape for one table. */
export interface NewRows {
  table: string;
  rows: readonly object[];
}

/** What a hand-written query finds. */
export async function selectRows<R>(
  db: Db,
  sql: string,
  bindings: readonly unknown[],
): Promise<R[]> {
  const answer: unknown = await db.raw(sql, bindings as Knex.RawBinding[]);
  return Array.isArray(answer) ? answer : (answer as { rows: R[] }).rows;
}

export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const [row]: { n: number }[] = await query.count({ n: '*' });
  return row!.n;
}

/** In SQLite each row is a run of one prepared statement; PostgreSQL takes all of them in one statement. Not for columns that hold bytes. */
export async function insertMany(trx: Trx, table: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  if (isPostgres(trx)) await insertFromJson(trx, { table, rows });
  else insertOneByOne(trx, { table, rows });
}

/** A row whose key exists already stays as it is. */
export function insertOneByOne(trx: Trx, { table, rows }: NewRows, ending = ''): void {
  const names = Object.keys(rows[0]!);
  const marks = names.map(() => '?').join(', ');
  runEach(
    trx,
    `INSERT INTO "${table}" (${quoted(names)}) VALUES (${marks})${ending}`,
    rows.map((row) => names.map((name) => (row as Record<string, unknown>)[name] ?? null)),
  );
}

/** All rows are one JSON value: their number does not change the text. `ending` is SQL after the reading of them. */
export function insertFromJson(db: Db, { table, rows }: NewRows, ending = ''): Knex.Raw {
  const names = quoted(Object.keys(rows[0]!));
  return db.raw(
    `INSERT INTO "${table}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${table}", ?::json)${ending}`,
    [JSON.stringify(rows)],
  );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
