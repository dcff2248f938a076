/** How places and tickets stand beside rows that name them, and what a place is called by. */

/** For `.join('places', placesOf('tickets'))`: of a table whose rows name an event and a place. */
export function placesOf(table: string): Record<string, string> {
  return { 'places.event_id': `${table}.event_id`, 'places.place': `${table}.place` };
}

/** For `.leftJoin('tickets', ticketsOfLines)`. */
export const ticketsOfLines = {
  'tickets.order_id': 'order_lines.order_id',
  'tickets.place': 'order_lines.place',
};

export const seatColumns = ['places.kind', 'places.section', 'places.row', 'places.seat'] as const;
