/**
 * The tickets of a whole event for printing: lists the orders with what is on paper already, and
 * notes what a browser has printed (RULES K6, K7).
 */
import { findEvent } from '#db/event/events.ts';
import { isEventSeen } from '#db/order/order-scope.ts';
import { notePaper, ordersForPaper } from '#db/counter/paper.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import { transact } from '#db/engine/transact.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { tillViewOf } from '#server/domain/counter/till-view.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { requirePaperOrder } from './paper-order.ts';
import type { Seller } from './sell.ts';

/** The most orders of one event; no hall has so many seats. */
const mostListed = 10_000;

/** The orders, by number. Refuses event_not_found, also for a cashier after the event is over. */
export async function paperOfEvent(ctx: Ctx, seller: Seller, event_id: string) {
  const event = await findEvent(ctx.db, event_id);
  const view = tillViewOf(seller, ctx.now());
  const isSeen = view === undefined || (await isEventSeen(ctx.db, event_id, view));
  if (!event || !isSeen) throw new Refusal('event_not_found');
  const orders = await ordersForPaper(ctx.db, event_id, mostListed);
  return { title: event.title, starts_at: event.starts_at, items: orders };
}

interface PrintedTicket {
  ticket_id: string;
  revision: number;
}

/**
 * Notes that the browser has printed these tickets, when a person says so; ignores tickets of
 * another order or an older revision. Refuses order_not_found, order_not_confirmed.
 */
export async function notePrinted(
  ctx: Ctx,
  seller: Seller,
  { order_id, tickets }: { order_id: string; tickets: readonly PrintedTicket[] },
): Promise<void> {
  await requirePaperOrder(ctx, seller, order_id);
  const known = new Set((await ticketsOfOrder(ctx.db, order_id)).map(({ id }) => id));
  const printed = tickets.filter(({ ticket_id }) => known.has(ticket_id));
  if (printed.length === 0) return;
  await transact(ctx.db, async (trx) => {
    await notePaper(
      trx,
      printed.map(({ ticket_id, revision }) => ({ id: ticket_id, revision })),
    );
    await happened(ctx, trx, {
      actor: `user:${seller.id}`,
      action: 'tickets_printed',
      subject: order_id,
    });
  });
}
