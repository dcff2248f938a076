/**
 * How the money of an order goes back: Stripe gives back what came through it, and a person hands
 * back the rest.
 */
import type { Db } from '#db/engine/dialect.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import { refundsOf } from '#db/payment/refunds.ts';
import type { OrderRow } from '#db/rows.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';

/**
 * The payment intent, or null: by hand. A seat that was paid in part at Stripe and in part in cash
 * may ask for more than Stripe has.
 */
export async function wayBack(
  db: Db,
  order: Pick<OrderRow, 'id' | 'paid_by' | 'payment_intent'>,
  amount_cents: number,
): Promise<string | null> {
  if (order.paid_by !== 'stripe') return null;
  const payments = await paymentsOf(db, order.id);
  // The usual case: all of it came through Stripe, which says itself what it still has.
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
