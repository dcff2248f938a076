/** How places and tickets are joined to rows that refer to them. */
import type { Knex } from 'knex';

/**
 * `.join('places', samePlaceAs('tickets'))` joins a table whose rows name an event and a place.
 */
export function samePlaceAs(table: string): Record<string, string> {
  return { 'places.event_id': `${table}.event_id`, 'places.place': `${table}.place` };
}

/**
 * The lines that have their places, as in the index `order_lines_live_place`: neither released nor
 * offered to another buyer. A query by place that lacks one of the conditions reads the table.
 */
export function hasPlace(lines: string): string {
  return `${lines}.released_at IS NULL AND ${lines}.offered_at IS NULL`;
}

/** True for a line of a seat or of an object sold whole: these have one status at the seat map. */
export function hasOneStatus(lines: string): string {
  return `(${lines}.place = ${lines}.object_label OR ${lines}.whole_size > 0)`;
}

/** True for a place on which an order has a line. */
export function isSold(places: string): string {
  return `EXISTS (SELECT 1 FROM order_lines sold WHERE sold.event_id = ${places}.event_id AND sold.place = ${places}.place AND ${hasPlace('sold')})`;
}

/**
 * True where another order has the place `p` of a ticket `t` that was let go, or a part of its
 * object that is sold whole.
 */
export const isGiven = `(t.let_go_at IS NOT NULL AND EXISTS (SELECT 1 FROM order_lines l WHERE l.event_id = p.event_id AND l.order_id <> t.order_id AND (l.place = p.place OR (p.in_whole = 1 AND l.object_label = p.object_label)) AND ${hasPlace('l')}))`;

/**
 * True for a place without a line whose object is sold whole to fewer people than it has places
 * (RULES S8): it is not free, and it is not sold.
 */
export function isClosed(places: string): string {
  return `(${places}.in_whole = 1 AND NOT ${isSold(places)} AND EXISTS (SELECT 1 FROM places beside
    WHERE beside.event_id = ${places}.event_id AND beside.object_label = ${places}.object_label AND ${isSold('beside')}))`;
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

/** A line's reasons name an agreement, as they are written as JSON; a rule's content likewise. */
export const ofConvention = `LIKE '%"kind":"convention"%'`;

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
