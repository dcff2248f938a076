/** Turns the configuration of backups into the settings that use cases need. */
import { join } from 'node:path';
import type { Sealing } from '#server/adapters/backup-file.ts';
import type { Keeping } from '#server/domain/backup.ts';
import type { BackupSettings, HousePlace } from '#server/services/context.ts';
import { ownBackupFolder } from './house-files.ts';

export function backupSettings({
  backup,
  ...house
}: HousePlace & {
  backup: { folder: string | null; seal: Sealing; keep: Keeping };
}): BackupSettings {
  const { dataDir, database, namedStatements, chartInDatabase } = house;
  const { secretsKey, secretsKeysBefore } = house;
  return {
    house: { dataDir, database, namedStatements, chartInDatabase, secretsKey, secretsKeysBefore },
    folder: backup.folder ?? join(dataDir, ownBackupFolder),
    seal: backup.seal,
    keep: backup.keep,
  };
}
