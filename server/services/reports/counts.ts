/** What reports add up: the counts of events, one by one. */
import { salesRows } from '#db/reports/sales.ts';
import type { ReportEvent } from '#db/reports/events.ts';
import { countSales } from '#server/domain/report/sales-count.ts';
import type { CountedSales } from '#server/domain/report/sales-sums.ts';
import type { Ctx } from '#server/services/context.ts';

export async function salesOf(ctx: Ctx, events: readonly ReportEvent[]): Promise<CountedSales[]> {
  const counted: CountedSales[] = [];
  for (const { id, starts_at } of events)
    counted.push({ starts_at, count: countSales(await salesRows(ctx.db, id)) });
  return counted;
}
