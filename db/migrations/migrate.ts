/** Brings a schema up to date or to a backup's version, and checks whether it is current. */
import type { Knex } from 'knex';
import { oneAtATime, type Db } from '#db/engine/dialect.ts';
import { migrations } from './index.ts';

/** The list is given to Knex, so that it scans no directory and the order is visible. */
export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: (name) => migrations[name as keyof typeof migrations](),
};

/**
 * Of two processes that start together, the second waits for the first and finds nothing left to
 * do.
 */
export async function migrate(db: Knex): Promise<void> {
  await oneAtATime(db, async () => {
    // Older code may run on a newer schema, in an upgrade or after a step back (db/README.md).
    await db.migrate.latest({ migrationSource, disableMigrationsListValidation: true });
  });
}

/**
 * Brings an empty database to the schema of a backup and no further; names that a newer program
 * has added are left out.
 */
export async function migrateTo(db: Knex, names: readonly string[]): Promise<void> {
  await db.migrate.latest({
    migrationSource: {
      getMigrations: async () => names.filter((name) => name in migrations),
      getMigrationName: (name: string) => name,
      getMigration: (name: string) => migrationSource.getMigration(name),
    } satisfies Knex.MigrationSource<string>,
  });
}

/** False when another version of this program has changed the schema in the meantime. */
export async function isMigrated(db: Db): Promise<boolean> {
  const newest = Object.keys(migrations).at(-1) ?? '';
  const row = await db('knex_migrations').where({ name: newest }).first('name');
  return row !== undefined;
}
