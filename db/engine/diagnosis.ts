/** The database's version, and a check of its file. */
import { isPostgres, type Db } from './dialect.ts';

export async function readVersion(db: Db): Promise<string> {
  if (isPostgres(db)) {
    const { rows } = (await db.raw('SHOW server_version')) as {
      rows: { server_version: string }[];
    };
    return `PostgreSQL ${rows[0]?.server_version}`;
  }
  const [row] = await db.select<{ version: string }[]>(db.raw('sqlite_version() AS version'));
  return `SQLite ${row?.version}`;
}

/** Returns null if the file is whole; PostgreSQL checks its own files. */
export async function findDamage(db: Db): Promise<string | null> {
  if (isPostgres(db)) return null;
  const rows = await db.select<{ quick_check: string }[]>('*').from(db.raw('pragma_quick_check'));
  const result = rows[0]?.quick_check ?? 'ok';
  return result === 'ok' ? null : result;
}
