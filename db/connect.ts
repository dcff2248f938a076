/** Opens the database that an address names, with safe settings, and brings its schema up to date. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knexOf, { type Knex } from 'knex';
import { types } from 'pg';
import { oneAtATime } from './dialect.ts';
import { migrations } from './migrations/index.ts';
import { openSqlite } from './sqlite.ts';

/** node-postgres gives 8-byte integers as text; ours are times and counters well below 2^53. */
types.setTypeParser(types.builtins.INT8, Number);

/** `postgres://…`, or the path of a SQLite file, or ':memory:'. */
export function connect(address: string): Knex {
  if (/^postgres(ql)?:\/\//.test(address)) {
    return knexOf({ client: 'pg', connection: { connectionString: address }, pool: { min: 0, max: 10 }, acquireConnectionTimeout: 10_000 });
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
  await oneAtATime(db, async () => { await db.migrate.latest({ migrationSource }); });
}
