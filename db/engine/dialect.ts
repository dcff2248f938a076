/** The few places where SQLite and PostgreSQL differ. */
import type { Knex } from 'knex';

/** The connection pool of either database. */
export type Pool = Knex;
/**
 * A transaction. A function that is only right inside a transaction takes this type, so that a
 * call with the pool does not compile.
 */
export type Trx = Knex.Transaction;
/** Functions that only read take a pool or a transaction. */
export type Db = Pool | Trx;

/** True when a unique index refused the row because another transaction was first. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    code === '23505' ||
    code === 'SQLITE_CONSTRAINT_UNIQUE' ||
    code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  );
}

/** True when a row refers to one that does not exist. */
export function isReferenceViolation(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '23503' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}

/** True when another transaction holds the database; the same call may succeed a moment later. */
export function isDatabaseBusy(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    (typeof code === 'string' && code.startsWith('SQLITE_BUSY')) ||
    isSerializationFailure(error) ||
    code === '55P03' ||
    (error as { name?: unknown } | null)?.name === 'KnexTimeoutError'
  );
}

/** True when the disk is full. Nothing was written, and a person must help. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    code === 'SQLITE_FULL' ||
    code === 'SQLITE_IOERR_WRITE' ||
    code === '53100' ||
    code === 'ENOSPC' ||
    code === 'EDQUOT'
  );
}

/**
 * Codes of the system, PostgreSQL and SQLite when the database cannot be reached or its files
 * cannot be read or written.
 */
const awayCodes =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|DATABASE_SILENT|57P0\d|57014|53300|08\w{3}|SQLITE_(?:IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN).*)$/;
const awayWords =
  /^(?:timeout e(?:xpired|xceeded)|connection terminated|client was closed|client has encountered|unable to acquire a connection)/i;

/** True when the database cannot be reached or used; it may come back by itself. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message, errors } = (error ?? {}) as Record<string, unknown>;
  // A visitor who closes the connection is not a fault of the database.
  if (message === 'aborted') return false;
  if (Array.isArray(errors)) return errors.length > 0 && errors.every(isDatabaseAway);
  return (
    (typeof code === 'string' && awayCodes.test(code)) ||
    (typeof message === 'string' && awayWords.test(message.replace(/^.* - /s, '')))
  );
}

/**
 * True when PostgreSQL undid one of two transactions that conflicted (serialization failure or
 * deadlock).
 */
export function isSerializationFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '40001' || code === '40P01';
}

export function isPostgres(db: Db): boolean {
  return db.client.dialect === 'postgresql';
}

/**
 * Searches for a fragment; % and _ in the person's text are ordinary characters. Both sides must
 * be folded already, because SQLite lowers ASCII only.
 */
export function whereContains(
  query: Knex.QueryBuilder,
  column: string | Knex.Raw,
  fragment: string,
): Knex.QueryBuilder {
  return query.whereRaw(`?? LIKE ? ESCAPE '!'`, [column, `%${fragment.replace(/[!%_]/g, '!$&')}%`]);
}

/**
 * Finds orders in which each of these words begins a word of the search text. PostgreSQL has a
 * GIN index, SQLite an FTS5 table; both are updated by the database itself. `words` have letters
 * and digits only (foundBy in domain/text/search.ts). With `walked` the rows are read in another
 * order and tested one by one.
 */
export function whereWords(
  query: Knex.QueryBuilder,
  db: Db,
  words: readonly string[],
  { walked = false } = {},
): Knex.QueryBuilder {
  if (isPostgres(db)) return walked ? whereBegun(query, words) : whereIndexed(query, words);
  // The plus makes SQLite read the rows in their own order and test each one.
  const row = walked ? '+orders.rowid' : 'orders.rowid';
  const { sql, bindings } = rowsByNumber(words);
  return query.whereRaw(
    `${row} IN (SELECT rowid FROM order_words WHERE order_words MATCH ? UNION ALL ${sql})`,
    [matchOf(words), ...bindings],
  );
}

/**
 * Orders without a buyer are not in the word index: each word must begin their number or its
 * second half.
 */
export function rowsByNumber(words: readonly string[]): { sql: string; bindings: string[] } {
  const begun = '(number BETWEEN ? AND ? OR substr(number, 6) BETWEEN ? AND ?)';
  return {
    sql: `SELECT rowid FROM orders WHERE ${words.map(() => begun).join(' AND ')}`,
    bindings: words.flatMap((word) => {
      const end = word.toUpperCase();
      const number = end.length > 4 ? `${end.slice(0, 4)}-${end.slice(4)}` : end;
      return [number, `${number}~`, end, `${end}~`];
    }),
  };
}

function whereIndexed(query: Knex.QueryBuilder, words: readonly string[]): Knex.QueryBuilder {
  return query.whereRaw(`${searchVector} @@ ?::tsquery`, [
    words.map((word) => `'${word}':*`).join(' & '),
  ]);
}

/**
 * Compares texts without the index; splitting each text into words would cost twenty times as
 * much.
 */
function whereBegun(query: Knex.QueryBuilder, words: readonly string[]): Knex.QueryBuilder {
  for (const word of words) query.whereRaw(`' ' || orders.search_text LIKE ?`, [`% ${word}%`]);
  return query;
}

/** The same expression as in the start schema's index, so that PostgreSQL uses the index. */
export const searchVector = `array_to_tsvector(string_to_array(orders.search_text, ' '))`;

/** The FTS5 query for rows in which each of these texts begins a word. */
export function matchOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"*`).join(' ');
}

/** An arbitrary number that no other program of this database uses. */
const lockNumber = 770_215_001;

/**
 * Lets only one process at a time execute `run`. SQLite has only one process, so it never waits.
 */
export async function oneAtATime(db: Pool, run: () => Promise<void>): Promise<void> {
  if (!isPostgres(db)) return run();
  await db.transaction(async (trx) => {
    // This transaction is idle while the other process runs, which may take long.
    await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
    await awaitTurn(trx);
    await run();
  });
}

/** Until the transaction ends, no process runs anything in oneAtATime(). */
export async function awaitTurn(trx: Trx): Promise<void> {
  if (isPostgres(trx)) await trx.raw('SELECT pg_advisory_xact_lock(?)', [lockNumber]);
}
