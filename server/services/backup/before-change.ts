/**
 * Makes a backup before a newer program changes the tables: the only way back from a failed
 * change.
 */
import { migrations } from '#db/migrations/index.ts';
import { migrationsOf } from '#db/engine/table-rows.ts';
import type { Pool } from '#db/engine/dialect.ts';
import { makeBackup } from './make.ts';
import type { BackupSettings } from '#server/services/context.ts';

/**
 * Does nothing for an empty database, or when no change is due.
 * @throws BackupFault: then the tables must not be changed
 */
export async function backupBeforeChange(
  db: Pool,
  { house, folder, seal }: BackupSettings,
  now: number,
): Promise<void> {
  const done = await migrationsOf(db);
  const isDue = Object.keys(migrations).some((name) => !done.includes(name));
  if (done.length === 0 || !isDue) return;
  await makeBackup({ house, folder, kind: 'before_change', seal, now });
}
