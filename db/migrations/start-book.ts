/**
 * Part of the start schema: the books of events, which are only ever added to, and the heads that
 * are published of them.
 */
import { bigInteger, integer, text, table } from './table.ts';

export const bookTables = {
  books: table({
    event_id: text(100).primary().references('events.id'),
    // The first line of the file, which never changes.
    header: text(),
    // Names and addresses are hashed with it; sealed where SECRETS_KEY is set.
    salt: text(160),
    // How far it goes.
    rows: integer(),
    hash: text(43),
    // The door's number up to which it contains tickets and scans.
    feed_seq: bigInteger(),
    opened_at: bigInteger(),
    // Of the newest row that is no head.
    written_at: bigInteger(),
  }),

  book_rows: table(
    {
      event_id: text(100).references('books.event_id'),
      n: integer(),
      // What it is about, by its own id, which is in no file: `ticket <id>`, `payment <id>`.
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
   * Orders whose book is incomplete: Stripe tells its fee later, or has sent their money to the
   * bank.
   */
  book_waits: table({
    order_id: text(40).primary().references('orders.id'),
    event_id: text(100),
    since: bigInteger(),
  }),

  /** One head a day over all open books and the audit log. */
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
