/**
 * The guests of an event on the wire: one row per ticket, the same as a file, and the
 * alphabetical list on paper.
 */
import * as v from 'valibot';
import { ticketStates } from '#server/domain/door/admission.ts';
import { endpoint, listAsk, pageOf, text, timeOut, yesNo } from './endpoint.ts';

/**
 * `inside`: the guest came in and has not gone out since. `printed`: the ticket's present
 * revision was printed.
 */
const filters = {
  state: v.optional(v.picklist(ticketStates)),
  inside: yesNo,
  printed: yesNo,
};

export const listGuests = endpoint('GET', '/api/admin/events/:eventId/guests', {
  who: 'see_guests',
  refusals: ['event_not_found'],
  summary:
    'The tickets of an event with whom they are for, the newest first; q looks in holder, buyer, address, order number, seat and type',
  query: v.object({ ...listAsk, ...filters }),
  reply: v.object(
    pageOf(
      v.object({
        ticket_id: v.string(),
        order_id: v.string(),
        order_number: v.string(),
        state: v.picklist(ticketStates),
        seat: v.string(),
        category: v.string(),
        type_label: v.string(),
        price_cents: v.number(),
        holder: v.nullable(v.string()),
        buyer_name: v.nullable(v.string()),
        inside: v.boolean(),
        printed: v.boolean(),
      }),
    ),
  ),
});

/**
 * `excel`: as Italian Excel opens it; `plain`: comma, decimal point. No cell can start a formula.
 */
export const exportGuests = endpoint('GET', '/api/admin/events/:eventId/guests.csv', {
  who: 'export_orders',
  work: 'guests_file',
  sensitive: true,
  limit: 'document',
  refusals: ['event_not_found'],
  file: 'text/csv',
  summary: 'The tickets of an event with whom they are for, as a file',
  query: v.object({
    format: v.optional(v.picklist(['excel', 'plain'])),
    q: v.optional(text(100)),
    ...filters,
  }),
});

/** Valid tickets only. `with`: the group to which the guest belongs. */
export const readGuestPaper = endpoint('GET', '/api/admin/events/:eventId/guest-list', {
  who: 'see_guests',
  refusals: ['event_not_found'],
  summary: 'The alphabetical list of guests with their seats',
  reply: v.object({
    title: v.string(),
    starts_at: timeOut,
    venue_title: v.string(),
    made_at: timeOut,
    tickets: v.number(),
    letters: v.array(
      v.object({
        letter: v.string(),
        guests: v.array(
          v.object({
            name: v.nullable(v.string()),
            with: v.nullable(v.string()),
            tickets: v.number(),
            seats: v.array(v.string()),
          }),
        ),
      }),
    ),
  }),
});

export const downloadGuestPaper = endpoint('GET', '/api/admin/events/:eventId/ospiti.pdf', {
  who: 'export_orders',
  work: 'guests_file',
  sensitive: true,
  limit: 'document',
  refusals: ['event_not_found'],
  file: 'application/pdf',
  summary: 'The alphabetical list of guests on paper',
});
