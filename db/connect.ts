/** Opens the database that an address names, with safe settings, and brings its schema up to date. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knexOf, { type Knex } from 'knex';
import { types } from 'pg';
import { oneAtATime } from './dialect.ts';
import { migrations } from './migrations/index.ts';

/** node-postgres gives 8-byte integers as text; ours are times and counters well below 2^53. */
types.setTypeParser(types.builtins.INT8, Number);

/**
 * `postgres://…` or the path of a SQLite file, or ':memory:'. SQLite: one connection (one writer, and a query on the outer
 * connection inside a transaction would wait for ever); the busy timeout is short, because the driver blocks the whole
 * process while it waits and Knex ignores the driver's own option.
 */
export function connect(address: string): Knex {
  if (/^postgres(ql)?:\/\//.test(address)) {
    return knexOf({ client: 'pg', connection: { connectionString: address }, pool: { min: 0, max: 10 }, acquireConnectionTimeout: 10_000 });
  }
  if (address !== ':memory:') mkdirSync(dirname(address), { recursive: true });
  return knexOf({
    client: 'better-sqlite3',
    connection: { filename: address },
    useNullAsDefault: true,
    acquireConnectionTimeout: 10_000,
    pool: {
      min: 1,
      max: 1,
      idleTimeoutMillis: 2 ** 31 - 1,
      afterCreate(connection: { pragma: (text: string) => unknown }, done: (error: Error | null, connection: unknown) => void) {
        connection.pragma('journal_mode = WAL');
        connection.pragma('synchronous = FULL');
        connection.pragma('foreign_keys = ON');
        connection.pragma('busy_timeout = 50');
        done(null, connection);
      },
    },
  });
}

/** Knex takes the list itself: no directory scan, and the order is visible. */
export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => migrations[name as keyof typeof migrations],
};

/** Two processes that start together: the second waits for the first, and finds nothing left to do. */
export async function migrate(db: Knex): Promise<void> {
  await oneAtATime(db, async () => { await db.migrate.latest({ migrationSource }); });
}
