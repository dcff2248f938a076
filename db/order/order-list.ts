/** The office's list of orders in SQL: search, filters, pages and sums. */
import type { Knex } from 'knex';
import type { OrderToWriteTo } from '#server/domain/mail/message.ts';
import type { OrderState } from '#server/domain/order/order.ts';
import type { MoneyState } from '#server/domain/order/payment.ts';
import { addressKey } from '#server/domain/text/mail-address.ts';
import type { Db } from '#db/engine/dialect.ts';
import { hasPlace } from '#db/joins.ts';
import { withoutRehearsals } from '#db/event/events.ts';
import { toHandBack, whereSeen } from './order-scope.ts';
import { whereOpen } from './orders.ts';
import { whereFound, wordWayOf, type WordWay } from './order-search.ts';
import type { TillView } from '#server/domain/counter/till-view.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type { OrderRow } from '#db/rows.ts';

export interface OrderFilter {
  id?: string;
  /** Only orders with these ids. */ ids?: readonly string[];
  /** Only orders whose ids this query finds. */ among?: Knex.QueryBuilder;
  q?: string;
  event_id?: string;
  state?: OrderState;
  money?: MoneyState;
  attention?: boolean;
  /** Only orders whose money a person has to give back by hand. */ hand_back?: boolean;
  /** Milliseconds: orders created from `from` on and before `before`. */
  from?: number;
  before?: number;
  /** Narrows the list to what a person at a till may see. */
  scope?: TillView;
}
export interface ListedOrder extends OrderRow {
  event_title: string;
  event_starts_at: number;
  places: number;
  method: string | null;
  payment_receipt: string | null;
  asked: number;
  disputed: number;
  pinned_note: string | null;
  part_of_number: string | null;
  /** Of `refunded_cents`: what went into orders of other dates. */ exchanged_cents: number;
  /** Of `refunded_cents`: what was left to the house. */ left_cents: number;
}

/**
 * Lists the newest first. The page is found before the columns of other tables are read, so that
 * these are read for its rows only.
 */
