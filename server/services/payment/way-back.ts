/** How an order's money is refunded: through Stripe if it came that way, otherwise by hand. */
import type { Db } from '#db/engine/dialect.ts';
import { exchangeInto } from '#db/order/exchanges.ts';
import { requireOrderRow } from '#db/order/orders.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import { refundsAt, refundsOf } from '#db/payment/refunds.ts';
import type { OrderRow, RefundRow } from '#db/rows.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';
import { requireValue } from '#server/domain/require-value.ts';

type Refunded = Pick<OrderRow, 'id' | 'paid_by' | 'payment_intent' | 'exchange_credit_cents'>;

/** A part of a refund; null: by hand. */
export interface WayBack {
  payment_intent: string | null;
  amount_cents: number;
}

/**
 * The payment intent to refund first; null: by hand, for example if an order was paid partly at
 * Stripe and partly in cash and more must go back than came through Stripe.
 */
export async function wayBack(
  db: Db,
  order: Refunded,
  amount_cents: number,
): Promise<string | null> {
  const [first] = await waysBack(db, order, amount_cents);
  return requireValue(first, 'way back').payment_intent;
}

/**
 * The parts in which a sum goes back. What tickets of another date paid for goes back to their
 * payment first, up to what is left there, then to the order's own (RULES M7).
 */
export async function waysBack(db: Db, order: Refunded, amount_cents: number): Promise<WayBack[]> {
  if (order.exchange_credit_cents === null)
    return [{ payment_intent: await oneWay(db, order, amount_cents), amount_cents }];
  let left = amount_cents;
  const ways: WayBack[] = [];
  for (const { payment_intent, amount_cents: room } of await sourcesOf(db, order)) {
    const part = Math.min(left, room);
    if (part > 0) ways.push({ payment_intent, amount_cents: part });
    left -= part;
  }
  if (left > 0 || ways.length === 0) ways.push({ payment_intent: null, amount_cents: left });
  return ways;
}

async function oneWay(db: Db, order: Refunded, amount_cents: number): Promise<string | null> {
  if (order.paid_by !== 'stripe') return null;
  const payments = await paymentsOf(db, order.id);
  // Usually all money came through Stripe, which itself knows how much is left.
  if (!payments.some(({ kind }) => kind === 'manual')) return order.payment_intent;
  const came = sum(payments.filter(({ kind }) => kind === 'stripe'));
  const gone = sum((await refundsOf(db, order.id)).filter(isAtStripe));
  return amount_cents <= came - gone ? order.payment_intent : null;
}

/** The payments at Stripe from which this order may pay back, and how much of each. */
async function sourcesOf(
  db: Db,
  { id, exchange_credit_cents }: Pick<OrderRow, 'id' | 'exchange_credit_cents'>,
): Promise<WayBack[]> {
  const own: WayBack[] = [];
  for (const { payment_intent, amount_cents } of await paymentsOf(db, id))
    if (payment_intent !== null) {
      const gone = sum((await refundsAt(db, payment_intent)).filter(isAtStripe));
      own.push({ payment_intent, amount_cents: Math.max(0, amount_cents - gone) });
    }
  if (exchange_credit_cents === null) return own;
  const { from_order_id } = requireValue(await exchangeInto(db, id), 'exchange');
  const mine = new Set(own.map(({ payment_intent }) => payment_intent));
  const drawn = (await refundsOf(db, id)).filter(
    (refund) => isAtStripe(refund) && !mine.has(refund.payment_intent),
  );
  let room = Math.max(0, exchange_credit_cents - sum(drawn));
  const earlier = (await sourcesOf(db, await requireOrderRow(db, from_order_id))).map((source) => {
    const part = Math.min(room, source.amount_cents);
    room -= part;
    return { ...source, amount_cents: part };
  });
  return [...earlier, ...own];
}

function isAtStripe({ kind, state }: RefundRow): boolean {
  return kind === 'stripe' && countedRefunds.includes(state);
}

function sum(rows: readonly { amount_cents: number }[]): number {
  return rows.reduce((total, { amount_cents }) => total + amount_cents, 0);
}
