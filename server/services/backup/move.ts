/**
 * Copies a house from SQLite into an empty PostgreSQL database, then compares the row counts and
 * the rules of both.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '#db/engine/connect.ts';
import { copySqliteFiles, faultsOfSqliteFile } from '#db/engine/sqlite-copy.ts';
import {
  countSqliteFile,
  countTables,
  fillPostgres,
  migrationsOf,
  withSqliteTables,
} from '#db/engine/table-rows.ts';
import { migrateTo } from '#db/migrations/migrate.ts';
import { lockHouse } from '#server/adapters/house-lock.ts';
import { BackupFault } from '#server/domain/backup.ts';
import { databaseFile, workPrefix } from './house-files.ts';
import type { HousePlace } from '#server/services/context.ts';
import { brokenRules, differingTables } from './unpack.ts';

interface Moved {
  tables: Record<string, number>;
  /** Names of rules that are broken in both databases. */
  broken: string[];
}

/**
 * Copies the house; the SQLite file does not change.
 * @throws BackupFault running, not_empty, damaged, unlike; PostgreSQL is then empty
 */
export async function moveHouse(
  house: HousePlace,
  { to, now }: { to: string; now: number },
): Promise<Moved> {
  const lock = lockHouse(house.dataDir);
  if (lock === null) throw new BackupFault('running', house.dataDir);
  const work = await mkdtemp(join(house.dataDir, workPrefix));
  try {
    const copy = join(work, databaseFile);
    await copySqliteFiles([{ from: house.database, to: copy }]);
    const faults = faultsOfSqliteFile(copy);
    if (faults.length > 0) throw new BackupFault('damaged', faults[0]);
    return await carry(copy, { to, now, namedStatements: house.namedStatements });
  } finally {
    await rm(work, { recursive: true, force: true });
    lock.release();
  }
}

async function carry(
  copy: string,
  { to, now, namedStatements }: { to: string; now: number; namedStatements: boolean },
): Promise<Moved> {
  const here = countSqliteFile(copy);
  const source = connect(copy);
  const migrations = await migrationsOf(source).finally(() => source.destroy());
  const broken = await brokenRules(copy, now);
  const db = connect(to, { namedStatements });
  try {
    if ((await migrationsOf(db)).length > 0) throw new BackupFault('not_empty');
    await migrateTo(db, migrations);
    try {
      await withSqliteTables(copy, (tables) => fillPostgres(db, tables));
      const differing = differingTables(here, await countTables(db));
      const brokenThere = await brokenRules(to, now);
      if (differing.length > 0 || brokenThere.join() !== broken.join())
        throw new BackupFault('unlike', [...differing, ...brokenThere].join(', '));
    } catch (error) {
      // The database was empty before, so all its tables are dropped.
      await undoAll(db);
      throw error;
    }
    return { tables: here, broken };
  } finally {
    await db.destroy();
  }
}

async function undoAll(db: ReturnType<typeof connect>): Promise<void> {
  const names = [...Object.keys(await countTables(db)), 'knex_migrations', 'knex_migrations_lock'];
  for (const name of names) await db.raw('DROP TABLE IF EXISTS ?? CASCADE', [name]);
}
