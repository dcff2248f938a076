/**
 * Part of the start schema: shifts at the tills, cash put in or taken out without a sale, and
 * print jobs.
 */
import type { PrintState, PrintTrouble } from '#server/domain/counter/printing.ts';
import { bigInteger, integer, text, truth, table } from './table.ts';

/** Made before the sales, which refer to their shift. */
export const shiftTables = {
  shifts: table({
    id: text(40).primary(),
    user_id: text(40),
    till_id: text(40),
    // The till's name when the shift began.
    till_name: text(100),
    float_cents: integer(),
    opened_at: bigInteger().index(),
    closed_at: bigInteger().orNull(),
    // The counted and the expected money; set when the shift is closed and never changed
    // afterwards.
    pieces: text().orNull(),
    counted_cents: integer().orNull(),
    expected_cents: integer().orNull(),
    difference_reason: text(500).orNull(),
    report: text().orNull(),
  }),

  shift_moves: table({
    id: text(40).primary(),
    shift_id: text(40).references('shifts.id').index(),
    // Above zero for money put in, below zero for money taken out.
    amount_cents: integer(),
    reason: text(500),
    at: bigInteger(),
  }),
};

/** Made after the sales, to which print jobs refer. */
export const printTables = {
  print_jobs: table(
    {
      id: text(40).primary(),
      // Null for a test page.
      order_id: text(40).orNull().references('orders.id').index(),
      till_id: text(40),
      actor: text(100),
      state: text<PrintState>(20),
      opens_drawer: truth(),
      attempts: integer(),
      last_error: text<PrintTrouble>(40).orNull(),
      created_at: bigInteger().index(),
      ended_at: bigInteger().orNull(),
    },
    (t) => {
      t.index(['till_id', 'ended_at']);
    },
  ),
};

export const counterIndexes = [
  // A person and a till each have at most one open shift.
  'CREATE UNIQUE INDEX shifts_open_user ON shifts (user_id) WHERE closed_at IS NULL',
  'CREATE UNIQUE INDEX shifts_open_till ON shifts (till_id) WHERE closed_at IS NULL',
  // The client's key of a sale makes a repeated request the same sale.
  'CREATE UNIQUE INDEX orders_sale_key ON orders (sale_key) WHERE sale_key IS NOT NULL',
  'CREATE INDEX orders_shift ON orders (shift_id) WHERE shift_id IS NOT NULL',
  'CREATE INDEX payments_shift ON payments (shift_id) WHERE shift_id IS NOT NULL',
  'CREATE INDEX refunds_shift ON refunds (shift_id) WHERE shift_id IS NOT NULL',
  // An index for reservations of the counter, of which few are open at a time.
  "CREATE INDEX orders_reserved ON orders (pay_by) WHERE state = 'awaiting_payment' AND channel = 'counter'",
];
