/** Receipt numbers in SQL: finding their orders, and finding missing ones. */
import { foldReceipt } from '#server/domain/order/payment.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { OrderRow, PaymentRow, RefundRow } from '#db/rows.ts';

/** The same expression as in the start schema's index, so that the database uses the index. */
export function foldedReceipt(table: 'payments' | 'refunds'): string {
  return `UPPER(REPLACE(REPLACE(${table}.receipt_number, '-', ''), ' ', ''))`;
}

/**
 * The number as typed and as Stripe writes it, for the order's column, whose index does not
 * ignore the dash.
 */
export function receiptSpellings(receipt_number: string): string[] {
  const folded = foldReceipt(receipt_number);
  return [...new Set([receipt_number.trim(), folded, `${folded.slice(0, 4)}-${folded.slice(4)}`])];
}

/** The order of a charge's or a refund's receipt; if two ever share a number, the newest. */
export async function findOrderByReceipt(
  db: Db,
  receipt_number: string,
): Promise<string | undefined> {
  const receipt = foldReceipt(receipt_number);
  const row: { id: string } | undefined = await db('orders')
    .select('orders.id')
    .whereIn(
      'orders.id',
      db('payments')
        .select('order_id')
        .whereRaw(`${foldedReceipt('payments')} = ?`, [receipt]),
    )
    .orWhereIn(
      'orders.id',
      db('refunds')
        .select('order_id')
        .whereRaw(`${foldedReceipt('refunds')} = ?`, [receipt]),
    )
    .orWhereIn('orders.receipt_number', receiptSpellings(receipt_number))
    .orderBy('orders.created_at', 'desc')
    .first();
  return row?.id;
}

/** The time of the oldest charge or refund without a receipt number; null if none is missing. */
export async function oldestWithoutReceipt(db: Db): Promise<number | null> {
  const payment: { at?: number | null } | undefined = await db('payments')
    .where({ kind: 'stripe' })
    .whereNull('receipt_number')
    .min({ at: 'paid_at' })
    .first();
  const refund: { at?: number | null } | undefined = await db('refunds')
    .whereNotNull('stripe_refund_id')
    .whereNull('receipt_number')
    .min({ at: 'created_at' })
    .first();
  const times = [payment?.at, refund?.at]
    .filter((at) => at !== null && at !== undefined)
    .map(Number);
  return times.length === 0 ? null : Math.min(...times);
}

/** A receipt number from Stripe, which is stored only where one is missing. */
interface Receipt {
  receipt_number: string;
  payment_intent: string | null;
  stripe_refund_id: string | null;
}

export async function noteReceipts(trx: Trx, receipts: readonly Receipt[]): Promise<void> {
  for (const { receipt_number, payment_intent, stripe_refund_id } of receipts) {
    if (stripe_refund_id !== null) {
      await trx<RefundRow>('refunds')
        .where((one) =>
          one.where({ stripe_refund_id }).orWhere({ part_of_stripe: stripe_refund_id }),
        )
        .whereNull('receipt_number')
        .update({ receipt_number });
    } else if (payment_intent !== null) {
      await trx<PaymentRow>('payments')
        .where({ payment_intent })
        .whereNull('receipt_number')
        .update({ receipt_number });
      await trx<OrderRow>('orders')
        .where({ payment_intent })
        .whereNull('receipt_number')
        .update({ receipt_number });
    }
  }
}
