/**
 * Part of the booking bench: the tables and indexes whose pages a booking writes to the
 * write-ahead log.
 */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Before each page stands its frame's head: the page's number, then what tells whether it ends a transaction. */
const headBytes = 24;

/** How many pages of each table and index were written to the file's log between two of its sizes. */
export function pagesWritten(file: string, from: number, to: number): Map<string, number> {
  const db = new Database(file, { readonly: true });
  const owners = new Map(
    db
      .prepare<[], { pageno: number; name: string }>('SELECT pageno, name FROM dbstat')
      .all()
      .map(({ pageno, name }) => [pageno, name]),
  );
  db.close();
  const log = readFileSync(`${file}-wal`);
  const frameBytes = headBytes + log.readUInt32BE(8);
  const written = new Map<string, number>();
  for (let at = from; at < to; at += frameBytes) {
    const name = owners.get(log.readUInt32BE(at)) ?? 'free';
    written.set(name, (written.get(name) ?? 0) + 1);
  }
  return written;
}
