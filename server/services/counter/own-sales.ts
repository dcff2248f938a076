/**
 * The sales of one's own open shift, for a buyer who comes back to the window: the seller can
 * show them, print them again, or give the money back (RULES K3, K7).
 */
import { methodsOf, salesOf, ticketsSold } from '#db/counter/shift-sales.ts';
import { openShiftOf } from '#db/counter/shifts.ts';
import { refundMethod } from '#server/domain/counter/counter.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { compareNames, seatName } from '#server/domain/seat/seat-name.ts';
import { refundByOffice } from '#server/services/refund/desk.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Seller } from './sell.ts';

/** Enough for one shift; the office finds older sales. */
const mostListed = 300;

/** The sales, newest first. Refuses shift_not_open. */
export async function ownSales(ctx: Ctx, seller: Seller) {
  const shift = await openShiftOf(ctx.db, seller.id);
  if (!shift) throw new Refusal('shift_not_open');
  const sales = await salesOf(ctx.db, shift.id, mostListed);
  const ids = sales.map(({ order_id }) => order_id);
  const tickets = Map.groupBy(await ticketsSold(ctx.db, ids), ({ order_id }) => order_id);
  const methods = Map.groupBy(await methodsOf(ctx.db, ids), ({ order_id }) => order_id);
  return {
    items: sales.map((sale) => ({
      ...sale,
      ...paidBy(methods.get(sale.order_id) ?? []),
      tickets: (tickets.get(sale.order_id) ?? [])
        .map((ticket) => ({
          ticket_id: ticket.ticket_id,
          seat: seatName(ticket),
          type_label: ticket.type_label,
          state: ticket.state,
          paid_cents: ticket.price_cents + ticket.fee_cents,
        }))
        .toSorted((a, b) => compareNames(a.seat, b.seat)),
    })),
  };
}

/** How the order was paid; a payment through Stripe has no method of the counter. */
function paidBy(payments: readonly { method: string | null }[]) {
  return {
    methods: payments.map(({ method }) => method ?? 'other'),
    back_by: refundMethod(payments.flatMap(({ method }) => method ?? [])),
  };
}

interface GiveBackAsk {
  order_id: string;
  ticket_ids: string[];
  expected_cents: number;
  reason: string;
}

/**
 * Pays the money back out of the seller's own drawer, with fees; the seats are for sale again.
 * Refuses shift_not_open, not_own_shift, order_not_found, refund_changed, refund_refused.
 */
export async function giveBack(ctx: Ctx, { id, role }: Seller, ask: GiveBackAsk) {
  const { order_id, ...what } = ask;
  const { refund_id, amount_cents } = await refundByOffice(ctx, order_id, {
    ...what,
    user_id: id,
    role,
    with_fees: true,
    with_money: what.expected_cents > 0,
    handed_back: true,
  });
  return { refund_id, amount_cents };
}
