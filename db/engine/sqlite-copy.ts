/**
 * Copies SQLite files while their owner goes on writing: all as of one moment, without the log.
 */
import { chmodSync, existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Between two steps other work runs; one step takes a few milliseconds. */
const pagesAStep = 250;
/** A writer holds the file for a commit only; a checkpoint may take longer. */
const waitMs = 5_000;

/**
 * Each file is read in a transaction that is opened before anything is copied: later writes are
 * not in the copies, and do not restart them. The first file is of the earliest moment.
 */
export async function copySqliteFiles(
  files: readonly { from: string; to: string }[],
): Promise<void> {
  const opened: { source: Database.Database; to: string }[] = [];
  try {
    for (const { from, to } of files) {
      const source = new Database(from, { readonly: true, fileMustExist: true, timeout: waitMs });
      opened.push({ source, to });
      source.exec('BEGIN');
      source.prepare('SELECT count(*) FROM sqlite_master').get();
    }
    for (const { source, to } of opened) {
      await source.backup(to, { progress: () => pagesAStep });
      chmodSync(to, 0o600);
    }
  } finally {
    for (const { source } of opened) source.close();
  }
}

/** The faults that SQLite finds in a file; empty: none. */
export function faultsOfSqliteFile(path: string): string[] {
  const file = new Database(path, { fileMustExist: true });
  try {
    const broken = file.pragma('integrity_check') as { integrity_check: string }[];
    const orphans = file.pragma('foreign_key_check') as { table: string }[];
    return [
      ...broken.map((row) => row.integrity_check).filter((word) => word !== 'ok'),
      ...orphans.map(({ table }) => `a row of ${table} points to nothing`),
    ].slice(0, 20);
  } finally {
    file.close();
  }
}

/** No file, or one without tables: a log beside it may still hold what was written. */
export function isFileEmpty(path: string): boolean {
  if (path === ':memory:' || !existsSync(path) || statSync(path).size === 0) return true;
  const file = new Database(path, { readonly: true, fileMustExist: true, timeout: waitMs });
  try {
    return file.prepare('SELECT count(*) FROM sqlite_master').pluck().get() === 0;
  } finally {
    file.close();
  }
}
