/** Part of the start schema: shifts at the tills, their money that no sale explains, and what waits for a ticket printer. */
import type { Knex } from 'knex';

/** Before the sales, which name their shift. */
export const shiftTables: Record<string, (t: Knex.CreateTableBuilder) => void> = {
  shifts(t) {
    t.string('id', 40).primary();
    t.string('user_id', 40).notNullable();
    t.string('till_id', 40).notNullable();
    // As it was called when the shift began.
    t.string('till_name', 100).notNullable();
    t.integer('float_cents').notNullable();
    t.bigInteger('opened_at').notNullable().index();
    t.bigInteger('closed_at');
    // What was counted and what should have been there; all of these once it is closed, and never changed after.
    t.text('pieces');
    t.integer('counted_cents');
    t.integer('expected_cents');
    t.string('difference_reason', 500);
    t.text('report');
  },

  shift_moves(t) {
    t.string('id', 40).primary();
    t.string('shift_id', 40).notNullable().references('shifts.id').index();
    // Above zero: put in; below: taken out.
    t.integer('amount_cents').notNullable();
    t.string('reason', 500).notNullable();
    t.bigInteger('at').notNullable();
  },
};

/** After the sales, which they print. */
export const printTables: Record<string, (t: Knex.CreateTableBuilder) => void> = {
  print_jobs(t) {
    t.string('id', 40).primary();
    // Null: a test page.
    t.string('order_id', 40).references('orders.id').index();
    t.string('till_id', 40).notNullable();
    t.string('actor', 100).notNullable();
    t.string('state', 20).notNullable();
    t.smallint('opens_drawer').notNullable();
    t.integer('attempts').notNullable();
    t.string('last_error', 40);
    t.bigInteger('created_at').notNullable().index();
    t.bigInteger('ended_at');
    t.index(['till_id', 'ended_at']);
  },
};

export const counterIndexes = [
  // A person has one open shift, a till too.
  'CREATE UNIQUE INDEX shifts_open_user ON shifts (user_id) WHERE closed_at IS NULL',
  'CREATE UNIQUE INDEX shifts_open_till ON shifts (till_id) WHERE closed_at IS NULL',
  // The client's key of a sale: the same again is the same sale.
  'CREATE UNIQUE INDEX orders_sale_key ON orders (sale_key) WHERE sale_key IS NOT NULL',
  'CREATE INDEX orders_shift ON orders (shift_id) WHERE shift_id IS NOT NULL',
  'CREATE INDEX payments_shift ON payments (shift_id) WHERE shift_id IS NOT NULL',
  'CREATE INDEX refunds_shift ON refunds (shift_id) WHERE shift_id IS NOT NULL',
  // Reservations of the counter: few are open at a time.
  "CREATE INDEX orders_reserved ON orders (pay_by) WHERE state = 'awaiting_payment' AND channel = 'counter'",
];
