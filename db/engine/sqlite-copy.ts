/** Copies SQLite files as of one moment, without their logs, while others write to them. */
import { chmodSync, existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';

/** The pages copied in one step of some milliseconds; other work runs between two steps. */
const pagesAStep = 250;
/** A writer holds the file only during a commit; a checkpoint may take longer. */
const waitMs = 5_000;

/**
 * Opens a read transaction on each file before anything is copied, so that later writes neither
 * appear in the copies nor restart them. The first file is copied as of the earliest moment.
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

/** The file is missing or has no tables; a log beside it may still hold the data. */
export function isFileEmpty(path: string): boolean {
  if (path === ':memory:' || !existsSync(path) || statSync(path).size === 0) return true;
  const file = new Database(path, { readonly: true, fileMustExist: true, timeout: waitMs });
  try {
    return file.prepare('SELECT count(*) FROM sqlite_master').pluck().get() === 0;
  } finally {
    file.close();
  }
}
