/**
 * A backup or a restore in a process that dies at a named point. Arguments: the job as JSON, the
 * point.
 */
import { makeBackup, type BackupAsk } from '#server/services/backup/make.ts';
import { restoreBackup, type RestoreAsk } from '#server/services/backup/restore.ts';

export type ChildJob =
  | { kind: 'make'; ask: Omit<BackupAsk, 'fault'> }
  | { kind: 'restore'; ask: Omit<RestoreAsk, 'fault'> };

const job = JSON.parse(process.argv[2]!) as ChildJob;

function fault(point: string): void {
  if (point === process.argv[3]) process.kill(process.pid, 'SIGKILL');
}

try {
  if (job.kind === 'make') await makeBackup({ ...job.ask, fault });
  else await restoreBackup({ ...job.ask, fault });
} catch (error) {
  console.error((error as { code?: string }).code, (error as Error).message);
  process.exitCode = 1;
}
