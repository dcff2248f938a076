/**
 * The lists for other programs, page by page: the oldest or the lowest number comes first, so
 * that new rows come at the end.
 */
import type { Db } from '#db/engine/dialect.ts';
import { withoutRehearsals } from '#db/event/events.ts';
import { samePlaceAs, seatColumns } from '#db/joins.ts';
import { lowestFirst, type Page } from '#db/engine/page.ts';
import type {
  AdmissionRow,
  EventRow,
  OrderLineRow,
  OrderRow,
  PlaceRow,
  TicketRow,
} from '#db/rows.ts';

/** Events without drafts and rehearsals. */
export async function eventsForPrograms(
  db: Db,
  { id, changed_since }: { id?: string; changed_since?: number },
  page: Page,
): Promise<EventRow[]> {
  const query = db<EventRow>('events')
    .where({ rehearsal: 0 })
    .whereNot('status', 'draft')
    .select('events.*');
  lowestFirst(query, { at: db.raw('events.starts_at'), id: 'events.id' }, page);
  if (id !== undefined) query.where('events.id', id);
  if (changed_since !== undefined) query.where('events.updated_at', '>=', changed_since);
  return query;
}

interface OrderFilter {
  event_id?: string;
  number?: string;
  state?: OrderRow['state'];
  created_since?: number;
  /** Orders that were made since then or have an audit entry since then. */
  changed_since?: number;
}

export async function ordersForPrograms(
  db: Db,
  { event_id, number, state, created_since, changed_since }: OrderFilter,
  page: Page,
): Promise<OrderRow[]> {
  const query = withoutRehearsals(db, db('orders').select('orders.*'), 'orders.event_id');
  lowestFirst(query, { at: db.raw('orders.created_at'), id: 'orders.id' }, page);
  if (event_id !== undefined) query.where('orders.event_id', event_id);
  if (number !== undefined) query.where('orders.number', number);
  if (state !== undefined) query.where('orders.state', state);
  if (created_since !== undefined) query.where('orders.created_at', '>=', created_since);
  if (changed_since !== undefined)
    query.where((either) =>
      either
        .where('orders.created_at', '>=', changed_since)
        .orWhereIn('orders.id', db('audit').where('at', '>=', changed_since).select('subject')),
    );
  return query;
}

export type LineWithPlace = OrderLineRow & Pick<PlaceRow, 'kind' | 'section' | 'row' | 'seat'>;

export async function linesForPrograms(
  db: Db,
  order_ids: readonly string[],
): Promise<LineWithPlace[]> {
  return db('order_lines')
    .join('places', samePlaceAs('order_lines'))
    .whereIn('order_lines.order_id', order_ids as string[])
    .orderBy(['order_lines.order_id', 'order_lines.position'])
    .select('order_lines.*', ...seatColumns);
}

type TicketForPrograms = TicketRow &
  Pick<PlaceRow, 'kind' | 'section' | 'row' | 'seat' | 'category'> & {
    seq: number;
    order_number: string;
  };

/**
 * Tickets ordered by the number of their place in the door's sequence; a changed ticket comes
 * again at the end.
 */
export async function ticketsForPrograms(
  db: Db,
  { event_id, after_seq }: { event_id: string; after_seq?: number },
  page: Page,
): Promise<TicketForPrograms[]> {
  const query = db('places')
    .join('tickets', samePlaceAs('tickets'))
    .join('orders', 'orders.id', 'tickets.order_id')
    .where('places.event_id', event_id)
    .select(
      'tickets.*',
      'places.feed_seq as seq',
      'places.category',
      'orders.number as order_number',
      ...seatColumns,
    );
  lowestFirst(query, { at: db.raw('places.feed_seq'), id: 'tickets.id' }, page);
  if (after_seq !== undefined) query.where('places.feed_seq', '>', after_seq);
  return query;
}

type AdmissionForPrograms = Pick<
  AdmissionRow,
  | 'id'
  | 'ticket_id'
  | 'place'
  | 'revision'
  | 'direction'
  | 'gate'
  | 'offline'
  | 'corrected_at'
  | 'received_at'
  | 'conflict_with'
  | 'annulled_by'
> & { seq: number };

/**
 * Scans that let a guest in or out, ordered by the door's sequence; one that is taken back comes
 * again at the end.
 */
export async function admissionsForPrograms(
  db: Db,
  { event_id, after_seq }: { event_id: string; after_seq?: number },
  page: Page,
): Promise<AdmissionForPrograms[]> {
  const query = db<AdmissionRow>('admissions')
    .where({ event_id, counts: 1 })
    .whereNotNull('feed_seq')
    .select(
      'id',
      'ticket_id',
      'place',
      'revision',
      'direction',
      'gate',
      'offline',
      'corrected_at',
      'received_at',
      'conflict_with',
      'annulled_by',
      'feed_seq as seq',
    );
  lowestFirst(query, { at: db.raw('admissions.feed_seq'), id: 'admissions.id' }, page);
  if (after_seq !== undefined) query.where('feed_seq', '>', after_seq);
  return query;
}

interface OrderSums {
  orders: number;
  total_cents: number;
  fee_cents: number;
  service_cents: number;
  paid_cents: number;
  refunded_cents: number;
}

/** Sums over confirmed orders. */
export async function sumOrders(db: Db, event_id: string): Promise<OrderSums> {
  const row: Partial<Record<keyof OrderSums, number | string | null>> | undefined = await db(
    'orders',
  )
    .where({ event_id, state: 'confirmed' })
    .count({ orders: '*' })
    .sum({
      total_cents: 'total_cents',
      fee_cents: 'fee_cents',
      service_cents: 'service_cents',
      paid_cents: 'paid_cents',
      refunded_cents: 'refunded_cents',
    })
    .first();
  const numberOf = (name: keyof OrderSums) => Number(row?.[name] ?? 0);
  return {
    orders: numberOf('orders'),
    total_cents: numberOf('total_cents'),
    fee_cents: numberOf('fee_cents'),
    service_cents: numberOf('service_cents'),
    paid_cents: numberOf('paid_cents'),
    refunded_cents: numberOf('refunded_cents'),
  };
}

interface TypeSums {
  category: string;
  ticket_type: string;
  type_label: string;
  tickets: number;
  price_cents: number;
}

/** Sums over valid tickets, by category and ticket type. */
export async function sumTickets(db: Db, event_id: string): Promise<TypeSums[]> {
  const rows: TypeSums[] = await db('tickets')
    .join('places', samePlaceAs('tickets'))
    .where({ 'tickets.event_id': event_id, 'tickets.state': 'valid' })
    .groupBy('places.category', 'tickets.ticket_type', 'tickets.type_label')
    .orderBy(['places.category', 'tickets.ticket_type', 'tickets.type_label'])
    .select('places.category', 'tickets.ticket_type', 'tickets.type_label')
    .count({ tickets: '*' })
    .sum({ price_cents: 'tickets.price_cents' });
  return rows.map((row) => ({
    ...row,
    tickets: Number(row.tickets),
    price_cents: Number(row.price_cents),
  }));
}

interface OrderName {
  number: string;
  event_id: string;
  rehearsal: number;
}

export async function nameOfOrder(db: Db, order_id: string): Promise<OrderName | undefined> {
  return db('orders')
    .join('events', 'events.id', 'orders.event_id')
    .where('orders.id', order_id)
    .first('orders.number', 'orders.event_id', 'events.rehearsal');
}

export async function validTicketIds(db: Db, order_id: string): Promise<string[]> {
  return db<TicketRow>('tickets').where({ order_id, state: 'valid' }).orderBy('id').pluck('id');
}
