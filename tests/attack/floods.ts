/** Attackers who send more than they read: requests sent ahead on one connection, and answers left lying. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface Flood {
  path: string;
  connections: number;
  /** Sent at once on each of them. */
  requests: number;
  /** So long the attacker stays, in ms. */
  stays: number;
  /** False: takes no byte of any answer. */
  reads: boolean;
}

/** In a thread of its own: what the attacker computes must not delay whoever measures the server. */
export async function flood(url: string, attack: Flood): Promise<void> {
  const file = new URL('./flood-worker.ts', import.meta.url);
  await once(new Worker(file, { workerData: { url, ...attack } }), 'exit');
}
