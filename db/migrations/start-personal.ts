/**
 * Part of the start schema: people who asked to be erased, and what of them cannot go yet. No name
 * and no address stands here.
 */
import { bigInteger, integer, text, table } from './table.ts';

export const personalTables = {
  /**
   * Kept for a while, so that a house that comes back from a backup of before erases them again.
   */
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
    // It came back from beside a backup: rows of before it are looked for once more.
    repeats: integer<0 | 1>().defaultTo(0),
  }),

  /**
   * Orders that are needed until their evening is over or something is decided; with a ticket: only
   * its holder goes.
   */
  erasure_waits: table({
    id: text(40).primary(),
    erasure_id: text(40).references('erasures.id', 'CASCADE').index(),
    order_id: text(40).references('orders.id').index(),
    ticket_id: text(40).orNull(),
  }),
};

/** All that an address is found by. */
export const personalIndexes = [
  'CREATE INDEX tickets_holder_email ON tickets (LOWER(holder_email)) WHERE holder_email IS NOT NULL',
  'CREATE INDEX mails_to_address ON mails (LOWER(to_address)) WHERE to_address IS NOT NULL',
  'CREATE INDEX declines_buyer_email ON declines (LOWER(buyer_email)) WHERE buyer_email IS NOT NULL',
  'CREATE INDEX reminders_email ON reminders (LOWER(email))',
  // What the daily work looks for: nobody walks through what is blank already.
  'CREATE INDEX mails_with_text ON mails (created_at) WHERE text IS NOT NULL',
  'CREATE INDEX admissions_read ON admissions (received_at) WHERE read IS NOT NULL',
];
