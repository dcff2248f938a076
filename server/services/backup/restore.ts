/**
 * Restores a house from a backup: unpacks and checks the files in a folder of their own, then
 * moves them into place.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect, isPostgresAddress } from '#db/engine/connect.ts';
import {
  countTables,
  fillPostgres,
  migrationsOf,
  withSqliteTables,
} from '#db/engine/table-rows.ts';
import { migrations } from '#db/migrations/index.ts';
import { compareColumns } from '#db/migrations/landed.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { isChartEmpty } from '#db/engine/chart-tables.ts';
import { faultOfWriting, flushFolder, type Opening } from '#server/adapters/backup-file.ts';
import { lockHouse } from '#server/adapters/house-lock.ts';
import { BackupFault } from '#server/domain/backup.ts';
import type { Gap } from '#server/domain/office/restored.ts';
import {
  asidePrefix,
  databaseFile,
  freeBytes,
  houseEntries,
  restoreMark,
  restorePart,
} from './house-files.ts';
import type { HousePlace } from '#server/services/context.ts';
import { fingerprintOf, type Manifest } from './manifest.ts';
import { readRestored } from '#server/services/kit/restored.ts';
import { noteWhatIsMissing } from './missing.ts';
import { checkUnpacked, openUnpacked, unpackBackup } from './unpack.ts';

export interface RestoreAsk {
  file: string;
  house: HousePlace;
  opening: Opening;
  /** Moves the existing house into a folder beside it; only with SQLite. */
  over: boolean;
  now: number;
  /** The id of this restore. */
  id: string;
  /** More folders to search for a list of erasures, besides the backup's own. */
  lists?: readonly string[];
  fault?: (point: string) => void;
}

export interface RestoredHouse {
  made_at: number;
  /** The time whose changes are in no copy; sales stay paused until a person has looked at it. */
  gap: Gap;
  product: string;
  tables: Record<string, number>;
  /** Names of rules that are broken in the copy. */
  broken: string[];
  /** Tables and columns of the copy that this program does not know and did not restore. */
  left_out: string[];
  /** The folder with the house that was here before; null if there was none. */
  aside: string | null;
  /**
   * How many people are erased again, because they were erased after the backup; null if there is
   * no list of erasures.
   */
  erasures: number | null;
  /** True: this call finished an earlier, interrupted restore and did not use this file. */
  finished: boolean;
}

/** A file that exists on disk while files are moved into place. */
interface Mark {
  id: string;
  gap: Gap;
  entries: string[];
  aside: string | null;
  manifest: Pick<Manifest, 'made_at' | 'product' | 'tables'>;
  broken: string[];
  left_out: string[];
  erasures: number | null;
}

/** @throws BackupFault, and then nothing has changed */
export async function restoreBackup(ask: RestoreAsk): Promise<RestoredHouse> {
  const { dataDir } = ask.house;
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw faultOfWriting(error, dataDir);
  });
  const lock = lockHouse(dataDir);
  if (lock === null) throw new BackupFault('running', dataDir);
  try {
    const begun = await readMark(dataDir);
    if (begun !== null) return { ...(await putInPlace(ask, begun)), finished: true };
    const mark = await prepare(ask);
    return { ...(await putInPlace(ask, mark)), finished: false };
  } catch (error) {
    throw faultOfWriting(error, dataDir);
  } finally {
    lock.release();
  }
}

async function readMark(dataDir: string): Promise<Mark | null> {
  const text = await readFile(join(dataDir, restoreMark), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Mark);
}

