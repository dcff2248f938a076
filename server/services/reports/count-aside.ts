/** Counts a large evening in a thread of its own: it takes half a second, and whoever stands at its doors must not wait for it. */
import { Worker } from 'node:worker_threads';
import type { EventCount } from '#db/reports/kept.ts';
import type { EventRow } from '#db/rows.ts';
import type { Ctx } from '#server/services/context.ts';
import type { HousePlace } from '#server/services/backup/house-files.ts';

export interface CountAsk {
  place: Pick<HousePlace, 'database' | 'namedStatements'>;
  event: Pick<EventRow, 'id' | 'starts_at'>;
}

export async function countAside(ctx: Ctx, event: CountAsk['event']): Promise<EventCount> {
  const { database, namedStatements } = ctx.backups.house;
  const { id, starts_at } = event;
  const ask: CountAsk = { place: { database, namedStatements }, event: { id, starts_at } };
  const worker = new Worker(new URL('./count-worker.ts', import.meta.url), {
    workerData: ask,
    execArgv: [],
  });
  try {
    return await new Promise<EventCount>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the thread of a count ended: ${code}`)));
    });
  } finally {
    await worker.terminate();
  }
}
