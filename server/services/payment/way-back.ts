/** How an order's money is refunded: through Stripe if it came that way, otherwise by hand. */
import type { Db } from '#db/engine/dialect.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import { refundsOf } from '#db/payment/refunds.ts';
import type { OrderRow } from '#db/rows.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';

/**
 * The payment intent to refund; null: by hand, for example if an order was paid partly at Stripe
 * and partly in cash and more must go back than came through Stripe.
 */
export async function wayBack(
  db: Db,
  order: Pick<OrderRow, 'id' | 'paid_by' | 'payment_intent'>,
  amount_cents: number,
): Promise<string | null> {
  if (order.paid_by !== 'stripe') return null;
  const payments = await paymentsOf(db, order.id);
  // Usually all money came through Stripe, which itself knows how much is left.
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
