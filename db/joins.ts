/** How places and tickets are joined to rows that refer to them. */
import type { Knex } from 'knex';

/**
 * `.join('places', samePlaceAs('tickets'))` joins a table whose rows name an event and a place.
 */
export function samePlaceAs(table: string): Record<string, string> {
  return { 'places.event_id': `${table}.event_id`, 'places.place': `${table}.place` };
}

/** `.join('order_lines', linesOfRefunds)` joins from refund_lines, or the other way round. */
export const linesOfRefunds = {
  'order_lines.order_id': 'refund_lines.order_id',
  'order_lines.id': 'refund_lines.line_id',
};

/** `.leftJoin('tickets', ticketsOfLines)` joins order lines with their tickets. */
export const ticketsOfLines = {
  'tickets.order_id': 'order_lines.order_id',
  'tickets.place': 'order_lines.place',
};

export const seatColumns = ['places.kind', 'places.section', 'places.row', 'places.seat'] as const;

/**
 * `.leftJoin('ticket_seals', sealsOfTickets)` joins the valid seal, unless the ticket has moved
 * since the seal was issued.
 */
export function sealsOfTickets(on: Knex.JoinClause): void {
  on.on('ticket_seals.ticket_id', 'tickets.id')
    .andOn('ticket_seals.place', 'tickets.place')
    .andOnNull('ticket_seals.replaced_by');
}
