/**
 * Makes a backup before a newer program changes the tables, because it is the only way back if
 * the change fails.
 */
import { migrations } from '#db/migrations/index.ts';
import { migrationsOf } from '#db/engine/table-rows.ts';
import type { Pool } from '#db/engine/dialect.ts';
import { makeBackup } from './make.ts';
import type { BackupSettings } from '#server/services/context.ts';

/**
 * Does nothing for an empty database, or if no change is due.
 * @throws BackupFault; the tables must then stay unchanged
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
