/**
 * Checks before the database is opened that the folder has a whole house or none: no start may
 * create a new house beside the remains of an old one.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { connect, isPostgresAddress } from '#db/engine/connect.ts';
import { isFileEmpty } from '#db/engine/sqlite-copy.ts';
import { migrationsOf } from '#db/engine/table-rows.ts';
import { BackupFault, readBackupName, refuseSchema } from '#server/domain/backup.ts';
import { houseEntries, restoreMark, restorePart, standinsFile } from './house-files.ts';
import { faultOfStandins, faultOfTables } from './schema-fault.ts';
import type { HousePlace } from '#server/services/context.ts';

interface WholeHouseAsk extends HousePlace {
  /** BACKUP_FOLDER, or the default folder inside the house. */
  backupFolder: string;
  /** BOTTEGHINO_NEW=1: a new house may be made. */
  startsAnew: boolean;
  /** True: a stand-ins' store in the folder belongs to this house. */
  ownsStandins: boolean;
}

/** A sentence that says what is wrong and what to do; null if all is well. */
export async function faultOfHouse(ask: WholeHouseAsk): Promise<string | null> {
  const { dataDir } = ask;
  if (existsSync(join(dataDir, restorePart)) || existsSync(join(dataDir, restoreMark)))
    return `In ${dataDir} un ripristino è rimasto a metà: ripeti npm run admin -- restore FILE, che lo porta a termine.`;
  const { isEmpty, fault } = await lookAtTables(ask);
  if (fault !== null) return refuseSchema(fault).message;
  if (isEmpty && !ask.startsAnew) return faultOfRemains(ask);
  // An unreadable file is reported when the stand-ins open it.
  const beside = ask.ownsStandins ? await faultOfStandins(dataDir).catch(() => null) : null;
  return beside === null ? null : refuseSchema(beside).message;
}

/** An empty database makes a new house, unless there are remains of an old one. */
async function faultOfRemains(ask: WholeHouseAsk): Promise<string | null> {
  const { database } = ask;
  const left = await remainsOf(ask);
  if (left.length === 0) return null;
  const what = isPostgresAddress(database)
    ? 'Il database indicato in DATABASE_URL è vuoto'
    : `Il database ${database} manca o è vuoto`;
  return `${what}, ma qui ci sono già i file di un botteghino (${left.join(', ')}). Per riaverlo: npm run admin -- restore FILE. Per cominciarne davvero uno nuovo: BOTTEGHINO_NEW=1.`;
}

async function lookAtTables(ask: WholeHouseAsk) {
  const { database, namedStatements } = ask;
  if (!isPostgresAddress(database))
    return {
      isEmpty: isFileEmpty(database),
      fault: await faultOfTables({ ...ask, db: database }),
    };
  const db = connect(database, { namedStatements });
  try {
    return {
      isEmpty: (await migrationsOf(db)).length === 0,
      fault: await faultOfTables({ ...ask, db }),
    };
  } finally {
    await db.destroy();
  }
}

/** @throws BackupFault if the folder cannot be read, which is no fault of the database */
function namesIn(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : [];
  } catch (error) {
    throw new BackupFault('no_folder', folder, error);
  }
}

/** The files that show that there was a house here. */
async function remainsOf({ dataDir, database, backupFolder, ownsStandins }: WholeHouseAsk) {
  const entries = (await houseEntries(dataDir)).filter((name) => join(dataDir, name) !== database);
  const files = entries.filter((name) => ownsStandins || !name.startsWith(standinsFile));
  const copies = namesIn(backupFolder).filter((name) => readBackupName(name) !== null);
  return [...files, ...(copies.length > 0 ? [`copie in ${backupFolder}`] : [])];
}
