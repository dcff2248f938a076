/**
 * Part of the start schema: the books of events, to which rows are only added, and their
 * published heads.
 */
import { bigInteger, integer, text, table } from './table.ts';

export const bookTables = {
  books: table({
    event_id: text(100).primary().references('events.id'),
    // The first line of the file, which never changes.
    header: text(),
    // The salt of hashed names and addresses; sealed where SECRETS_KEY is set.
    salt: text(160),
    // The number of rows.
    rows: integer(),
    hash: text(43),
    // Tickets and scans up to this number of the door's sequence are in the book.
    feed_seq: bigInteger(),
    opened_at: bigInteger(),
    // The time of the newest row that is not a head.
    written_at: bigInteger(),
  }),

  book_rows: table(
    {
      event_id: text(100).references('books.event_id'),
      n: integer(),
      // What the row is about, by an id that no file contains: `ticket <id>`, `payment <id>`.
      subject: text(120),
      text: text(),
      hash: text(43),
    },
    (t) => {
      t.primary(['event_id', 'n']);
      t.index(['event_id', 'subject']);
    },
  ),

  /**
   * Orders whose book is incomplete: Stripe has not reported the fee yet, or has paid out the
   * money meanwhile.
   */
  book_waits: table({
    order_id: text(40).primary().references('orders.id'),
    event_id: text(100),
    since: bigInteger(),
  }),

  /** One head a day, over all open books and the audit log. */
  book_days: table({
    day: text(10).primary(),
    before: text(43),
    root: text(43),
    seal: integer(),
    seal_hash: text(64),
    books: integer(),
    head: text(43),
    signature: text(86),
    made_at: bigInteger(),
  }),
};
