/** Runs one long computation in its own thread, so that requests are answered meanwhile. */
import { Worker } from 'node:worker_threads';

/**
 * `file` is the worker, which reads `ask` as its workerData and posts one message. Rejects when
 * the worker fails or ends without an answer.
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
