/**
 * Tells the seat map which events on a chart are over, because their places may be missing in a
 * new drawing (RULES H4).
 */
import { eveningsOnChart } from '#db/event/events.ts';
import { followsChartMs } from '#server/domain/event/event.ts';
import type { Ctx } from '#server/services/context.ts';

/**
 * Also tells it about events that were moved to a coming date and are no longer over. Throws what
 * the seat map throws.
 */
export async function tellOver(ctx: Ctx, chart_key: string): Promise<void> {
  const rows = await eveningsOnChart(ctx.db, chart_key);
  const starts = new Map(rows.map((row) => [row.seatsio_event_key, row.starts_at]));
  for (const { key, is_over } of await ctx.charts.eventsOn(chart_key)) {
    const starts_at = starts.get(key);
    if (starts_at === undefined) continue;
    const isOver = starts_at < ctx.now() - followsChartMs;
    if (isOver !== is_over) await ctx.charts.setOver(key, isOver);
  }
}
