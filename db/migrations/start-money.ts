/** Part of the start schema: payments, refunds, disputes, and what a comparison with the providers found. */
import type { Knex } from 'knex';

export const moneyTables: Record<string, (t: Knex.CreateTableBuilder) => void> = {
  payments(t) {
    t.string('id', 40).primary();
    t.string('order_id', 40).notNullable().references('orders.id').index();
    t.string('kind', 10).notNullable();
    t.string('method', 30);
    t.string('payment_intent', 100).unique();
    t.string('charge_id', 100).unique();
    t.integer('amount_cents').notNullable();
    t.integer('stripe_fee_cents');
    t.string('receipt_number', 40);
    t.text('receipt_url');
    t.string('note', 500);
    t.string('actor', 100).notNullable();
    t.smallint('disputed').notNullable();
    t.bigInteger('paid_at').notNullable();
    // Into whose drawer it came, and what was put on the table.
    t.string('shift_id', 40).references('shifts.id');
    t.integer('given_cents');
  },

  /** Tries that a bank or a card refused. */
  declines(t) {
    t.string('id', 100).primary();
    t.string('order_id', 40).notNullable().references('orders.id').index();
    t.string('payment_intent', 100).notNullable();
    t.string('method', 30);
    t.integer('amount_cents').notNullable();
    t.string('code', 60).notNullable();
    t.string('buyer_email', 254);
    t.bigInteger('at').notNullable();
  },

  refund_runs(t) {
    t.string('id', 40).primary();
    t.string('event_id', 100).notNullable().references('events.id');
    t.string('actor', 100).notNullable();
    t.string('reason', 500);
    t.smallint('with_fees').notNullable();
    t.integer('orders').notNullable();
    t.integer('sum_cents').notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('finished_at');
  },

  refunds(t) {
    t.string('id', 40).primary();
    t.string('order_id', 40).notNullable().references('orders.id').index();
    t.string('state', 20).notNullable();
    t.string('origin', 20).notNullable();
    t.string('kind', 10).notNullable();
    t.integer('amount_cents').notNullable();
    // The part of the amount that is fees.
    t.integer('fee_cents').notNullable();
    t.smallint('voids_tickets').notNullable();
    t.smallint('frees_seats').notNullable();
    t.string('payment_intent', 100);
    t.string('stripe_refund_id', 100).unique();
    t.string('idempotency_key', 100).notNullable().unique();
    t.string('reason', 500);
    t.string('actor', 100).notNullable();
    t.string('failure', 200);
    t.string('receipt_number', 40);
    t.string('run_id', 40).references('refund_runs.id').index();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('decided_at');
    t.bigInteger('settled_at');
    // Out of whose drawer it went, and how.
    t.string('shift_id', 40).references('shifts.id');
    t.string('method', 10);
    t.index(['state']);
  },

  refund_lines(t) {
    t.string('refund_id', 40).notNullable().references('refunds.id');
    t.string('order_id', 40).notNullable();
    t.string('line_id', 40).notNullable().references('order_lines.id');
    t.integer('price_cents').notNullable();
    t.integer('fee_cents').notNullable();
    // 0 once its refund was refused, failed or cancelled.
    t.smallint('live').notNullable();
    t.primary(['refund_id', 'line_id']);
    t.index(['order_id']);
  },

  disputes(t) {
    t.string('id', 100).primary();
    t.string('order_id', 40).references('orders.id').index();
    t.string('payment_intent', 100);
    t.string('charge_id', 100).notNullable();
    t.integer('amount_cents').notNullable();
    t.string('reason', 60).notNullable();
    t.string('status', 40).notNullable();
    t.bigInteger('due_by');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('updated_at').notNullable();
    t.bigInteger('closed_at');
  },

  /** Where a provider's books and ours disagree; a person settles it, or it is gone at the next comparison. */
  breaks(t) {
    t.string('id', 40).primary();
    t.string('kind', 40).notNullable();
    // An id, a place's label, or both.
    t.string('subject', 300).notNullable();
    t.string('event_id', 100);
    t.string('order_id', 40);
    t.text('detail').notNullable();
    t.bigInteger('found_at').notNullable();
    t.bigInteger('seen_at').notNullable();
    t.bigInteger('settled_at');
    t.string('settled_by', 100);
    t.string('settlement', 40);
    t.string('note', 500);
    t.index(['order_id']);
  },

  invariants(t) {
    t.string('name', 40).primary();
    t.bigInteger('checked_at').notNullable();
    t.integer('violations').notNullable();
    t.text('sample').notNullable();
    t.bigInteger('broken_since');
  },
};

export const moneyIndexes = [
  receiptIndex('payments'),
  receiptIndex('refunds'),
  // The index is the judge: no line is refunded twice.
  'CREATE UNIQUE INDEX refund_lines_once ON refund_lines (line_id) WHERE live = 1',
  'CREATE UNIQUE INDEX breaks_open ON breaks (kind, subject) WHERE settled_at IS NULL',
];

/** People type receipt numbers without the dash: they are compared without it (db/receipts.ts). */
function receiptIndex(table: string): string {
  return `CREATE INDEX ${table}_receipt ON ${table} (UPPER(REPLACE(REPLACE(receipt_number, '-', ''), ' ', '')))`;
}
