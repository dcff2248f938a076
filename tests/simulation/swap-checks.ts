/** The checks of swaps: no seat is free between its two orders, and each code leads one way. */
import type { MovedTicketRow, TicketRow } from '#db/rows.ts';
import { hallOf, type World } from './world.ts';

type Swapped = MovedTicketRow & Pick<TicketRow, 'order_id' | 'place' | 'state'>;

/** Runs after every step: also where a process died on the way, both seats stay taken. */
export async function checkSwaps(world: World): Promise<void> {
  const rows: Swapped[] = await world.store
    .db('moved_tickets')
    .join('moves', 'moves.id', 'moved_tickets.move_id')
    .join('tickets', 'tickets.id', 'moved_tickets.ticket_id')
    .whereNotNull('moves.partner_id')
    .select('moved_tickets.*', 'tickets.order_id', 'tickets.place', 'tickets.state');
  for (const { event_id, ticket_id, order_id, place, to_place, state } of rows) {
    if (state !== 'valid' || place !== to_place) continue;
    const seats = hallOf(world, event_id);
    if (seats.holderOf(place) === null && !seats.isBlocked(place))
      world.wrong(`${place} of ${order_id} is free at the seat map after the swap of ${ticket_id}`);
  }
}
