/**
 * Inserts and hand-written queries with SQL texts that never change, so that both databases keep
 * them prepared.
 */
import { requireValue } from '#server/domain/require-value.ts';
import type { Knex } from 'knex';
import { isPostgres, type Db, type Trx } from './dialect.ts';
import { runEach, runText } from './sqlite.ts';

/** Rows of one table that all have the same columns. */
export interface NewRows {
  table: string;
  rows: readonly object[];
}

/** An SQL text with a `?` for each value. */
export interface Statement {
  sql: string;
  bindings: readonly unknown[];
}

/**
 * The rows that a hand-written query finds, or that a write returns (RETURNING). Every booking
 * and scan uses this, so that Knex need not build the SQL.
 */
export async function selectRows<R>(
  db: Db,
  sql: string,
  bindings: readonly unknown[],
): Promise<R[]> {
  if (!isPostgres(db)) return (await runText(db, sql, bindings)) as R[];
  const client = db.client as PoolClient;
  const connection = await client.acquireConnection();
  try {
    return (await client.query(connection, { sql, bindings })).response.rows as R[];
  } finally {
    await client.releaseConnection(connection);
  }
}

/**
 * The driver below Knex's query builders; in a transaction it has one connection and refuses
 * statements after the end.
 */
interface PoolClient {
  acquireConnection: () => Promise<unknown>;
  releaseConnection: (connection: unknown) => Promise<void>;
  query: (connection: unknown, statement: Statement) => Promise<{ response: { rows: unknown[] } }>;
}

/**
 * Runs an SQL text through Knex, for rare queries; it also works in a transaction that Knex has
 * begun.
 */
export async function readRows<R>(db: Db, sql: string, bindings: readonly unknown[]): Promise<R[]> {
  const answer: unknown = await db.raw(sql, bindings as Knex.RawBinding[]);
  return Array.isArray(answer) ? (answer as R[]) : (answer as { rows: R[] }).rows;
}

/**
 * A condition that `column` is in a list; the list is one value (see listed()), so that its length
 * does not change the text.
 */
export function among(db: Db, column: string, type: 'text' | 'bigint'): string {
  return isPostgres(db)
    ? `${column} = ANY(?::${type}[])`
    : `${column} IN (SELECT value FROM json_each(?))`;
}

export function listed(db: Db, values: readonly (string | number)[]): unknown {
  return isPostgres(db) ? values : JSON.stringify(values);
}

/** A list of `?`, one for each value. */
export function marksFor(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const [row]: { n: number }[] = await query.count({ n: '*' });
  return requireValue(row, 'count').n;
}

/** The single row of an aggregate. */
export async function readFirst<R>(query: Knex.QueryBuilder): Promise<R> {
  const row: R | undefined = await query.first();
  return requireValue(row, 'row');
}

/**
 * Inserts rows: in SQLite with one prepared statement per row, in PostgreSQL with one for all.
 * Columns of bytes are not supported.
 */
export async function insertMany(trx: Trx, table: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  if (!isPostgres(trx)) {
    insertOneByOne(trx, { table, rows });
    return;
  }
  const { sql, bindings } = insertFromJson({ table, rows });
  await selectRows(trx, sql, bindings);
}

/**
 * Updates each row by its key; all rows must have the same columns. Columns of bytes are not
 * supported.
 */
export async function updateMany(
  trx: Trx,
  { table, rows }: NewRows,
  key: readonly string[],
): Promise<void> {
  if (rows.length === 0) return;
  const changed = Object.keys(rows[0] ?? {}).filter((name) => !key.includes(name));
  if (!isPostgres(trx)) {
    const set = changed.map((name) => `"${name}" = ?`).join(', ');
    const where = key.map((name) => `"${name}" = ?`).join(' AND ');
    const valuesOf = (row: object) =>
      [...changed, ...key].map((name) => (row as Record<string, unknown>)[name] ?? null);
    runEach(trx, `UPDATE "${table}" SET ${set} WHERE ${where}`, rows.map(valuesOf));
    return;
  }
  const set = changed.map((name) => `"${name}" = given."${name}"`).join(', ');
  const where = key.map((name) => `"${table}"."${name}" = given."${name}"`).join(' AND ');
  await selectRows(
    trx,
    `UPDATE "${table}" SET ${set} FROM json_populate_recordset(NULL::"${table}", ?::json) AS given WHERE ${where}`,
    [JSON.stringify(rows)],
  );
}

/** Inserts rows one by one; `ending` is SQL at the end of each statement, such as ON CONFLICT. */
export function insertOneByOne(trx: Trx, { table, rows }: NewRows, ending = ''): void {
  const names = Object.keys(rows[0] ?? {});
  runEach(
    trx,
    `INSERT INTO "${table}" (${quoted(names)}) VALUES (${marksFor(names)})${ending}`,
    rows.map((row) => names.map((name) => (row as Record<string, unknown>)[name] ?? null)),
  );
}

/**
 * Inserts all rows from one JSON value, so that the number of rows does not change the SQL text.
 * `ending` is SQL at the end.
 */
export function insertFromJson({ table, rows }: NewRows, ending = ''): Statement {
  const names = quoted(Object.keys(rows[0] ?? {}));
  return {
    sql: `INSERT INTO "${table}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${table}", ?::json)${ending}`,
    bindings: [JSON.stringify(rows)],
  };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
