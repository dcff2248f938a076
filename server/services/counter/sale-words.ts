/** A sale as the counter's screen shows it: what was sold, what was paid, what is to be given back. */
import { linesOf, requireOrderRow } from '#db/order/orders.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import { placesOf } from '#db/seat/seats.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';

/** `replayed`: this key had made it before. */
export async function saleInWords(ctx: Ctx, order_id: string, { replayed }: { replayed: boolean }) {
  const order = await requireOrderRow(ctx.db, order_id);
  const lines = await linesOf(ctx.db, order.id);
  const labels = lines.map((line) => line.place);
  const places = await placesOf(ctx.db, order.event_id, labels);
  const seats = new Map(places.map((place) => [place.place, seatName(place)]));
  const payments = await paymentsOf(ctx.db, order.id);
  return {
    order_id: order.id,
    number: order.number,
    event_id: order.event_id,
    state: order.state,
    total_cents: order.total_cents,
    change_cents: payments.reduce(
      (sum, { given_cents, amount_cents }) => sum + (given_cents ?? amount_cents) - amount_cents,
      0,
    ),
    pay_by: order.state === 'awaiting_payment' ? order.pay_by : null,
    replayed,
    lines: lines.map((line) => ({ ...line, seat: seats.get(line.place)! })),
  };
}
