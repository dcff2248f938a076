/** Runs one long computation in its own thread, so that the server answers requests meanwhile. */
import { Worker } from 'node:worker_threads';

/**
 * `file`: the worker, which reads `ask` as its workerData and posts one message. Rejects if the
 * worker fails or ends without a message.
 */
export async function runAside<Answer>(file: URL, ask: object): Promise<Answer> {
  const worker = new Worker(file, { workerData: ask, execArgv: [] });
  try {
    return await new Promise<Answer>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`${file.pathname} ended: ${code}`)));
    });
  } finally {
    await worker.terminate();
  }
}
