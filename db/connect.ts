/** Opens the database that an address names, with safe settings, and brings its schema up to date. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knexOf, { type Knex } from 'knex';
// @ts-expect-error -- the dialect's class has no types of its own; it is the Client that Knex does describe
import BasePostgresClient from 'knex/lib/dialects/postgres/index.js';
import { types } from 'pg';
import { oneAtATime } from './dialect.ts';
import { migrations } from './migrations/index.ts';
import { openSqlite } from './sqlite.ts';

/** node-postgres gives 8-byte integers as text; ours are times and counters well below 2^53. */
types.setTypeParser(types.builtins.INT8, Number);

interface Asked {
  sql: string;
  bindings?: unknown[];
  options?: { isSpelled?: boolean; name?: string };
}

/** So many statement texts are kept prepared on a connection; others are parsed each time. */
const mostNames = 200;
const names = new Map<string, string>();

/**
 * Statements that write, and those of the busiest readings that name their columns, are prepared once per connection: PostgreSQL
 * need not parse and plan a booking each time. A prepared `select *` would fail once a newer program has added a column.
 */
class PostgresClient extends (BasePostgresClient as typeof knexOf.Client) {
  override query(connection: unknown, asked: string | Asked): unknown {
    if (typeof asked !== 'string' && asked.bindings?.length && isWorthPreparing(asked)) {
      const name = names.get(asked.sql) ?? `s${names.size}`;
      names.set(asked.sql, name);
      asked.options = { ...asked.options, name };
    }
    return super.query(connection, asked);
  }
}

/** Not the long ones: a list of four hundred rows comes in this length only once. */
function isWorthPreparing({ sql, options }: Asked): boolean {
  if (sql.length >= 8_000 || (names.size >= mostNames && !names.has(sql))) return false;
  return options?.isSpelled && /^select /i.test(sql)
    ? !sql.includes('*')
    : /^(?:insert|update|delete|with (?:w0|moved))\b/i.test(sql) && !/returning \*/i.test(sql);
}

/** `postgres://…`, or the path of a SQLite file, or ':memory:'. */
export function connect(address: string): Knex {
  if (/^postgres(ql)?:\/\//.test(address)) {
    return knexOf({
      client: PostgresClient,
      connection: { connectionString: address },
      pool: { min: 0, max: 10 },
      acquireConnectionTimeout: 10_000,
    });
  }
  if (address !== ':memory:') mkdirSync(dirname(address), { recursive: true });
  return openSqlite(address);
}

/** Knex takes the list itself: no directory scan, and the order is visible. */
export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => migrations[name as keyof typeof migrations],
};

/** Two processes that start together: the second waits for the first, and finds nothing left to do. */
export async function migrate(db: Knex): Promise<void> {
  await oneAtATime(db, async () => {
    await db.migrate.latest({ migrationSource });
  });
}
