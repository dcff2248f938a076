/** The dates to which orders may go, and how far the last transfer is, for the office. */
import { countTransferOrders, lastTransfer, ordersLeft } from '#db/event/transfers.ts';
import { requireEventRow } from '#db/event/events.ts';
import type { EventRow } from '#db/rows.ts';
import type { Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { datesOnSale } from '#server/services/order/dates-on-sale.ts';

/** The most orders that are listed with the reason why they stay. */
const mostListed = 500;

/** @throws Refusal event_not_found */
export async function transferOfEvent(ctx: Ctx, event_id: string) {
  const event = await knownEvent(ctx, event_id);
  const dates = await datesOnSale(ctx.db, event, ctx.now());
  return { dates, transfer: await lastInWords(ctx, event) };
}

async function lastInWords(ctx: Ctx, { id: event_id }: EventRow) {
  const last = await lastTransfer(ctx.db, event_id);
  if (last === undefined) return null;
  const { title, starts_at } = await requireEventRow(ctx.db, last.to_event_id);
  const { waiting, done, left } = await countTransferOrders(ctx.db, last.id);
  return {
    transfer_id: last.id,
    to: { event_id: last.to_event_id, title, starts_at },
    created_at: last.created_at,
    finished_at: last.finished_at,
    waiting,
    done,
    left,
    staying: await ordersLeft(ctx.db, last.id, mostListed),
  };
}
