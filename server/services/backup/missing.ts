/**
 * Notes what a house cannot know after it was set back to an earlier moment, by a restored backup
 * or by other means.
 */
import { connect, isPostgresAddress } from '#db/engine/connect.ts';
import { isFileEmpty } from '#db/engine/sqlite-copy.ts';
import type { Pool } from '#db/engine/dialect.ts';
import { migrationsOf } from '#db/engine/table-rows.ts';
import { transact } from '#db/engine/transact.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { putFloor, readFloor } from '#db/processes.ts';
import { skipRevisions } from '#db/seat/lost-revisions.ts';
import { lockHouse } from '#server/adapters/house-lock.ts';
import { BackupFault } from '#server/domain/backup.ts';
import { mostLost } from '#server/domain/door/lost-revisions.ts';
import type { Gap } from '#server/domain/office/restored.ts';
import { isOlder } from '#server/domain/office/version.ts';
import type { HousePlace } from '#server/services/context.ts';
import { noteRestored } from '#server/services/kit/restored.ts';
import { product } from '#server/services/kit/version.ts';
import { readMarks } from '#server/services/person/marks.ts';
import { noteRestore, restoresSince } from './restores.ts';

interface BroughtBack {
  house: HousePlace;
  /** Epoch milliseconds: what was stored later is gone. */
  at: number;
  now: number;
  id: string;
  /** Folders to search for lists of erasures and of restores. */
  lists: readonly string[];
}

/**
 * Notes that the house was put back to an earlier moment by other means, such as the archive of
 * PostgreSQL or a snapshot of the disk. @throws BackupFault running, no_house
 */
export async function noteBroughtBack({
  house,
  at,
  now,
  id,
  lists,
}: BroughtBack): Promise<{ gap: Gap; erasures: number | null }> {
  const isMissing = !isPostgresAddress(house.database) && isFileEmpty(house.database);
  if (isMissing) throw new BackupFault('no_house');
  const lock = lockHouse(house.dataDir);
  if (lock === null) throw new BackupFault('running', house.dataDir);
  const db = connect(house.database, { namedStatements: house.namedStatements });
  try {
    if ((await migrationsOf(db)).length === 0) throw new BackupFault('no_house');
    await migrate(db);
    return await noteWhatIsMissing(db, { id, made_at: at, now, folders: lists });
  } finally {
    await db.destroy();
    lock.release();
  }
}

interface Missing {
  id: string;
  made_at: number;
  now: number;
  folders: readonly string[];
}

/** Begins the pause of the sale, skips the revisions that may be out, repeats erasures. */
export async function noteWhatIsMissing(db: Pool, { id, made_at, now, folders }: Missing) {
  const times = { copied_at: made_at, restored_at: now, recovered_at: null };
  const gap = await noteRestored(db, { id, ...times });
  await skipWhatIsOut(db, { folders, made_at, now });
  return { gap, erasures: await readMarks(db, folders) };
}

/**
 * Lets no place issue a code that the lost house, or one restored from this copy before, may have
 * issued (RULES B3).
 */
async function skipWhatIsOut(
  db: Pool,
  { folders, made_at, now }: { folders: readonly string[]; made_at: number; now: number },
): Promise<void> {
  const count = mostLost * (1 + (await restoresSince(folders, made_at)));
  await transact(db, async (trx) => {
    const floor = await readFloor(trx);
    // An older program would issue those codes.
    if (floor === null || isOlder(floor, product.version))
      await putFloor(trx, product.version, () => undefined);
    await skipRevisions(trx, count);
  });
  await noteRestore(folders, now);
}
