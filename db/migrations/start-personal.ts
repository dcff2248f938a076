/**
 * Part of the start schema: requests for erasure, and what cannot be erased yet. It has no names
 * and no addresses.
 */
import { bigInteger, integer, text, table } from './table.ts';

export const personalTables = {
  /**
   * A request is stored for a while, so that it is repeated in a database restored from an
   * earlier backup.
   */
  erasures: table({
    id: text(40).primary(),
    // A keyed hash of the mail address.
    address_hash: text(64).index(),
    asked_at: bigInteger().index(),
    actor: text(100),
    // The number of orders, and of tickets in other people's orders, that were erased so far.
    erased: integer().defaultTo(0),
    // Null while something waits.
    done_at: bigInteger().orNull(),
    // True if it came from a file beside a backup; rows from before the backup are then searched
    // again.
    repeats: integer<0 | 1>().defaultTo(0),
  }),

  /**
   * Orders that cannot be erased until their event is over or something is decided. If there is a
   * ticket, only its holder is erased.
   */
  erasure_waits: table({
    id: text(40).primary(),
    erasure_id: text(40).references('erasures.id', 'CASCADE').index(),
    order_id: text(40).references('orders.id').index(),
    ticket_id: text(40).orNull(),
  }),
};

/** An index for every column in which addresses are searched. */
export const personalIndexes = [
  'CREATE INDEX tickets_holder_email ON tickets (LOWER(holder_email)) WHERE holder_email IS NOT NULL',
  'CREATE INDEX mails_to_address ON mails (LOWER(to_address)) WHERE to_address IS NOT NULL',
  'CREATE INDEX declines_buyer_email ON declines (LOWER(buyer_email)) WHERE buyer_email IS NOT NULL',
  'CREATE INDEX reminders_email ON reminders (LOWER(email))',
  // The daily work uses these indexes, so that it does not read erased rows.
  'CREATE INDEX mails_with_text ON mails (created_at) WHERE text IS NOT NULL',
  'CREATE INDEX admissions_read ON admissions (received_at) WHERE read IS NOT NULL',
];
