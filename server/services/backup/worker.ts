/** The thread that makes or verifies one backup and posts the result. */
import { parentPort, workerData } from 'node:worker_threads';
import { BackupFault } from '#server/domain/backup.ts';
import type { WorkerAnswer, WorkerAsk } from './in-worker.ts';
import { makeBackup } from './make.ts';
import { verifyBackup } from './verify.ts';
import { product } from '#server/services/kit/version.ts';

async function work(ask: WorkerAsk): Promise<WorkerAnswer> {
  try {
    if (ask.job === 'version') return { value: product.version };
    // Buffers arrive here as plain Uint8Arrays.
    if (ask.job === 'make') return { value: await makeBackup(withKey(ask.ask)) };
    const { path, scratch, opening } = ask;
    return { value: await verifyBackup(path, { scratch, opening }) };
  } catch (error) {
    if (error instanceof BackupFault)
      return { fault: { code: error.code, message: error.message } };
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function withKey<A extends Extract<WorkerAsk, { job: 'make' }>['ask']>(ask: A): A {
  const { secretsKey } = ask.house;
  return { ...ask, house: { ...ask.house, secretsKey: secretsKey && Buffer.from(secretsKey) } };
}

parentPort?.postMessage(await work(workerData as WorkerAsk));
