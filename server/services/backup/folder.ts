/**
 * The folder of the backups: whether the next one can be written there, and whether it lies on
 * another disk than the house.
 */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isPostgresAddress } from '#db/engine/connect.ts';
import { faultOfWriting } from '#server/adapters/backup-file.ts';
import { BackupFault } from '#server/domain/backup.ts';
import type { BackupSettings, HousePlace } from '#server/services/context.ts';
import { freeBytes, sizeOf, standinsFile } from './house-files.ts';

/** Room for the manifest and for data that is written during the backup. */
const spareBytes = 20_000_000;

/**
 * Checks the room first, so that no backup fills the disk during a sale. The copies need it in
 * the data folder, the packed file in `folder`. @throws BackupFault no_room
 */
export async function requireRoom(
  { dataDir, database }: HousePlace,
  folder: string,
): Promise<void> {
  const own = await sizeOf(join(dataDir, standinsFile));
  const needed = own + (isPostgresAddress(database) ? 0 : await sizeOf(database)) + spareBytes;
  for (const where of [dataDir, folder])
    if ((await freeBytes(where)) < needed) throw new BackupFault('no_room', where);
}

/** What stops the next backup: its folder is full, missing or not writable. Writes nothing. */
export async function faultOfFolder({
  house,
  folder,
}: Pick<BackupSettings, 'house' | 'folder'>): Promise<BackupFault | null> {
  try {
    const place = await existing(folder);
    await access(place, constants.W_OK);
    await requireRoom(house, place);
    return null;
  } catch (error) {
    const fault = faultOfWriting(error, folder);
    return fault instanceof BackupFault ? fault : new BackupFault('no_folder', folder, error);
  }
}

/** True if the backups are on the disk of the house, so that both are lost together. */
export async function isBesideHouse({
  house,
  folder,
}: Pick<BackupSettings, 'house' | 'folder'>): Promise<boolean> {
  const [mine, theirs] = await Promise.all([stat(house.dataDir), existing(folder).then(stat)]);
  return mine.dev === theirs.dev;
}

/** The folder, or the one in which the first backup makes it. @throws BackupFault no_folder */
async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT' && folder !== dirname(folder)) return null;
    throw error;
  });
  if (found === null) return existing(dirname(folder));
  if (found.isDirectory()) return folder;
  throw new BackupFault('no_folder', folder);
}
