/** Does the heavy work of backups in its own thread, so that sales do not wait for it. */
import { Worker } from 'node:worker_threads';
import type { Opening } from '#server/adapters/backup-file.ts';
import { BackupFault, type BackupFaultCode } from '#server/domain/backup.ts';
import type { BackupAsk, MadeBackup } from './make.ts';
import type { VerifiedBackup } from './verify.ts';

export type WorkerAsk =
  | { job: 'make'; ask: Omit<BackupAsk, 'fault'> }
  | { job: 'verify'; path: string; scratch: string; opening: Opening }
  | { job: 'version' };

interface Answers {
  make: MadeBackup;
  verify: VerifiedBackup;
  version: string;
}

export type WorkerAnswer =
  | { value: Answers[keyof Answers] }
  | { fault: { code: BackupFaultCode; message: string } }
  | { error: string };

/** @throws BackupFault if the job throws it */
export async function inWorker<A extends WorkerAsk>(ask: A): Promise<Answers[A['job']]> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: ask,
    execArgv: [],
  });
  try {
    const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the thread of a backup ended: ${code}`)));
    });
    if ('fault' in answer) throw Object.assign(new BackupFault(answer.fault.code), answer.fault);
    if ('error' in answer) throw new Error(answer.error);
    return answer.value as Answers[A['job']];
  } finally {
    await worker.terminate();
  }
}