/** Everything that can fail is done here, before any file of the house changes. */
async function prepare(ask: RestoreAsk): Promise<Mark> {
  const { file, house, opening, over, now, id, lists = [], fault = () => {} } = ask;
  const { dataDir } = house;
  const isPostgres = isPostgresAddress(house.database);
  const there = await houseEntries(dataDir);
  if (there.length > 0 && !over) throw new BackupFault('not_empty', dataDir);
  if (isPostgres && !(await isEmptyDatabase(house)))
    throw new BackupFault(over ? 'postgres_over' : 'not_empty');
  await requireRoom(file, dataDir);
  const part = join(dataDir, restorePart);
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { mode: 0o700 });
  try {
    const manifest = await unpackBackup(file, { folder: part, opening });
    requireSameKey(house, manifest);
    fault('restore_unpacked');
    const { path: database, left_out } = await openUnpacked(part, manifest);
    await rm(join(part, 'tables'), { recursive: true, force: true });
    const { broken } = await checkUnpacked(database, manifest);
    if (isPostgres) left_out.push(...(await unknownTables(database)));
    const db = connect(database);
    const { made_at, product, tables } = manifest;
    const folders = [dirname(file), ...lists];
    const { gap, erasures } = await noteWhatIsMissing(db, { id, made_at, now, folders }).finally(
      () => db.destroy(),
    );
    fault('restore_prepared');
    const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
    return {
      id,
      gap,
      entries: (await readdir(part)).filter((name) => !isPostgres || name !== databaseFile),
      aside: there.length > 0 ? `${asidePrefix}${stamp}` : null,
      manifest: { made_at, product, tables },
      broken,
      left_out,
      erasures,
    };
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

/** The tables and columns of a file that a PostgreSQL database of this program does not have. */
async function unknownTables(file: string): Promise<string[]> {
  const columns = await withSqliteTables(file, async ({ tables }) =>
    Object.fromEntries(tables.map((table) => [table.name, table.columns])),
  );
  return compareColumns(Object.keys(migrations), columns).more;
}

function requireSameKey(
  { secretsKey, secretsKeysBefore }: HousePlace,
  { secrets_key }: Manifest,
): void {
  const known = [secretsKey, ...secretsKeysBefore].map(fingerprintOf);
  if (secrets_key !== null && !known.includes(secrets_key))
    throw new BackupFault('other_secrets_key');
}

/**
 * Refuses unless twice the file's size is free: for the unpacked members, and for an SQLite file
 * made from PostgreSQL's lines.
 */
async function requireRoom(file: string, dataDir: string): Promise<void> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw new BackupFault('unreadable', file, error);
  });
  if ((await freeBytes(dataDir)) < 2 * size) throw new BackupFault('no_room', dataDir);
}

async function isEmptyDatabase({
  database,
  namedStatements,
  chartInDatabase,
}: HousePlace): Promise<boolean> {
  const db = connect(database, { namedStatements });
  try {
    if (chartInDatabase && !(await isChartEmpty(db))) return false;
    if ((await migrationsOf(db)).length === 0) return true;
    return Object.values(await countTables(db)).every((rows) => rows === 0);
  } finally {
    await db.destroy();
  }
}

/**
 * Moves the files into place; may be repeated after any interruption, because the mark says where
 * each belongs.
 */
async function putInPlace(
  { house, fault = () => {} }: RestoreAsk,
  mark: Mark,
): Promise<Omit<RestoredHouse, 'finished'>> {
  const { dataDir } = house;
  const part = join(dataDir, restorePart);
  await writeFile(join(dataDir, restoreMark), JSON.stringify(mark), { mode: 0o600, flush: true });
  await flushFolder(dataDir);
  fault('restore_marked');
  if (isPostgresAddress(house.database)) await fillDatabase(house, mark, join(part, databaseFile));
  fault('restore_filled');
  const aside = mark.aside === null ? null : join(dataDir, mark.aside);
  if (aside !== null) await putAside(dataDir, aside, mark);
  fault('restore_aside');
  // The database comes last, because without it the folder has no house.
  for (const name of mark.entries.toSorted(
    (a, b) => Number(a === databaseFile) - Number(b === databaseFile),
  )) {
    if (existsSync(join(part, name))) await rename(join(part, name), join(dataDir, name));
    fault('restore_moved');
  }
  await flushFolder(dataDir);
  await rm(join(dataDir, restoreMark));
  await rm(part, { recursive: true, force: true });
  await flushFolder(dataDir);
  const { made_at, product, tables } = mark.manifest;
  const { gap, broken, left_out, erasures } = mark;
  return { made_at, gap, product, tables, broken, left_out, erasures, aside };
}

/** Moves the entries of the old house away; those that came from the backup stay. */
async function putAside(dataDir: string, aside: string, { entries }: Mark): Promise<void> {
  const part = join(dataDir, restorePart);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  for (const name of await houseEntries(dataDir)) {
    const isNew = entries.includes(name) && !existsSync(join(part, name));
    if (!isNew) await rename(join(dataDir, name), join(aside, name));
  }
}

/** Inserts all rows or none; a repeat after success changes nothing. */
async function fillDatabase(house: HousePlace, mark: Mark, file: string): Promise<void> {
  const db = connect(house.database, { namedStatements: house.namedStatements });
  try {
    const isDone = (await migrationsOf(db)).length > 0 && (await readRestored(db))?.id === mark.id;
    if (isDone) return;
    // The file has been brought up to this program's schema.
    await migrate(db);
    await withSqliteTables(file, (source) => fillPostgres(db, source, { knownOnly: true }));
  } finally {
    await db.destroy();
  }
}
