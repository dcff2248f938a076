/** Seats a whole house in a thread of its own: a large hall takes a second or two, and whoever buys meanwhile must not wait for it. */
import { Worker } from 'node:worker_threads';
import type { Group, HallPlace, Seating } from '#server/domain/seat/rehousing.ts';

export interface SolveAsk {
  hall: readonly HallPlace[];
  groups: readonly Group[];
  /** The hall was only changed: whoever can stay does. */
  stay: boolean;
}

export async function solveAside(ask: SolveAsk): Promise<Seating> {
  const worker = new Worker(new URL('./solve-worker.ts', import.meta.url), {
    workerData: ask,
    execArgv: [],
  });
  try {
    return await new Promise<Seating>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the thread of a seating ended: ${code}`)));
    });
  } finally {
    await worker.terminate();
  }
}
