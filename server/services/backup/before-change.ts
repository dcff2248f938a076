/**
 * Before a newer program changes the tables of a house, a backup is made: the only way back from
 * a change that went wrong.
 */
import { migrations } from '#db/migrations/index.ts';
import { migrationsOf } from '#db/engine/table-rows.ts';
import type { Pool } from '#db/engine/dialect.ts';
import { makeBackup } from './make.ts';
import type { BackupSettings } from '#server/services/context.ts';

/**
 * Nothing where there is nothing to change, or nothing to lose.
 * @throws BackupFault: then nothing may be changed
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
