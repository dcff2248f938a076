/**
 * All tickets of an event on paper, on the wire: what is to be printed, and what a browser's
 * printer has printed.
 */
import * as v from 'valibot';
import { endpoint, text, timeOut } from './endpoint.ts';

/**
 * The event's orders, sorted by number. `printed`: how many valid tickets of an order are on
 * paper in their present revision. A cashier sees only the events on sale now.
 */
export const readEventPaper = endpoint('GET', '/api/admin/counter/events/:eventId/paper', {
  who: 'sell',
  refusals: ['event_not_found'],
  summary: 'The orders of an event whose tickets can be printed',
  reply: v.object({
    title: v.string(),
    starts_at: timeOut,
    items: v.array(
      v.object({
        order_id: v.string(),
        number: v.string(),
        buyer_name: v.nullable(v.string()),
        tickets: v.number(),
        printed: v.number(),
      }),
    ),
  }),
});

/**
 * The person at a browser's printer sends this; a network printer reports by itself. A printed
 * older revision is not counted.
 */
export const notePrinted = endpoint('POST', '/api/admin/counter/orders/:orderId/printed', {
  who: 'sell',
  limit: 'sell',
  refusals: ['order_not_found', 'order_not_confirmed'],
  summary: 'Note tickets that a browser has printed',
  body: v.object({
    tickets: v.pipe(
      v.array(
        v.object({
          ticket_id: text(40, 1),
          revision: v.pipe(v.number(), v.integer(), v.minValue(1)),
        }),
      ),
      v.maxLength(200),
    ),
  }),
});
