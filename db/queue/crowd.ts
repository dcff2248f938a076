/** Counts in SQL what one network has booked and not paid. */
import type { Db } from '#db/engine/dialect.ts';
import { countRows } from '#db/engine/statements.ts';

interface AtMap {
  seatsio_event_key: string;
  /** The hash in the orders. */
  network: string;
}

/** Its places of the event in orders that are neither paid nor ended. */
export async function countUnpaidBy(db: Db, { seatsio_event_key, network }: AtMap) {
  return countRows(
    db('orders')
      .join('events', 'events.id', 'orders.event_id')
      .join('order_lines', 'order_lines.order_id', 'orders.id')
      .where({ 'orders.network': network, 'events.seatsio_event_key': seatsio_event_key })
      .whereNull('order_lines.released_at'),
  );
}

/** All places of the event's hall. */
export async function countHall(db: Db, event_id: string): Promise<number> {
  return countRows(db('places').where({ event_id, in_hall: 1 }));
}
