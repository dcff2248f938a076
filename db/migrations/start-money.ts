/**
 * Part of the start schema: payments, refunds, disputes, and differences to the providers' books.
 */
import type { CounterMethod } from '#server/domain/counter/counter.ts';
import type { PaymentKind, RefundOrigin, RefundState } from '#server/domain/payment/refund.ts';
import { bigInteger, integer, text, truth, table } from './table.ts';

export const moneyTables = {
  payments: table({
    id: text(40).primary(),
    order_id: text(40).references('orders.id').index(),
    kind: text<Exclude<PaymentKind, 'free'>>(10),
    method: text(30).orNull(),
    payment_intent: text(100).orNull().unique(),
    charge_id: text(100).orNull().unique(),
    amount_cents: integer(),
    stripe_fee_cents: integer().orNull(),
    receipt_number: text(40).orNull(),
    receipt_url: text().orNull(),
    note: text(500).orNull(),
    actor: text(100),
    disputed: truth(),
    paid_at: bigInteger(),
    // The shift that received the money, and the cash that the buyer handed over.
    shift_id: text(40).orNull().references('shifts.id'),
    given_cents: integer().orNull(),
  }),

  /** Attempts to pay that a bank or a card refused. */
  declines: table({
    // The id of Stripe's charge.
    id: text(100).primary(),
    order_id: text(40).references('orders.id').index(),
    payment_intent: text(100),
    method: text(30).orNull(),
    amount_cents: integer(),
    code: text(60),
    buyer_email: text(254).orNull(),
    at: bigInteger(),
  }),

  refund_runs: table({
    id: text(40).primary(),
    event_id: text(100).references('events.id'),
    actor: text(100),
    reason: text(500).orNull(),
    with_fees: truth(),
    orders: integer(),
    sum_cents: integer(),
    created_at: bigInteger(),
    finished_at: bigInteger().orNull(),
  }),

  refunds: table(
    {
      id: text(40).primary(),
      order_id: text(40).references('orders.id').index(),
      state: text<RefundState>(20),
      origin: text<RefundOrigin>(20),
      kind: text<Exclude<PaymentKind, 'free'>>(10),
      amount_cents: integer(),
      // The part of the amount that pays back fees.
      fee_cents: integer(),
      voids_tickets: truth(),
      frees_seats: truth(),
      payment_intent: text(100).orNull(),
      stripe_refund_id: text(100).orNull().unique(),
      idempotency_key: text(100).unique(),
      reason: text(500).orNull(),
      actor: text(100),
      failure: text(200).orNull(),
      receipt_number: text(40).orNull(),
      run_id: text(40).orNull().references('refund_runs.id').index(),
      created_at: bigInteger(),
      decided_at: bigInteger().orNull(),
      settled_at: bigInteger().orNull(),
      // The shift whose drawer paid it, and the method.
      shift_id: text(40).orNull().references('shifts.id'),
      method: text<CounterMethod>(10).orNull(),
    },
    (t) => {
      t.index(['state']);
    },
  ),

  refund_lines: table(
    {
      refund_id: text(40).references('refunds.id'),
      order_id: text(40).references('orders.id'),
      line_id: text(40),
      price_cents: integer(),
      fee_cents: integer(),
      // 0 after the refund was refused, failed or cancelled.
      live: truth(),
    },
    (t) => {
      t.primary(['refund_id', 'line_id']);
      t.index(['order_id']);
    },
  ),

  disputes: table({
    id: text(100).primary(),
    order_id: text(40).orNull().references('orders.id').index(),
    payment_intent: text(100).orNull(),
    charge_id: text(100),
    amount_cents: integer(),
    reason: text(60),
    status: text(40),
    due_by: bigInteger().orNull(),
    created_at: bigInteger(),
    updated_at: bigInteger(),
    closed_at: bigInteger().orNull(),
  }),

  /**
   * Differences between a provider's books and ours; a person settles one, or it is gone at the
   * next comparison.
   */
  breaks: table(
    {
      id: text(40).primary(),
      kind: text(40),
      // An id, a place's label, or both.
      subject: text(300),
      event_id: text(100).orNull(),
      order_id: text(40).orNull(),
      detail: text(),
      found_at: bigInteger(),
      seen_at: bigInteger(),
      settled_at: bigInteger().orNull(),
      settled_by: text(100).orNull(),
      settlement: text(40).orNull(),
      note: text(500).orNull(),
    },
    (t) => {
      t.index(['order_id']);
    },
  ),

  invariants: table({
    name: text(40).primary(),
    checked_at: bigInteger(),
    violations: integer(),
    sample: text(),
    broken_since: bigInteger().orNull(),
  }),
};

export const moneyIndexes = [
  receiptIndex('payments'),
  receiptIndex('refunds'),
  // No line is refunded twice.
  'CREATE UNIQUE INDEX refund_lines_once ON refund_lines (line_id) WHERE live = 1',
  'CREATE UNIQUE INDEX breaks_open ON breaks (kind, subject) WHERE settled_at IS NULL',
];

/**
 * Receipt numbers are compared without the dash, which people leave out (db/order/receipts.ts).
 */
function receiptIndex(table: string): string {
  return `CREATE INDEX ${table}_receipt ON ${table} (UPPER(REPLACE(REPLACE(receipt_number, '-', ''), ' ', '')))`;
}
