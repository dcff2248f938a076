/** The orders that one shift sold, in SQL, for a customer who returns to the seller. */
import type { OrderState } from '#server/domain/order/order.ts';
import type { Db } from '#db/engine/dialect.ts';
import { samePlaceAs, seatColumns } from '#db/joins.ts';
import type { PaymentRow, PlaceRow, TicketRow } from '#db/rows.ts';

interface ShiftSale {
  order_id: string;
  number: string;
  event_id: string;
  event_title: string;
  starts_at: number;
  state: OrderState;
  total_cents: number;
  refunded_cents: number;
  buyer_name: string | null;
  gift_reason: string | null;
  confirmed_at: number;
}

interface OwnSales {
  /** Null: the seller has no open shift. */
  shift_id: string | null;
  user_id: string;
  since: number;
  limit: number;
}

/** Lists a shift's sales and what its seller gave without one since then, the newest first. */
export async function salesOf(
  db: Db,
  { shift_id, user_id, since, limit }: OwnSales,
): Promise<ShiftSale[]> {
  const query = db('orders')
    .join('events', 'events.id', 'orders.event_id')
    .where({ 'orders.state': 'confirmed' })
    .where((own) => {
      own.where((b) =>
        b
          .whereNull('orders.shift_id')
          .where('orders.sold_by', user_id)
          .where('orders.confirmed_at', '>=', since),
      );
      if (shift_id !== null) own.orWhere('orders.shift_id', shift_id);
    })
    .orderBy([
      { column: 'orders.confirmed_at', order: 'desc' },
      { column: 'orders.id', order: 'desc' },
    ])
    .limit(limit)
    .select(
      'orders.id as order_id',
      'orders.number',
      'orders.event_id',
      'events.title as event_title',
      'events.starts_at',
      'orders.state',
      'orders.total_cents',
      'orders.refunded_cents',
      'orders.buyer_name',
      'orders.gift_reason',
      'orders.confirmed_at',
    );
  return query;
}

type SoldTicket = Pick<TicketRow, 'order_id' | 'state' | 'type_label'> &
  Pick<PlaceRow, 'kind' | 'section' | 'row' | 'seat'> & {
    ticket_id: string;
    price_cents: number;
    fee_cents: number;
  };

/** The tickets of these orders with their prices in cents. */
export async function ticketsSold(db: Db, order_ids: readonly string[]): Promise<SoldTicket[]> {
  return db('tickets')
    .join('places', samePlaceAs('tickets'))
    .join('order_lines', (join) =>
      join
        .on('order_lines.order_id', 'tickets.order_id')
        .andOn('order_lines.place', 'tickets.place'),
    )
    .whereIn('tickets.order_id', order_ids as string[])
    .select(
      'tickets.id as ticket_id',
      'tickets.order_id',
      'tickets.state',
      'tickets.type_label',
      'order_lines.price_cents',
      'order_lines.fee_cents',
      ...seatColumns,
    );
}

/** The ways in which each of these orders was paid, each way once. */
export async function methodsOf(
  db: Db,
  order_ids: readonly string[],
): Promise<Pick<PaymentRow, 'order_id' | 'kind' | 'method'>[]> {
  return db('payments')
    .whereIn('order_id', order_ids as string[])
    .distinct('order_id', 'kind', 'method')
    .orderBy(['order_id', 'method', 'kind']);
}
