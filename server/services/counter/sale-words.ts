/** A sale for the counter's screen: what was sold, what was paid, and the change. */
import { requireOrderRow } from '#db/order/orders.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import type { Ctx } from '#server/services/context.ts';
import { linesInWords } from '#server/services/order/seat-names.ts';

/** The sale as the screen shows it; `replayed`: an earlier call with the same key made it. */
export async function saleInWords(ctx: Ctx, order_id: string, { replayed }: { replayed: boolean }) {
  const order = await requireOrderRow(ctx.db, order_id);
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
    lines: await linesInWords(ctx.db, order),
  };
}
