/**
 * Verifies a backup by a restore into a folder of its own: unpacks it, opens it, counts the rows,
 * and checks the rules.
 */
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '#db/engine/connect.ts';
import { readSetting } from '#db/settings.ts';
import { faultOfWriting, type Opening } from '#server/adapters/backup-file.ts';
import { workPrefix } from './house-files.ts';
import { checkUnpacked, openUnpacked, unpackBackup } from './unpack.ts';

export interface VerifiedBackup {
  path: string;
  size: number;
  /** Epoch milliseconds; the backup contains nothing that was written later. */
  made_at: number;
  database: 'sqlite' | 'postgres';
  product: string;
  sealed: boolean;
  /** The id of the house that was copied; null: it had sold nothing yet. */
  house: string | null;
  tables: Record<string, number>;
  /** Names of rules that are broken in the copy; then the house itself broke them. */
  broken: string[];
}

/** `scratch`: a folder of the house, on a disk with enough room. @throws BackupFault */
export async function verifyBackup(
  path: string,
  { scratch, opening }: { scratch: string; opening: Opening },
): Promise<VerifiedBackup> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(scratch, workPrefix)).catch((error: unknown) => {
    throw faultOfWriting(error, scratch);
  });
  try {
    const manifest = await unpackBackup(path, { folder, opening });
    const opened = await openUnpacked(folder, manifest);
    const { broken } = await checkUnpacked(opened.path, manifest);
    const { size } = await stat(path);
    const { made_at, product, tables } = manifest;
    const sealed = path.endsWith('.age');
    const house = await houseIn(opened.path);
    const { database } = manifest;
    return { path, size, made_at, database, product, sealed, house, tables, broken };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function houseIn(file: string): Promise<string | null> {
  const db = connect(file);
  return readSetting(db, 'house').finally(() => db.destroy());
}
