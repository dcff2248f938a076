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
import { migrate } from '#db/migrations/migrate.ts';
import { lockHouse } from '#server/adapters/house-lock.ts';
import { BackupFault, refuseSchema } from '#server/domain/backup.ts';
import { faultOfCopy } from './schema-fault.ts';
import { databaseFile, workPrefix } from './house-files.ts';
import { markMoved, requireNotMoved } from './moved.ts';
import type { HousePlace } from '#server/services/context.ts';
import { bringUp, brokenRules, differingTables } from './unpack.ts';

interface Moved {
  tables: Record<string, number>;
  /** Names of rules that are broken in both databases. */
  broken: string[];
}

/**
 * Copies the house, then marks the SQLite file as left behind.
 * @throws BackupFault running, moved, not_empty, damaged, trial, other_tables, unlike; PostgreSQL
 * is then empty
 */
export async function moveHouse(
  house: HousePlace,
  { to, now }: { to: string; now: number },
): Promise<Moved> {
  const lock = lockHouse(house.dataDir);
  if (lock === null) throw new BackupFault('running', house.dataDir);
  const work = await mkdtemp(join(house.dataDir, workPrefix));
  try {
    await requireNotMoved(house.database);
    const copy = join(work, databaseFile);
    await copySqliteFiles([{ from: house.database, to: copy }]);
    const faults = faultsOfSqliteFile(copy);
    if (faults.length > 0) throw new BackupFault('damaged', faults[0]);
    const fault = await faultOfCopy(work);
    if (fault !== null) throw refuseSchema(fault);
    await bringUp(copy);
    const moved = await carry(copy, { to, now, namedStatements: house.namedStatements });
    await markMoved(house.database, { to, now });
    return moved;
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
  const broken = await brokenRules(copy, now);
  const db = connect(to, { namedStatements });
  try {
    if ((await migrationsOf(db)).length > 0) throw new BackupFault('not_empty');
    await migrate(db);
    try {
      await withSqliteTables(copy, (tables) => fillPostgres(db, tables)).catch((error: Error) => {
        throw new BackupFault('unlike', error.message, error);
      });
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
