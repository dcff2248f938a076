/**
 * How an order's money is refunded: through Stripe where it came through Stripe, and otherwise by
 * hand.
 */
import type { Db } from '#db/engine/dialect.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import { refundsOf } from '#db/payment/refunds.ts';
import type { OrderRow } from '#db/rows.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';

/**
 * The payment intent to refund; null: by hand. An order paid partly at Stripe and partly in cash
 * may need more than was paid at Stripe.
 */
export async function wayBack(
  db: Db,
  order: Pick<OrderRow, 'id' | 'paid_by' | 'payment_intent'>,
  amount_cents: number,
): Promise<string | null> {
  if (order.paid_by !== 'stripe') return null;
  const payments = await paymentsOf(db, order.id);
  // Usually everything came through Stripe, which knows itself how much is left.
  if (!payments.some(({ kind }) => kind === 'manual')) return order.payment_intent;
  const came = sum(payments.filter(({ kind }) => kind === 'stripe'));
  const gone = sum(
    (await refundsOf(db, order.id)).filter(
      ({ kind, state }) => kind === 'stripe' && countedRefunds.includes(state),
    ),
  );
  return amount_cents <= came - gone ? order.payment_intent : null;
}

function sum(rows: readonly { amount_cents: number }[]): number {
  return rows.reduce((total, { amount_cents }) => total + amount_cents, 0);
}
