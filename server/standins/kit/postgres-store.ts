/** A stand-in's database in a schema of PostgreSQL, for several processes. */
import { DatabaseError, Pool, types, type PoolClient, type QueryResult } from 'pg';
import { openBatches, openTurns, type Waiting } from './batches.ts';
import { inPostgres, likeSqlite } from './postgres-dialect.ts';
import { SETTINGS } from './sqlite.ts';
import { STEPS_TABLE, sqlOfSteps, type Step } from './steps.ts';
import type { Reader, Store, Value, Writer } from './store.ts';

/** Longer than in SQLite (50 ms), because writes of several processes wait here. */
const LOCK_MS = 5_000;
/** A process that hangs in a transaction must not stop the others for longer. */
const IDLE_MS = 10_000;
const STATEMENT_MS = 30_000;
const CONNECT_MS = 5_000;
const MOST_CONNECTIONS = 5;

/** A writer holds this lock until its commit, so that only one writes at a time. */
const WRITE_LOCK = 'pg_advisory_xact_lock(1936027508, hashtext(current_schema()))';

/** SQLSTATEs: lock timeout, serialization failure, deadlock, server not ready. */
const BUSY = new Set(['55P03', '40001', '40P01', '57P03']);

interface Options {
  /** `postgres://…`, directly or through a pooler in transaction mode. */
  url: string;
  /** The changes of the tables; those that have not run yet run first. */
  steps: readonly Step[];
  schema: string;
  /** False behind a pooler that gives the connection to another client after a transaction. */
  namedStatements: boolean;
}

/**
 * Makes the schema if it is missing.
 * @throws the driver's error when the database cannot be reached
 */
export async function openPostgresStore({
  url,
  steps,
  schema,
  namedStatements,
}: Options): Promise<Store> {
  const ask: Ask = async (client, sql, params) => {
    const { text, name } = inPostgres(sql);
    const values = params.map(storable);
    return client.query(namedStatements ? { text, name, values } : { text, values });
  };
  const pool = new Pool({
    connectionString: url,
    application_name: `botteghino ${schema}`,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    types: { getTypeParser: parserOf as typeof types.getTypeParser },
  });
  // Broken connections are dropped: their user gets the error, the next call a new connection.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Set in each transaction, because a pooler may use another connection for each.
  const settings = `SET LOCAL search_path TO ${schema}, pg_catalog; SET LOCAL lock_timeout = ${LOCK_MS};
    SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`;
  const alone = `BEGIN; ${settings}; SELECT ${WRITE_LOCK}`;
  const together = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${settings}`;
  await bringUp(pool, steps, { schema, begin: alone });
  const read: Store['read'] = (work) =>
    inTransaction(pool, together, (client) => work(readerOf(client, ask)));
  const write: Store['write'] = openBatches({
    writeTogether: (batch) =>
      inTransaction(pool, alone, async (client) => {
        // A single write needs no savepoint, because its rollback is that of the transaction.
        const [first, ...others] = batch;
        if (first && others.length === 0) return [await runOne(client, ask, first)];
        const answers: (() => void)[] = [];
        await client.query('SAVEPOINT one');
        for (const one of batch) answers.push(await writeOne(client, ask, one));
        return answers;
      }),
    isBusy,
    inTurn: openTurns(),
  });
  return {
    isShared: true,
    all: (sql, ...params) => read((reader) => reader.all(sql, ...params)),
    get: (sql, ...params) => read((reader) => reader.get(sql, ...params)),
    read,
    write,
    async close() {
      await write(async () => undefined).catch(() => undefined);
      await pool.end();
    },
  };
}

/** Another process may be doing the same and abort ours; the second try finds the tables. */
async function bringUp(
  pool: Pool,
  steps: readonly Step[],
  { schema, begin }: { schema: string; begin: string },
): Promise<void> {
  const run = async () => {
    await pool.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await inTransaction(pool, begin, async (client) => {
      await client.query(`${likeSqlite} ${inPostgres(`${SETTINGS};${STEPS_TABLE}`).text}`);
      const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
      const found = await client.query<{ tables: number }>(
        "SELECT count(*) AS tables FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT IN ('settings', 'migrations')",
      );
      const [{ tables }] = found.rows as [{ tables: number }];
      const sql = sqlOfSteps(steps, { done: rows.map(({ name }) => name), tables });
      if (sql !== '') await client.query(inPostgres(sql).text);
    });
  };
  await run().catch((error: unknown) => {
    // Two processes that make the same schema at once: one gets a unique violation.
    if (!isBusy(error) && codeOf(error) !== '23505') throw error;
    return run();
  });
}

async function inTransaction<T>(
  pool: Pool,
  begin: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failed: Error) => {
      broken = failed;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Begins in a savepoint and ends in a new one, so that the next write has its own. */
async function writeOne(client: PoolClient, ask: Ask, one: Waiting): Promise<() => void> {
  try {
    const answer = await runOne(client, ask, one);
    await client.query('RELEASE one; SAVEPOINT one');
    return answer;
  } catch (error) {
    // A lost connection fails the whole batch.
    if (isBusy(error) || isGone(error)) throw error;
    await client.query('ROLLBACK TO one');
    return () => one.reject(error);
  }
}

async function runOne(client: PoolClient, ask: Ask, { run }: Waiting): Promise<() => void> {
  const { writer, end } = writerOf(client, ask);
  try {
    return await run(writer);
  } finally {
    end();
  }
}

type Ask = (client: PoolClient, sql: string, params: Value[]) => Promise<QueryResult>;

function readerOf(client: PoolClient, ask: Ask): Reader {
  return {
    all: async <T>(sql: string, ...params: Value[]) => (await ask(client, sql, params)).rows as T[],
    get: async <T>(sql: string, ...params: Value[]) =>
      (await ask(client, sql, params)).rows[0] as T | undefined,
  };
}

/** Refuses every call after `end`, because the transaction is over then. */
function writerOf(client: PoolClient, ask: Ask): { writer: Writer; end: () => void } {
  let isOpen = true;
  const askOpen = async (sql: string, params: Value[]) => {
    if (!isOpen) throw new Error(`The transaction is over: ${sql}`);
    return ask(client, sql, params);
  };
  const writer: Writer = {
    all: async <T>(sql: string, ...params: Value[]) => (await askOpen(sql, params)).rows as T[],
    get: async <T>(sql: string, ...params: Value[]) =>
      (await askOpen(sql, params)).rows[0] as T | undefined,
    run: async (sql, ...params) => ({ changes: (await askOpen(sql, params)).rowCount ?? 0 }),
  };
  return {
    writer,
    end() {
      isOpen = false;
    },
  };
}

/** PostgreSQL refuses a zero byte in a text, so it becomes the replacement character. */
function storable(value: Value): Value {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isBusy(error: unknown): boolean {
  return BUSY.has(codeOf(error));
}

/** Errors of the driver itself have no SQLSTATE. */
function isGone(error: unknown): boolean {
  return error instanceof DatabaseError
    ? codeOf(error).startsWith('57') || codeOf(error).startsWith('08') || codeOf(error) === '25P03'
    : codeOf(error).startsWith('E') ||
        (error instanceof Error && /[Cc]onnection|timeout/.test(error.message));
}

const INT8 = 20;
const NUMERIC = 1700;

/** Eight-byte integers become numbers, as in SQLite; ours are times, counts and ids. */
function parserOf(type: number): (text: string) => unknown {
  return type === INT8 || type === NUMERIC ? Number : (types.getTypeParser(type) as never);
}
