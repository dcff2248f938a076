/** Tells which files of the data folder are a house's: databases, the stand-ins' store, keys. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
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

/** True for SQLite's own files, the lock file, and what backup and restore create. */
function isBeside(name: string): boolean {
  return (
    /\.sqlite(?:-wal|-shm|-journal)?$/.test(name) ||
    name.startsWith('house.lock') ||
    [ownBackupFolder, restorePart, restoreMark].includes(name) ||
    name.startsWith(workPrefix) ||
    name.startsWith(asidePrefix) ||
    name.startsWith('.')
  );
}

/**
 * Keys and certificates: all files except databases, with their paths inside the folder.
 * `besides`: folders with backups, which are left out.
 */
export async function plainFiles(dataDir: string, besides: readonly string[]): Promise<Member[]> {
  const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const found: Member[] = [];
  for (const entry of names) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(dataDir.length + 1);
    const isIn = besides.some((folder) => path.startsWith(`${folder}/`));
    if (!entry.isFile() || isIn || isBeside(name.replace(/\/.*/s, ''))) continue;
    found.push({ name, path, size: (await stat(path)).size });
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The entries that belong to a house, with SQLite's side files. If there are none, a new house
 * may be made in the folder.
 */
export async function houseEntries(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => [] as string[]);
  return names.filter((name) => /\.sqlite(?:-wal|-shm|-journal)?$/.test(name) || !isBeside(name));
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
