/**
 * Reports to programs what happens without a change of any row: a sale that ended by the clock,
 * and categories with few places left.
 */
import { listEvents } from '#db/event/events.ts';
import { placesLeft } from '#db/seat/places-left.ts';
import { dropLow, insertDeliveries, insertOnce, listLow, noteLow } from '#db/program/deliveries.ts';
import type { EventRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { salesStateOf } from '#server/domain/event/event.ts';
import { isRunningLow } from '#server/domain/program/webhook.ts';
import type { Ctx } from '#server/services/context.ts';
import { listenersTo, refreshListeners } from '#server/services/kit/listeners.ts';
import { deliveryOf } from '#server/services/kit/tell-programs.ts';

/** A sale that ended longer ago than this, while the server was down, is not reported. */
const lateMs = 24 * 3_600_000;

export async function watchForPrograms(ctx: Ctx): Promise<void> {
  if (!(await refreshListeners(ctx))) return;
  if (listenersTo(ctx, ['sale.closed', 'seat.low'], null).length === 0) return;
  const events = (await listEvents(ctx.db)).filter(({ status }) => status === 'published');
  await tellClosed(ctx, events);
  await tellLow(ctx, events);
}

/**
 * Reports each end of a sale once per address; `once_key` keeps another process or a later run
 * from repeating it.
 */
async function tellClosed(ctx: Ctx, events: readonly EventRow[]): Promise<void> {
  const now = ctx.now();
  for (const { id, sales_closes_at, starts_at } of events) {
    const closed_at = sales_closes_at ?? starts_at;
    if (closed_at > now || closed_at < now - lateMs) continue;
    for (const address of listenersTo(ctx, ['sale.closed'], id)) {
      if (address.since > closed_at) continue;
      const once_key = `sale.closed ${id} ${closed_at}`;
      const ids = { event_id: id };
      await insertOnce(ctx.db, deliveryOf(ctx, address.id, { kind: 'sale.closed', ids, once_key }));
    }
  }
}

async function tellLow(ctx: Ctx, events: readonly EventRow[]): Promise<void> {
  const now = ctx.now();
  const open = events.filter(
    (event) =>
      salesStateOf(event, now) === 'open' && listenersTo(ctx, ['seat.low'], event.id).length > 0,
  );
  if (open.length === 0) return;
  const ids = open.map(({ id }) => id);
  const low = await listLow(ctx.db, ids);
  for (const { event_id, category_key, places, left } of await placesLeft(ctx.db, ids)) {
    const wasLow = low.some(
      (one) => one.event_id === event_id && one.category_key === category_key,
    );
    const isLow = isRunningLow({ places, left }, wasLow);
    if (wasLow && !isLow) await dropLow(ctx.db, event_id, category_key);
    if (wasLow || !isLow) continue;
    await transact(ctx.db, async (trx) => {
      if (!(await noteLow(trx, { event_id, category_key, since: now }))) return;
      const listeners = listenersTo(ctx, ['seat.low'], event_id);
      const about = { kind: 'seat.low', ids: { event_id, category_key } } as const;
      await insertDeliveries(
        trx,
        listeners.map(({ id }) => deliveryOf(ctx, id, about)),
      );
    });
  }
}
