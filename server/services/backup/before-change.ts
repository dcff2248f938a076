/**
 * Makes a backup before a newer program changes the tables, because it is the only way back if
 * the change fails.
 */
import { join } from 'node:path';
import { isFileEmpty } from '#db/engine/sqlite-copy.ts';
import { migrations } from '#db/migrations/index.ts';
import { areStepsDue } from '#db/migrations/landed.ts';
import { migrationsOf } from '#db/engine/table-rows.ts';
import type { Pool } from '#db/engine/dialect.ts';
import { standinsFile } from './house-files.ts';
import { makeBackup } from './make.ts';
import type { BackupSettings } from '#server/services/context.ts';

/** Which stores of the stand-ins this start opens and migrates. */
interface Opened {
  now: number;
  ownsStandins: boolean;
  ownsSeatMap: boolean;
}

/**
 * Does nothing for an empty database, or if no change is due.
 * @throws BackupFault; the tables must then stay unchanged
 */
export async function backupBeforeChange(
  db: Pool,
  { house, folder, seal }: BackupSettings,
  { now, ownsStandins, ownsSeatMap }: Opened,
): Promise<void> {
  const done = await migrationsOf(db);
  if (done.length === 0) return;
  const file = join(house.dataDir, standinsFile);
  const isDue =
    Object.keys(migrations).some((name) => !done.includes(name)) ||
    (ownsStandins && !isFileEmpty(file) && (await areStepsDue({ file }))) ||
    (ownsSeatMap && house.chartInDatabase && (await areStepsDue({ db })));
  if (isDue) await makeBackup({ house, folder, kind: 'before_change', seal, now });
}
