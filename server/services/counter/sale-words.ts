/** A sale for the counter's screen: what was sold, what was paid, and the change. */
import { requireOrderRow } from '#db/order/orders.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import { exchangeInto } from '#db/order/exchanges.ts';
import { findRefund } from '#db/payment/refunds.ts';
import type { OrderRow } from '#db/rows.ts';
import { dueOf, type BackWay } from '#server/domain/order/exchange.ts';
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
    exchange: await exchangeInWords(ctx, order),
    lines: await linesInWords(ctx.db, order),
  };
}

async function exchangeInWords({ db }: Ctx, order: OrderRow) {
  if (order.exchange_credit_cents === null) return null;
  const exchange = await exchangeInto(db, order.id);
  if (exchange === undefined) return null;
  const { id, credit_cents, back_cents, back_refund_id } = exchange;
  const refund = back_refund_id === null ? undefined : await findRefund(db, back_refund_id);
  const byHand: BackWay = refund?.state === 'succeeded' ? 'drawer' : 'office';
  const way: BackWay = refund?.kind === 'stripe' ? 'stripe' : byHand;
  return {
    exchange_id: id,
    credit_cents,
    due_cents: dueOf(order),
    back_cents,
    back: refund === undefined ? null : way,
  };
}
