/**
 * PostgreSQL behind Knex. Frequent statements are prepared under a name made from their text, and
 * a statement that a deadlock undid runs again.
 */
import { hash } from 'node:crypto';
import knexOf, { type Knex } from 'knex';
import { types, type Client, type QueryConfig, type QueryResult } from 'pg';
import { breakOffWhenSilent, type Query } from './deadline.ts';
import { retrying } from './retrying.ts';

/** node-postgres returns 8-byte integers as text; our times and counters are far below 2^53. */
types.setTypeParser(types.builtins.INT8, Number);

export interface PostgresOptions {
  /** False behind a pooler that hands a connection to another client after each transaction. */
  namedStatements?: boolean;
}

export function openPostgres(
  address: string,
  { namedStatements = true }: PostgresOptions = {},
): Knex {
  const nameOf = namedStatements ? nameBusyTexts() : () => undefined;
  return knexOf({
    client: 'pg',
    connection: {
      connectionString: address,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Limits that the server enforces: they end statements that no caller waits for any more,
      // and transactions of a dead process, whose locks would block others. A pooler refuses
      // these settings.
      ...(namedStatements
        ? { statement_timeout: 120_000, idle_in_transaction_session_timeout: 60_000 }
        : {}),
    },
    pool: {
      min: 0,
      max: 10,
      afterCreate(connection: Connection, done: (error: null, connection: Connection) => void) {
        improveQueries(connection, nameOf);
        done(null, connection);
      },
    },
    acquireConnectionTimeout: 5_000,
    log: { warn: nothing, error: nothing, debug: nothing, deprecate: nothing },
  });
}

type Callback = (error: Error | null, result?: QueryResult) => void;
interface Connection extends Pick<Client, 'getTransactionStatus' | 'connection'> {
  query: Query;
}
/** The caller receives every error; Knex would also print it, with a stack. */
function nothing(): void {}

type NameOf = (text: string) => string | undefined;

/** Knex calls a connection with a statement and a callback; other calls pass unchanged. */
function improveQueries(connection: Connection, nameOf: NameOf): void {
  const query = breakOffWhenSilent(connection, connection.query.bind(connection) as Query);
  connection.query = (asked, callback) => {
    if (typeof asked === 'string' || callback === undefined || 'submit' in asked)
      return query(asked, callback);
    const name = nameOf(asked.text);
    const statement = name === undefined ? asked : { ...asked, name };
    // Inside a transaction, transact() must repeat all of it.
    if (connection.getTransactionStatus() !== 'I')
      return query(statement, (error, result) =>
        callback(error ?? undoneBy(asked, result), result),
      );
    const run = () =>
      new Promise<QueryResult>((resolve, reject) => {
        query(statement, (error, result) => (error || !result ? reject(error) : resolve(result)));
      });
    return void answer(run, callback);
  };
}

/** After a failed statement PostgreSQL answers the COMMIT with ROLLBACK, and reports no error. */
function undoneBy({ text }: QueryConfig, result: QueryResult | undefined): Error | null {
  return text.startsWith('COMMIT') && result?.command === 'ROLLBACK'
    ? new Error('the transaction was undone: a statement had failed in it')
    : null;
}

async function answer(run: () => Promise<QueryResult>, callback: Callback): Promise<void> {
  let result: QueryResult;
  try {
    result = await retrying(run);
  } catch (error) {
    callback(error as Error);
    return;
  }
  callback(null, result);
}

/** The most statements that a connection keeps prepared; others are parsed each time. */
const mostNames = 200;
/**
 * A text is prepared after it has come this often; texts with lists vary in length and are never
 * prepared.
 */
const oftenEnough = 5;
const mostCounted = 2_000;

/**
 * A digest of the text, so that a name means the same statement for all processes that share a
 * connection.
 */
function nameBusyTexts(): NameOf {
  const names = new Map<string, string>();
  const times = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size === mostNames || !isWorthPreparing(text)) return known;
    const seen = (times.get(text) ?? 0) + 1;
    if (seen < oftenEnough) {
      if (times.size === mostCounted) times.clear();
      times.set(text, seen);
      return undefined;
    }
    times.delete(text);
    const name = `s_${hash('sha256', text, 'base64url')}`;
    names.set(text, name);
    return name;
  };
}

/**
 * A prepared statement that returns all columns would fail after a newer version of the program
 * has added one.
 */
function isWorthPreparing(text: string): boolean {
  return (
    text.length < 8_000 &&
    /^(?:select|insert|update|delete|with)\b/i.test(text) &&
    !/^select .*\*|returning \*/is.test(text)
  );
}
