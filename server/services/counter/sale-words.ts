/** A sale for the counter's screen: what was sold, what was paid, and the change. */
import { requireOrderRow } from '#db/order/orders.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import { exchangeInto } from '#db/order/exchanges.ts';
import { refundsOf } from '#db/payment/refunds.ts';
import type { OrderRow, PaymentRow, RefundRow } from '#db/rows.ts';
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
    paid_cents: order.paid_cents,
    change_cents: justPaid(order, payments).reduce(
      (sum, { given_cents, amount_cents }) => sum + (given_cents ?? amount_cents) - amount_cents,
      0,
    ),
    pay_by: order.state === 'awaiting_payment' ? order.pay_by : null,
    replayed,
    exchange: await exchangeInWords(ctx, order),
    lines: await linesInWords(ctx.db, order),
  };
}

/** Of an order that is paid in parts: those of the last call, whose change is given now. */
function justPaid(
  { deposit_end, confirmed_at }: OrderRow,
  payments: readonly PaymentRow[],
): readonly PaymentRow[] {
  if (deposit_end === null) return payments;
  const since = confirmed_at ?? payments.at(-1)?.paid_at ?? 0;
  return payments.filter(({ paid_at }) => paid_at >= since);
}

async function exchangeInWords({ db }: Ctx, order: OrderRow) {
  if (order.exchange_credit_cents === null) return null;
  const exchange = await exchangeInto(db, order.id);
  if (exchange === undefined) return null;
  const { id, from_order_id, refund_id, credit_cents, back_cents } = exchange;
  const back = (await refundsOf(db, from_order_id)).filter(
    ({ rest_of }) => rest_of !== null && rest_of === refund_id,
  );
  return {
    exchange_id: id,
    credit_cents,
    due_cents: dueOf(order),
    back_cents,
    back: wayOf(back),
  };
}

/** Null: nothing goes back. */
function wayOf(back: readonly RefundRow[]): BackWay | null {
  if (back.length === 0) return null;
  const byHand = back.filter(({ kind }) => kind === 'manual');
  if (byHand.length === 0) return 'stripe';
  if (byHand.length < back.length) return 'mixed';
  return byHand.every(({ state }) => state === 'succeeded') ? 'drawer' : 'office';
}
