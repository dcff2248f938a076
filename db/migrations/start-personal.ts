/**
 * Part of the start schema: requests for erasure, and what cannot be erased yet. No name and no
 * address is stored here.
 */
import { bigInteger, integer, text, table } from './table.ts';

export const personalTables = {
  /** Kept for a while, so that a database restored from an earlier backup erases them again. */
  erasures: table({
    id: text(40).primary(),
    // A keyed hash of the mail address.
    address_hash: text(64).index(),
    asked_at: bigInteger().index(),
    actor: text(100),
    // Orders, and tickets in orders of others, that have been erased so far.
    erased: integer().defaultTo(0),
    // Null: something waits.
    done_at: bigInteger().orNull(),
    // It came back from a file beside a backup: rows from before the backup are searched once
    // more.
    repeats: integer<0 | 1>().defaultTo(0),
  }),

  /**
   * Orders that are needed until their evening is over or something is decided; with a ticket
   * only its holder is erased.
   */
  erasure_waits: table({
    id: text(40).primary(),
    erasure_id: text(40).references('erasures.id', 'CASCADE').index(),
    order_id: text(40).references('orders.id').index(),
    ticket_id: text(40).orNull(),
  }),
};

/** All columns by which an address is found. */
export const personalIndexes = [
  'CREATE INDEX tickets_holder_email ON tickets (LOWER(holder_email)) WHERE holder_email IS NOT NULL',
  'CREATE INDEX mails_to_address ON mails (LOWER(to_address)) WHERE to_address IS NOT NULL',
  'CREATE INDEX declines_buyer_email ON declines (LOWER(buyer_email)) WHERE buyer_email IS NOT NULL',
  'CREATE INDEX reminders_email ON reminders (LOWER(email))',
  // For the daily work, which need not read what is erased already.
  'CREATE INDEX mails_with_text ON mails (created_at) WHERE text IS NOT NULL',
  'CREATE INDEX admissions_read ON admissions (received_at) WHERE read IS NOT NULL',
];
