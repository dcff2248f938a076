/** Opens the database that an address names, with safe settings, and brings its schema up to date. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Knex } from 'knex';
import { oneAtATime } from './dialect.ts';
import { migrations } from '#db/migrations/index.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

export function isPostgresAddress(address: string): boolean {
  return /^postgres(ql)?:\/\//.test(address);
}

/** `postgres://…`, or the path of a SQLite file, or ':memory:'. */
export function connect(address: string, options: PostgresOptions = {}): Knex {
  if (isPostgresAddress(address)) return openPostgres(address, options);
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
    // While an upgrade goes on, or is taken back, the code before works on a schema that knows more than it (db/README.md).
    await db.migrate.latest({ migrationSource, disableMigrationsListValidation: true });
  });
}
