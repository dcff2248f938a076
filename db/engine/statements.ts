/**
 * SQL by its text: whole rows are inserted, and hand-written queries run, with texts that never
 * change, so that both databases keep them prepared.
 */
import { requireValue } from '#server/domain/require-value.ts';
import type { Knex } from 'knex';
import { isPostgres, type Db, type Trx } from './dialect.ts';
import { runEach, runText } from './sqlite.ts';

/** Rows of one shape for one table. */
export interface NewRows {
  table: string;
  rows: readonly object[];
}

/** A text with `?` where its values go. */
export interface Statement {
  sql: string;
  bindings: readonly unknown[];
}

/**
 * The rows that a hand-written query finds, or that a write returns (RETURNING). No SQL is built,
 * because every booking and every scan uses it.
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
 * What runs under Knex's builders; that of a transaction has one connection and refuses after its
 * end.
 */
interface PoolClient {
  acquireConnection: () => Promise<unknown>;
  releaseConnection: (connection: unknown) => Promise<void>;
  query: (connection: unknown, statement: Statement) => Promise<{ response: { rows: unknown[] } }>;
}

/**
 * The same through Knex, for texts that are not used a thousand times a second: also in a
 * transaction that Knex has begun.
 */
export async function readRows<R>(db: Db, sql: string, bindings: readonly unknown[]): Promise<R[]> {
  const answer: unknown = await db.raw(sql, bindings as Knex.RawBinding[]);
  return Array.isArray(answer) ? (answer as R[]) : (answer as { rows: R[] }).rows;
}

/** One `?` for each value of a list. */
export function marksFor(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const [row]: { n: number }[] = await query.count({ n: '*' });
  return requireValue(row, 'count').n;
}

/** The one row of an aggregate. */
export async function readFirst<R>(query: Knex.QueryBuilder): Promise<R> {
  const row: R | undefined = await query.first();
  return requireValue(row, 'row');
}

/**
 * In SQLite each row is one run of a prepared statement; PostgreSQL takes all of them in one
 * statement. Not for columns of bytes.
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

/** Each row changes the one with its key; all name the same columns. Not for columns of bytes. */
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

/** A row whose key exists already stays as it is. */
export function insertOneByOne(trx: Trx, { table, rows }: NewRows, ending = ''): void {
  const names = Object.keys(rows[0] ?? {});
  runEach(
    trx,
    `INSERT INTO "${table}" (${quoted(names)}) VALUES (${marksFor(names)})${ending}`,
    rows.map((row) => names.map((name) => (row as Record<string, unknown>)[name] ?? null)),
  );
}

/**
 * All rows are one JSON value, so that their number does not change the text. `ending` is SQL
 * after reading them.
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
