/** Counts a large event in its own thread: it takes half a second, and doors must not wait. */
import type { EventCount } from '#db/report/kept.ts';
import type { EventRow } from '#db/rows.ts';
import type { Ctx, HousePlace } from '#server/services/context.ts';
import { runAside } from '#server/services/kit/aside.ts';

export interface CountAsk {
  place: Pick<HousePlace, 'database' | 'namedStatements'>;
  event: Pick<EventRow, 'id' | 'starts_at'>;
}

export function countAside(ctx: Ctx, event: CountAsk['event']): Promise<EventCount> {
  const { database, namedStatements } = ctx.backups.house;
  const { id, starts_at } = event;
  const ask: CountAsk = { place: { database, namedStatements }, event: { id, starts_at } };
  return runAside(new URL('./count-worker.ts', import.meta.url), ask);
}
