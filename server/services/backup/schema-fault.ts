/**
 * Compares the tables of a house, and of the stand-ins that belong to it, with those that their
 * migrations made.
 */
import { join } from 'node:path';
import { isFileEmpty } from '#db/engine/sqlite-copy.ts';
import type { Db } from '#db/engine/dialect.ts';
import { faultOfChart, faultOfDatabase, faultOfFile } from '#db/migrations/landed.ts';
import type { SchemaFault } from '#server/domain/backup.ts';
import { memo } from '#server/services/kit/memo.ts';
import type { Ctx, HousePlace } from '#server/services/context.ts';
import { databaseFile, standinsFile } from './house-files.ts';

interface SchemaAsk extends Pick<HousePlace, 'dataDir' | 'chartInDatabase'> {
  /** The path of a SQLite file that is not open yet. */
  db: Db | string;
  /** True: a stand-ins' store in the folder belongs to this house. */
  ownsStandins: boolean;
}

/** Reads only. An empty database has no fault. */
export async function findSchemaFault(ask: SchemaAsk): Promise<SchemaFault | null> {
  const fault = await faultOfTables(ask);
  return fault ?? (ask.ownsStandins ? faultOfStandins(ask.dataDir) : null);
}

/** Of the house, and of a seat map in the same database. */
export async function faultOfTables({
  db,
  chartInDatabase,
  ownsStandins,
}: Omit<SchemaAsk, 'dataDir'>): Promise<SchemaFault | null> {
  if (typeof db === 'string') return isFileEmpty(db) ? null : faultOfFile(db, 'house');
  const fault = await faultOfDatabase(db);
  return fault ?? (ownsStandins && chartInDatabase ? faultOfChart(db) : null);
}

export async function faultOfStandins(dataDir: string): Promise<SchemaFault | null> {
  const path = join(dataDir, standinsFile);
  return isFileEmpty(path) ? null : faultOfFile(path, 'standins');
}

/** The fault of a copy that is unpacked in this folder. */
export async function faultOfCopy(folder: string): Promise<SchemaFault | null> {
  const db = join(folder, databaseFile);
  return findSchemaFault({ db, dataDir: folder, chartInDatabase: false, ownsStandins: true });
}

/** The tables change seldom, and reading them costs milliseconds. */
const lastFault = memo<SchemaFault | null>({ freshMs: 10_000 });

/** The fault of the house that is open. */
export async function schemaFaultOf(ctx: Ctx): Promise<SchemaFault | null> {
  const { dataDir, chartInDatabase } = ctx.backups.house;
  const ownsStandins = ctx.settings.keys.some(({ mode }) => mode === 'stand_in');
  return lastFault.get(ctx.memory, {
    now: ctx.now,
    ask: () => findSchemaFault({ db: ctx.db, dataDir, chartInDatabase, ownsStandins }),
  });
}
