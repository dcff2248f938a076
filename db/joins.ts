/**
 * How places and tickets are joined to rows that name them, and by which name a place is known.
 */
import type { Knex } from 'knex';

/**
 * For `.join('places', samePlaceAs('tickets'))`: of a table whose rows name an event and a place.
 */
export function samePlaceAs(table: string): Record<string, string> {
  return { 'places.event_id': `${table}.event_id`, 'places.place': `${table}.place` };
}

/** For `.join('order_lines', linesOfRefunds)` from refund_lines, and the other way round. */
export const linesOfRefunds = {
  'order_lines.order_id': 'refund_lines.order_id',
  'order_lines.id': 'refund_lines.line_id',
};

/** For `.leftJoin('tickets', ticketsOfLines)`. */
export const ticketsOfLines = {
  'tickets.order_id': 'order_lines.order_id',
  'tickets.place': 'order_lines.place',
};

export const seatColumns = ['places.kind', 'places.section', 'places.row', 'places.seat'] as const;

/**
 * For `.leftJoin('ticket_seals', sealsOfTickets)`: the seal that counts, if the ticket is still
 * where it was then.
 */
export function sealsOfTickets(on: Knex.JoinClause): void {
  on.on('ticket_seals.ticket_id', 'tickets.id')
    .andOn('ticket_seals.place', 'tickets.place')
    .andOnNull('ticket_seals.replaced_by');
}
