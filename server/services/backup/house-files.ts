/**
 * Tells which files of the data folder are ours: databases, keys, and the work folders of backups.
 */
import { glob, readdir, stat, statfs } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Member } from '#server/adapters/backup-file.ts';

export const databaseFile = 'botteghino.sqlite';
export const standinsFile = 'standins.sqlite';
/** The backup folder if none is configured. */
export const ownBackupFolder = 'copie';
/** The beginning of the names of our work folders; a killed process may leave one behind. */
export const workPrefix = 'lavoro-copia-';
export const restorePart = 'ripristino-in-corso';
export const restoreMark = 'ripristino.json';
export const asidePrefix = 'prima-del-';

/** The key that signs the books; with PostgreSQL it is in the database. */
export const bookKeyFile = 'book-key';
export const certificateFolder = 'https';

/** True for databases with SQLite's side files, keys and certificates. */
function isHouse(name: string): boolean {
  return (
    /\.sqlite(?:-wal|-shm|-journal)?$/.test(name) || [bookKeyFile, certificateFolder].includes(name)
  );
}

/** True for all that the program makes in the folder; other files there are not ours. */
export function isOurs(name: string): boolean {
  return (
    isHouse(name) ||
    name.startsWith('house.lock') ||
    [ownBackupFolder, restorePart, restoreMark].includes(name) ||
    name.startsWith(workPrefix) ||
    name.startsWith(asidePrefix)
  );
}

/** Keys and certificates, with their paths inside the folder. */
export async function plainFiles(dataDir: string): Promise<Member[]> {
  const found: Member[] = [];
  const patterns = [bookKeyFile, `${certificateFolder}/*`];
  for await (const entry of glob(patterns, { cwd: dataDir, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.push({ name: relative(dataDir, path), path, size: (await stat(path)).size });
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The entries of a house. If there are none, a new house may be made in the folder. */
export async function houseEntries(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => [] as string[]);
  return names.filter(isHouse);
}

/** The file's size in bytes; 0 if there is no such file. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
