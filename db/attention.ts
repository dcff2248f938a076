/** What waits for a person, in SQL: the oldest first. */
import type { SeatParts } from '#server/domain/seat-name.ts';
import type { Knex } from 'knex';
import type { Db } from './dialect.ts';
import { placesOf, seatColumns } from './joins.ts';
import { whereWaiting } from './refunds.ts';
import type { BreakRow, DisputeRow, EventRow, MailRow, OrderRow, RefundRow } from './rows.ts';
import { countRows } from './statements.ts';

/** The order that something is about; null where it is about none. */
interface AboutOrder {
  order_id: string | null;
  number: OrderRow['number'] | null;
  event_title: EventRow['title'] | null;
  buyer_name: string | null;
}
export interface Waiting {
  orders: (OrderRow & AboutOrder)[];
  refunds: (RefundRow & AboutOrder)[];
  disputes: (DisputeRow & AboutOrder & Pick<OrderRow, 'needs_attention'>)[];
  mails: (Pick<MailRow, 'id' | 'kind' | 'state' | 'to_address' | 'last_error' | 'created_at'> &
    AboutOrder)[];
  breaks: (Pick<BreakRow, 'id' | 'kind' | 'subject' | 'found_at'> & AboutOrder)[];
}

/** `pending_before`: refunds that still wait for their bank since before then. */
export interface WaitingAsk {
  limit: number;
  pending_before: number;
}

type Kind = keyof Waiting;

/** Stripe waits for an answer from us. */
const answerable = ['needs_response', 'warning_needs_response', 'appeal_needs_response'];

const wanted: Record<Kind, (db: Db, ask: WaitingAsk) => Knex.QueryBuilder> = {
  // What is told by its refund or its dispute is not told twice.
  orders: (db, ask) =>
    db('orders')
      .whereNotNull('orders.needs_attention')
      .whereNot((b) =>
        b
          .whereIn('orders.needs_attention', [
            'refund_failed',
            'refund_pending',
            'refunded_at_stripe',
          ])
          .whereExists(
            wanted.refunds(db, ask).whereRaw('refunds.order_id = orders.id').select('refunds.id'),
          ),
      )
      .whereNot((b) =>
        b
          .where('orders.needs_attention', 'disputed')
          .whereExists(
            db('disputes')
              .whereRaw('disputes.order_id = orders.id')
              .whereNull('disputes.closed_at')
              .select('disputes.id'),
          ),
      ),
  refunds: (db, { pending_before }) => whereWaiting(db('refunds'), pending_before),
  disputes: (db) =>
    db('disputes')
      .whereNull('disputes.closed_at')
      .where((b) =>
        b
          .whereIn('disputes.status', answerable)
          .orWhereIn(
            'disputes.order_id',
            db('orders').select('orders.id').where('orders.needs_attention', 'disputed'),
          ),
      ),
  // A later mail of the same kind that left, or may yet, has taken its place; and who paid at the till without an address waits for none.
  mails: (db) =>
    db('mails')
      .where('mails.state', 'failed')
      .whereNotExists(
        db('orders as nameless')
          .select('nameless.id')
          .whereRaw('nameless.id = mails.order_id')
          .whereNull('nameless.buyer_email'),
      )
      .whereNotExists(
        db('mails as later')
          .select('later.id')
          .whereRaw(
            'later.order_id = mails.order_id AND later.kind = mails.kind AND later.created_at > mails.created_at',
          ),
      ),
  breaks: (db) => db('breaks').whereNull('breaks.settled_at'),
};

const order: Record<Kind, string> = {
  orders: 'created_at',
  refunds: 'created_at',
  disputes: 'due_by',
  mails: 'created_at',
  breaks: 'found_at',
};
const kinds = Object.keys(order) as Kind[];

export async function listWaiting(db: Db, ask: WaitingAsk): Promise<Waiting> {
  const lists = await Promise.all(
    kinds.map(async (kind) => [
      kind,
      await withOrder(kind, wanted[kind](db, ask))
        .orderBy([`${kind}.${order[kind]}`, `${kind}.id`])
        .limit(ask.limit),
    ]),
  );
  return Object.fromEntries(lists) as Waiting;
}

/** Where whole rows would be long. */
const shown: Partial<Record<Kind, readonly string[]>> = {
  mails: ['id', 'order_id', 'kind', 'state', 'to_address', 'last_error', 'created_at'],
  breaks: ['id', 'order_id', 'kind', 'subject', 'found_at'],
};

function withOrder(kind: Kind, query: Knex.QueryBuilder): Knex.QueryBuilder {
  if (kind === 'orders')
    return query
      .join('events', 'events.id', 'orders.event_id')
      .select('orders.*', 'orders.id as order_id', 'events.title as event_title');
  return query
    .leftJoin('orders', 'orders.id', `${kind}.order_id`)
    .leftJoin('events', 'events.id', 'orders.event_id')
    .select((shown[kind] ?? ['*']).map((column) => `${kind}.${column}`))
    .select(
      'orders.number',
      'orders.buyer_name',
      'orders.needs_attention',
      'events.title as event_title',
    );
}

export async function countWaiting(db: Db, ask: WaitingAsk): Promise<number> {
  const counts = await Promise.all(kinds.map((kind) => countRows(wanted[kind](db, ask))));
  return counts.reduce((sum, count) => sum + count, 0);
}

export interface SeatOfOrder extends SeatParts {
  order_id: string;
  line_id: string;
  refund_ids: string[];
}

/** The places of these orders, with the refunds that name them. */
export async function seatsOfOrders(db: Db, order_ids: readonly string[]): Promise<SeatOfOrder[]> {
  const rows: (Omit<SeatOfOrder, 'refund_ids'> & { refund_id: string | null })[] = await db(
    'order_lines',
  )
    .whereIn('order_lines.order_id', order_ids as string[])
    .join('places', placesOf('order_lines'))
    .leftJoin('refund_lines', 'refund_lines.line_id', 'order_lines.id')
    .orderBy(['order_lines.order_id', 'order_lines.position'])
    .select(
      'order_lines.order_id',
      'order_lines.id as line_id',
      ...seatColumns,
      'refund_lines.refund_id',
    );
  const lines = Map.groupBy(rows, (row) => row.line_id);
  return [...lines.values()].map((same) => ({
    ...same[0]!,
    refund_ids: same.flatMap(({ refund_id }) => refund_id ?? []),
  }));
}
