/**
 * The mark of an SQLite file whose house has moved to PostgreSQL: what was sold since is not in
 * it, so no start and no command uses it until a person takes the mark away.
 */
import * as v from 'valibot';
import { connect, isPostgresAddress } from '#db/engine/connect.ts';
import { isFileEmpty } from '#db/engine/sqlite-copy.ts';
import { dropSetting, putSetting, readSetting } from '#db/settings.ts';
import { BackupFault } from '#server/domain/backup.ts';
import { formatListDate } from '#server/domain/time/dates.ts';

const settingName = 'moved_to';
const mark = v.pipe(v.string(), v.parseJson(), v.object({ to: v.string(), at: v.number() }));

async function withFile<T>(database: string, use: (db: ReturnType<typeof connect>) => Promise<T>) {
  const db = connect(database);
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/** Stores where the house went: host and database, no user and no password. */
export async function markMoved(
  database: string,
  { to, now }: { to: string; now: number },
): Promise<void> {
  const { host, pathname } = new URL(to);
  const value = JSON.stringify({ to: `${host}${pathname}`, at: now });
  await withFile(database, (db) => putSetting(db, settingName, value));
}

/** Takes the mark away. */
export async function unmarkMoved(database: string): Promise<void> {
  await withFile(database, (db) => dropSetting(db, settingName));
}

/** A sentence with what to do, if the house has moved away from this file; else null. */
export async function tellMoved(database: string): Promise<string | null> {
  if (isPostgresAddress(database) || isFileEmpty(database)) return null;
  const stored = await withFile(database, async (db) =>
    (await db.schema.hasTable('settings')) ? readSetting(db, settingName) : null,
  );
  const moved = v.safeParse(mark, stored);
  if (!moved.success) return null;
  const { to, at } = moved.output;
  return `Da ${formatListDate(at)} questo botteghino è su PostgreSQL (${to}) e il file ${database} è rimasto com’era: indica quell’indirizzo in DATABASE_URL, o per tornare apposta al file, senza quello che è stato venduto dopo, dai npm run admin -- move-to --back.`;
}

/** @throws BackupFault moved */
export async function requireNotMoved(database: string): Promise<void> {
  const sentence = await tellMoved(database);
  if (sentence !== null) throw new BackupFault('moved', sentence);
}
