/**
 * The books of events on the wire: their list, each as a signed file, and the key to the hashed
 * people of one order.
 */
import * as v from 'valibot';
import { endpoint, listAsk, pageOf, text, timeOut } from './endpoint.ts';

/** `key`: the house's public key in base64url. `days`: the newest published heads. */
const published = {
  key: v.string(),
  fingerprint: v.string(),
  days: v.array(v.object({ day: v.string(), head: v.string(), made_at: timeOut })),
};

/** `written_at`: the time of the last row. */
export const listBooks = endpoint('GET', '/api/admin/books', {
  who: 'see_money',
  summary: 'The books of events, latest evening first',
  query: v.object(listAsk),
  reply: v.object({
    ...published,
    ...pageOf(
      v.object({
        event_id: v.string(),
        title: v.string(),
        starts_at: timeOut,
        rows: v.number(),
        written_at: timeOut,
      }),
    ),
  }),
});

/** JSON lines in gzip: .github/decisions/2026-11-26-the-book.md. */
export const downloadBook = endpoint('GET', '/api/admin/books/:eventId/file', {
  who: 'see_money',
  work: 'book_file',
  limit: 'document',
  refusals: ['event_not_found', 'book_empty'],
  summary: 'The signed book of an event',
  file: 'application/gzip',
});

/**
 * A book has names and addresses as hashes; this answers with those of one order and the key of
 * the hashes.
 */
export const openBookOrder = endpoint('GET', '/api/admin/books/opening', {
  who: 'see_money',
  refusals: ['book_empty', 'order_not_found'],
  summary: 'Who the hashes of an order stand for',
  query: v.object({ order: text(20, 1) }),
  reply: v.object({
    order: v.string(),
    key: v.string(),
    buyer: v.nullable(v.string()),
    mail: v.nullable(v.string()),
    holders: v.array(v.string()),
  }),
});