export async function listOrders(db: Db, filter: OrderFilter, page: Page): Promise<ListedOrder[]> {
  const onPage = matching(db, await lookedAt(db, filter)).select('orders.id');
  newestFirst(onPage, { table: 'orders', time: 'created_at' }, page);
  const ids: string[] = (await onPage).map(({ id }: { id: string }) => id);
  const rows = await listedOrders(db, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function listedOrders(db: Db, ids: readonly string[]): Promise<ListedOrder[]> {
  const lastPayment = (column: string) =>
    db('payments')
      .select(column)
      .whereRaw('payments.order_id = orders.id')
      .orderBy([
        { column: 'paid_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(1);
  return db('orders')
    .whereIn('orders.id', ids)
    .join('events', 'events.id', 'orders.event_id')
    .select(
      'orders.*',
      'events.title as event_title',
      'events.starts_at as event_starts_at',
      db('order_lines').count('*').whereRaw('order_lines.order_id = orders.id').as('places'),
      lastPayment('method').as('method'),
      lastPayment('receipt_number').as('payment_receipt'),
      asked(db).count('*').as('asked'),
      openDisputes(db).count('*').as('disputed'),
      db('order_notes')
        .select('text')
        .whereRaw('order_notes.order_id = orders.id')
        .where({ pinned: 1 })
        .limit(1)
        .as('pinned_note'),
      db('orders as first')
        .select('first.number')
        .whereRaw('first.id = orders.part_of')
        .as('part_of_number'),
      db('refunds')
        .sum('amount_cents')
        .whereRaw('refunds.order_id = orders.id')
        .where('refunds.kind', 'exchange')
        .as('exchanged_cents'),
      db('refunds')
        .sum('amount_cents')
        .whereRaw('refunds.order_id = orders.id')
        .where({ 'refunds.kind': 'gift', 'refunds.state': 'succeeded' })
        .as('left_cents'),
    );
}

/**
 * The orders that the filter finds, the oldest first, with the fields that decide which buyers
 * get a message.
 */
export async function ordersToWriteTo(
  db: Db,
  filter: OrderFilter,
  limit: number,
): Promise<OrderToWriteTo[]> {
  const valid = db('tickets')
    .count('*')
    .whereRaw('tickets.order_id = orders.id')
    .where('tickets.state', 'valid');
  const rows: OrderToWriteTo[] = await matching(db, await lookedAt(db, filter))
    .select(
      'orders.id',
      'orders.number',
      'orders.event_id',
      'orders.state',
      'orders.buyer_name',
      'orders.buyer_email',
      'orders.contact_hidden',
      'orders.buyer_forgotten_at',
      valid.as('tickets'),
    )
    .orderBy([{ column: 'orders.created_at' }, { column: 'orders.id' }])
    .limit(limit);
  return rows.map((row) => ({ ...row, tickets: Number(row.tickets) }));
}

interface OrderTotals {
  orders: number;
  total_cents: number;
  paid_cents: number;
  refunded_cents: number;
}

/** Sums over all orders that the filter finds, not only one page. */
export async function totalOrders(db: Db, filter: OrderFilter): Promise<OrderTotals> {
  const row: Record<string, unknown> | undefined = await matching(db, await lookedAt(db, filter))
    .count({ orders: '*' })
    .sum({
      total_cents: 'orders.total_cents',
      paid_cents: 'orders.paid_cents',
      refunded_cents: 'orders.refunded_cents',
    })
    .first();
  return {
    orders: Number(row?.['orders']),
    total_cents: Number(row?.['total_cents'] ?? 0),
    paid_cents: Number(row?.['paid_cents'] ?? 0),
    refunded_cents: Number(row?.['refunded_cents'] ?? 0),
  };
}

function asked(db: Db): Knex.QueryBuilder {
  return db('refunds').whereRaw('refunds.order_id = orders.id').where('refunds.state', 'asked');
}

function openDisputes(db: Db): Knex.QueryBuilder {
  return db('disputes').whereRaw('disputes.order_id = orders.id').whereNull('disputes.closed_at');
}

/** A filter, and the way in which its words are searched. */
type LookedAt = OrderFilter & { way: WordWay };

async function lookedAt(db: Db, filter: OrderFilter): Promise<LookedAt> {
  const q = filter.q?.trim() ?? '';
  return { ...filter, q, way: q === '' ? 'few' : await wordWayOf(db, q) };
}

function matching(
  db: Db,
  {
    id,
    ids,
    among,
    q = '',
    way,
    event_id,
    state,
    money,
    attention,
    hand_back,
    from,
    before,
    scope,
  }: LookedAt,
): Knex.QueryBuilder {
  const query = withoutRehearsals(db, db('orders'), 'orders.event_id');
  if (scope !== undefined) whereSeen(db, query, scope);
  if (id !== undefined) query.where('orders.id', id);
  if (ids !== undefined) query.whereIn('orders.id', ids as string[]);
  if (among !== undefined) query.whereIn('orders.id', among);
  if (event_id !== undefined) query.where('orders.event_id', event_id);
  if (state !== undefined) whereState(query, state);
  if (from !== undefined) query.where('orders.created_at', '>=', from);
  if (before !== undefined) query.where('orders.created_at', '<', before);
  if (money !== undefined) whereMoney[money](query);
  if (attention === true) query.whereIn('orders.id', waitingIds(db));
  if (attention === false) query.whereNotIn('orders.id', waitingIds(db));
  if (hand_back === true) query.whereIn('orders.id', toHandBack(db));
  if (q !== '') whereFound(db, query, { q, way });
  return query;
}

/** The same condition as in the start schema's index of the few orders with refunds. */
const givenBack = 'orders.refunded_cents > 0';

/**
 * Filters by the columns that have an index. The state has none, because a booking changes it
 * twice.
 */
function whereState(query: Knex.QueryBuilder, state: OrderState): void {
  if (state === 'confirmed') query.whereNotNull('orders.confirmed_at');
  else if (state === 'deleted') query.whereNotNull('orders.deleted_at');
  else whereOpen(query).where('orders.state', state);
}

/** The ids of the very few orders that wait for a person; the query reads these rows only. */
function waitingIds(db: Db): Knex.QueryBuilder {
  return db('orders')
    .whereNotNull('needs_attention')
    .select('id')
    .union([
      db('refunds').where('state', 'asked').select('order_id'),
      db('disputes').whereNull('closed_at').select('order_id'),
    ]);
}

/** The rule of moneyOf() in SQL; a test compares the two. */
const whereMoney: Record<MoneyState, (query: Knex.QueryBuilder) => void> = {
  refunded: (query) => {
    query
      .where('orders.paid_cents', '>', 0)
      .whereRaw('orders.refunded_cents >= orders.paid_cents')
      .whereRaw(givenBack);
  },
  partially_refunded: (query) => {
    query.whereRaw(givenBack).whereRaw('orders.refunded_cents < orders.paid_cents');
  },
  paid: (query) => {
    query.where((b) =>
      b
        .where((c) =>
          c
            .where('orders.paid_cents', '>', 0)
            .where('orders.refunded_cents', '<=', 0)
            .where((d) => d.whereNull('orders.deposit_end').orWhereNotNull('orders.confirmed_at')),
        )
        .orWhere((c) => c.where('orders.paid_cents', '<=', 0).whereNotNull('orders.confirmed_at')),
    );
  },
  deposit: (query) => {
    whereOpen(query).where('orders.state', 'awaiting_payment').whereNotNull('orders.deposit_end');
  },
  processing: (query) => {
    whereOpen(query)
      .where('orders.paid_cents', '<=', 0)
      .where('orders.state', 'awaiting_payment')
      .where('orders.session_status', 'complete');
  },
  unpaid: (query) => {
    query
      .where('orders.paid_cents', '<=', 0)
      .where((either) =>
        either
          .whereNotNull('orders.deleted_at')
          .orWhere((open) =>
            whereOpen(open).where((b) =>
              b
                .whereNot('orders.state', 'awaiting_payment')
                .orWhereNull('orders.session_status')
                .orWhereNot('orders.session_status', 'complete'),
            ),
          ),
      );
  },
};

interface OrderOfBuyer {
  link_key: string;
  number: string;
  title: string;
  starts_at: number;
  /** Counts valid tickets only. */ tickets: number;
}

/**
 * The confirmed orders of an address that are recent or for coming events, the latest event
 * first.
 */
export async function ordersOfBuyer(
  db: Db,
  email: string,
  {
    confirmed_after,
    starts_after,
    limit,
  }: { confirmed_after: number; starts_after: number; limit: number },
): Promise<OrderOfBuyer[]> {
  const valid = db('tickets')
    .count('*')
    .whereRaw('tickets.order_id = orders.id')
    .where({ state: 'valid' });
  return db('orders')
    .join('events', 'events.id', 'orders.event_id')
    .whereRaw('LOWER(orders.buyer_email) = ?', [addressKey(email)])
    .whereNotNull('orders.buyer_email')
    .where('orders.state', 'confirmed')
    .where((b) =>
      b
        .where('orders.confirmed_at', '>', confirmed_after)
        .orWhere('events.starts_at', '>', starts_after),
    )
    .select(
      'orders.link_key',
      'orders.number',
      'events.title',
      'events.starts_at',
      valid.as('tickets'),
    )
    .orderBy([{ column: 'events.starts_at', order: 'desc' }, { column: 'orders.id' }])
    .limit(limit);
}

export interface OrderOfAddress {
  order_id: string;
  number: string;
  /** Counts valid tickets only. */ tickets: number;
}

/** How many places the unpaid and confirmed orders of an address have together. */
export async function placesOfAddress(
  db: Db,
  { event_id, email }: { event_id: string; email: string },
): Promise<number> {
  const row = await db('orders')
    .join('order_lines', 'order_lines.order_id', 'orders.id')
    .whereRaw('LOWER(orders.buyer_email) = ?', [addressKey(email)])
    .where({ 'orders.event_id': event_id })
    .whereRaw(hasPlace('order_lines'))
    .count({ places: '*' })
    .first();
  return Number(row?.places ?? 0);
}

/**
 * The confirmed orders of one address (in any case) for one event that have valid tickets, the
 * oldest first.
 */
export async function ticketsOfAddress(
  db: Db,
  { event_id, email }: { event_id: string; email: string },
): Promise<OrderOfAddress[]> {
  return db('orders')
    .join('tickets', 'tickets.order_id', 'orders.id')
    .whereRaw('LOWER(orders.buyer_email) = ?', [addressKey(email)])
    .whereNotNull('orders.buyer_email')
    .where({ 'orders.event_id': event_id, 'orders.state': 'confirmed', 'tickets.state': 'valid' })
    .groupBy('orders.id', 'orders.number', 'orders.created_at')
    .orderBy('orders.created_at')
    .select('orders.id as order_id', 'orders.number')
    .count({ tickets: 'tickets.id' });
}
