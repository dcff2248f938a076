/**
 * Downloads of tickets and calendar entries, on the wire. The link is enough to get them, as on the
 * order page; they are never cached.
 */
import * as v from 'valibot';
import { endpoint, text } from '#server/contract/endpoint.ts';

const paper = {
  limit: 'document',
  refusals: [
    'order_not_found',
    'order_not_confirmed',
    'ticket_not_found',
    'no_valid_tickets',
    'holder_missing',
  ],
  summary: 'The valid tickets of an order on paper',
  file: 'application/pdf',
} as const;
const oneTicket = v.object({ ticket: v.optional(text(100, 1)) });
const entry = {
  limit: 'document',
  refusals: ['order_not_found', 'order_not_confirmed'],
  summary: 'The evening as a calendar entry',
  file: 'text/calendar',
} as const;

/**
 * One A4 page per valid ticket, or only that of `ticket` (a ticket_id); tickets of nominative
 * events are included once they have a name. The file is PDF/UA with text that can be read and
 * searched.
 */
export const downloadTickets = endpoint('GET', '/api/orders/:orderId/tickets.pdf', {
  who: 'public',
  ...paper,
  query: oneTicket,
});

/** The same for the office. */
export const downloadTicketsAtDesk = endpoint('GET', '/api/admin/orders/:orderId/tickets.pdf', {
  who: 'see_orders',
  ...paper,
  query: oneTicket,
});

/**
 * iCalendar, UTC, the same UID each time; for a cancelled event, an entry that removes the event
 * from the calendar.
 */
export const downloadCalendar = endpoint('GET', '/api/orders/:orderId/calendar.ics', {
  who: 'public',
  ...entry,
});

/** The same for the office. */
export const downloadCalendarAtDesk = endpoint('GET', '/api/admin/orders/:orderId/calendar.ics', {
  who: 'see_orders',
  ...entry,
});
