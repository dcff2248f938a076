/**
 * Part of the start schema: seals of fiscal titles that another system issued, and invoices that
 * buyers asked for.
 */
import { bigInteger, integer, text, table } from './table.ts';

export const paperTables = {
  /** One file of seals, which is imported or taken back as a whole. */
  seal_imports: table({
    id: text(40).primary(),
    event_id: text(100).references('events.id').index(),
    // The number of tickets that got a seal from the file.
    seals: integer(),
    // The number of lines that were skipped.
    left_out: integer(),
    actor: text(100),
    created_at: bigInteger(),
    undone_at: bigInteger().orNull(),
    undone_by: text(100).orNull(),
  }),

  ticket_seals: table(
    {
      import_id: text(40).references('seal_imports.id'),
      ticket_id: text(40).references('tickets.id'),
      // The ticket's place when the seal was imported: a fiscal title is for one seat, and a
      // moved ticket needs another.
      place: text(200),
      seal: text(60),
      progressive: text(60).orNull(),
      card: text(60).orNull(),
      // The import that replaced this seal; null while the seal counts.
      replaced_by: text(40).orNull().references('seal_imports.id').index(),
    },
    (t) => {
      t.primary(['import_id', 'ticket_id']);
    },
  ),

  /** Invoices, at most one per order, with all data that the law requires us to keep. */
  invoices: table({
    id: text(40).primary(),
    order_id: text(40).references('orders.id').unique(),
    name: text(200),
    address: text(200),
    postal_code: text(5),
    city: text(100),
    province: text(2),
    vat_number: text(11).orNull(),
    tax_code: text(16).orNull(),
    recipient_code: text(7).orNull(),
    pec: text(254).orNull(),
    asked_at: bigInteger(),
    changed_at: bigInteger(),
    // The invoice's number, its day (`2026-11-26`) and its author; set when the office has made
    // it.
    made_at: bigInteger().orNull(),
    made_number: text(40).orNull(),
    made_on: text(10).orNull(),
    made_by: text(100).orNull(),
  }),
};

export const paperIndexes = [
  // A ticket has at most one seal that counts, and a seal belongs to one ticket.
  'CREATE UNIQUE INDEX ticket_seals_live ON ticket_seals (ticket_id) WHERE replaced_by IS NULL',
  'CREATE UNIQUE INDEX ticket_seals_once ON ticket_seals (seal) WHERE replaced_by IS NULL',
  'CREATE INDEX invoices_asked ON invoices (asked_at, id)',
  // An index for summaries of some days.
  'CREATE INDEX payments_paid ON payments (paid_at)',
];
