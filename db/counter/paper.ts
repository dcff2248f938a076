/** Printed tickets in SQL: the revision of each ticket that was printed last. */
import type { Db } from '#db/engine/dialect.ts';
import type { TicketRow } from '#db/rows.ts';

type Printed = Pick<TicketRow, 'id' | 'revision'>;

/** Stores the printed revision, unless the ticket has a newer one by now. */
export async function notePaper(db: Db, tickets: readonly Printed[]): Promise<void> {
  for (const [revision, same] of Map.groupBy(tickets, (ticket) => ticket.revision))
    await db<TicketRow>('tickets')
      .whereIn(
        'id',
        same.map(({ id }) => id),
      )
      .where({ revision })
      .update({ printed_revision: revision });
}

interface OrderOnPaper {
  order_id: string;
  number: string;
  buyer_name: string | null;
  /** Counts valid tickets only. */ tickets: number;
  printed: number;
}

/** Confirmed orders of an event with valid tickets, ordered by number. */
export async function ordersForPaper(
  db: Db,
  event_id: string,
  limit: number,
): Promise<OrderOnPaper[]> {
  const rows: (Omit<OrderOnPaper, 'tickets' | 'printed'> & {
    tickets: number | string;
    printed: number | string;
  })[] = await db('tickets')
    .join('orders', 'orders.id', 'tickets.order_id')
    .where({ 'tickets.event_id': event_id, 'tickets.state': 'valid', 'orders.state': 'confirmed' })
    .groupBy('orders.id', 'orders.number', 'orders.buyer_name')
    .orderBy('orders.number')
    .limit(limit)
    .select(
      'orders.id as order_id',
      'orders.number',
      'orders.buyer_name',
      db.raw('COUNT(*) AS tickets'),
      db.raw(
        'SUM(CASE WHEN tickets.printed_revision = tickets.revision THEN 1 ELSE 0 END) AS printed',
      ),
    );
  return rows.map((row) => ({
    ...row,
    tickets: Number(row.tickets),
    printed: Number(row.printed),
  }));
}
