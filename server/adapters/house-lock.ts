/** Lets only one process use a house's files, by a lock that ends when the process dies. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

export interface HouseLock {
  release: () => void;
}

/** An empty file that exists only to be locked; backups leave it out. */
const lockFile = 'house.lock';

/**
 * Null if another process has the folder.
 * @throws the system's or SQLite's error if the file cannot be made
 */
export function lockHouse(folder: string): HouseLock | null {
  const file = join(folder, lockFile);
  const held = new Database(file, { timeout: 0 });
  try {
    chmodSync(file, 0o600);
    held.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    held.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
  return {
    release() {
      held.close();
    },
  };
}
