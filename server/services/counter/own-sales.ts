/**
 * The sales of one's own open shift, for a buyer who comes back to the window: the seller can
 * show them, print them again, or give the money back (RULES K3, K7).
 */
import { methodsOf, salesOf, ticketsSold } from '#db/counter/shift-sales.ts';
import { openShiftOf } from '#db/counter/shifts.ts';
import { romeDay, startOfDay } from '#server/domain/time/rome-clock.ts';
import { compareNames, seatName } from '#server/domain/seat/seat-name.ts';
import { refundByOffice } from '#server/services/refund/desk.ts';
import type { Giver } from '#server/services/payment/drawer.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Seller } from './sell.ts';

/** Enough for one shift; the office finds older sales. */
const mostListed = 300;

/** The sales of the open shift, and what was given today without one; the newest first. */
export async function ownSales(ctx: Ctx, seller: Seller) {
  const shift = await openShiftOf(ctx.db, seller.id);
  const sales = await salesOf(ctx.db, {
    shift_id: shift?.id ?? null,
    user_id: seller.id,
    since: startOfDay(romeDay(ctx.now())),
    limit: mostListed,
  });
  const ids = sales.map(({ order_id }) => order_id);
  const tickets = Map.groupBy(await ticketsSold(ctx.db, ids), ({ order_id }) => order_id);
  const methods = Map.groupBy(await methodsOf(ctx.db, ids), ({ order_id }) => order_id);
  return {
    items: sales.map((sale) => ({
      ...sale,
      // A payment through Stripe has no method of the counter.
      methods: (methods.get(sale.order_id) ?? []).map(
        ({ kind, method }) => method ?? (kind === 'exchange' ? kind : 'other'),
      ),
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

interface GiveBackAsk extends Pick<Giver, 'ways' | 'drawer_reason'> {
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
