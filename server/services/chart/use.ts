/** How charts are used: the number of events on each, and its next ones. */
import { countOnCharts, eventsOnCharts } from '#db/event/events.ts';
import { ordersByIds } from '#db/order/orders.ts';
import type { Ctx } from '#server/services/context.ts';

/** How many of a chart's coming events are listed. */
const named = 5;

/** Returns a function that gives the use of a chart by its key. */
export async function useOfCharts(ctx: Ctx, keys: readonly string[]) {
  const counts = await countOnCharts(ctx.db, keys);
  const coming = await eventsOnCharts(ctx.db, keys, { starts_after: ctx.now() });
  return (key: string) => {
    const next = coming.filter(({ chart_key }) => chart_key === key);
    return {
      events: counts.get(key) ?? 0,
      coming: next.length,
      next: next
        .slice(0, named)
        .map(({ id, title, starts_at }) => ({ event_id: id, title, starts_at })),
    };
  };
}

/** The number and buyer of each order that has places. */
export async function holders(ctx: Ctx, order_ids: readonly string[]) {
  const rows = await ordersByIds(ctx.db, order_ids);
  return {
    items: rows.map(({ id, number, buyer_name }) => ({ order_id: id, number, buyer: buyer_name })),
  };
}
