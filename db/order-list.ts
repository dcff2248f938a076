/** The office's list of orders in SQL: search, filters, pages, sums. */
import type { Knex } from 'knex';
import type { OrderToWriteTo } from '#server/domain/message.ts';
import type { OrderState } from '#server/domain/order.ts';
import { foldReceipt, type MoneyState } from '#server/domain/payment.ts';
import { foundBy, searchWords } from '#server/domain/search.ts';
import { whereContains, whereWords, type Db } from './dialect.ts';
import { rehearsalIds } from './events.ts';
import { whereSeen } from './order-scope.ts';
import type { TillView } from '#server/domain/till-view.ts';
import { newestFirst, type Page } from './page.ts';
import { foldedReceipt, receiptSpellings } from './receipts.ts';
import type { OrderRow } from './rows.ts';

export interface OrderFilter {
  id?: string;
  /** Only of these. */ ids?: readonly string[] | undefined;
  q?: string | undefined;
  event_id?: string | undefined;
  state?: OrderState | undefined;
  money?: MoneyState | undefined;
  attention?: boolean | undefined;
  /** Milliseconds: created at or after, created before. */
  from?: number | undefined;
  before?: number | undefined;
  /** Null or not there: all that there are. */
  scope?: TillView | undefined;
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
}

/** Newest first, with what stands in other tables. */
export async function listOrders(db: Db, filter: OrderFilter, page: Page): Promise<ListedOrder[]> {
  const lastPayment = (column: string) =>
    db('payments')
      .select(column)
      .whereRaw('payments.order_id = orders.id')
      .orderBy([
        { column: 'paid_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(1);
  const query = matching(db, filter)
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
    );
  newestFirst(query, { table: 'orders', time: 'created_at' }, page);
  return query;
}

/** What decides who is written to, of everything that the filter finds, the oldest first. */
export async function ordersToWriteTo(
  db: Db,
  filter: OrderFilter,
  limit: number,
): Promise<OrderToWriteTo[]> {
  const valid = db('tickets')
    .count('*')
    .whereRaw('tickets.order_id = orders.id')
    .where('tickets.state', 'valid');
  const rows: OrderToWriteTo[] = await matching(db, filter)
    .select(
      'orders.id',
      'orders.number',
      'orders.event_id',
      'orders.state',
      'orders.buyer_name',
      'orders.buyer_email',
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

/** Of everything that the filter finds, not of one page. */
export async function totalOrders(db: Db, filter: OrderFilter): Promise<OrderTotals> {
  const row: Record<string, unknown> | undefined = await matching(db, filter)
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

function matching(
  db: Db,
  { id, ids, q, event_id, state, money, attention, from, before, scope }: OrderFilter,
): Knex.QueryBuilder {
  const query = db('orders').whereNotIn('orders.event_id', rehearsalIds(db));
  if (scope !== undefined) whereSeen(db, query, scope);
  if (id !== undefined) query.where('orders.id', id);
  if (ids !== undefined) query.whereIn('orders.id', ids as string[]);
  if (event_id !== undefined) query.where('orders.event_id', event_id);
  if (state !== undefined) query.where('orders.state', state);
  if (from !== undefined) query.where('orders.created_at', '>=', from);
  if (before !== undefined) query.where('orders.created_at', '<', before);
  if (money !== undefined) whereMoney[money](query);
  if (attention === true) query.whereIn('orders.id', waitingIds(db));
  if (attention === false) query.whereNotIn('orders.id', waitingIds(db));
  if (q !== undefined && q.trim() !== '') query.whereIn('orders.id', foundIds(db, q.trim()));
  return query;
}

/** What asks for a person is next to nothing: it is found first, and its orders are read then. */
function waitingIds(db: Db): Knex.QueryBuilder {
  return db('orders')
    .whereNotNull('needs_attention')
    .select('id')
    .union([
      db('refunds').where('state', 'asked').select('order_id'),
      db('disputes').whereNull('closed_at').select('order_id'),
    ]);
}

/** The rule of moneyOf() in SQL: the domain's tests compare the two. */
const whereMoney: Record<MoneyState, (query: Knex.QueryBuilder) => void> = {
  refunded: (query) => {
    query.where('orders.paid_cents', '>', 0).whereRaw('orders.refunded_cents >= orders.paid_cents');
  },
  partially_refunded: (query) => {
    query
      .where('orders.refunded_cents', '>', 0)
      .whereRaw('orders.refunded_cents < orders.paid_cents');
  },
  paid: (query) => {
    query.where((b) =>
      b
        .where((c) => c.where('orders.paid_cents', '>', 0).where('orders.refunded_cents', '<=', 0))
        .orWhere((c) => c.where('orders.paid_cents', '<=', 0).where('orders.state', 'confirmed')),
    );
  },
  processing: (query) => {
    query
      .where('orders.paid_cents', '<=', 0)
      .where('orders.state', 'awaiting_payment')
      .where('orders.session_status', 'complete');
  },
  unpaid: (query) => {
    query
      .where('orders.paid_cents', '<=', 0)
      .whereNot('orders.state', 'confirmed')
      .where((b) =>
        b
          .whereNot('orders.state', 'awaiting_payment')
          .orWhereNull('orders.session_status')
          .orWhereNot('orders.session_status', 'complete'),
      );
  },
};

/** Words that people say with a seat and that stand in no label. */
const seatTalk = new Set([
  'fila',
  'posto',
  'posti',
  'settore',
  'n.',
  'numero',
  'ordine',
  'ricevuta',
]);

/** Number, name, mail and telephone by every word; a seat by the words of its label, all in one place; a receipt, payment or session by the whole text. Each way has its own index. */
function foundIds(db: Db, q: string): Knex.QueryBuilder {
  const words = foundBy(q);
  const ways = [
    db('orders').select('id').where('payment_intent', q),
    db('checkout_sessions').select('order_id').where('id', q),
    db('orders').select('id').whereIn('receipt_number', receiptSpellings(q)),
    db('payments')
      .select('order_id')
      .where('payment_intent', q)
      .orWhere('charge_id', q)
      .orWhereRaw(`${foldedReceipt('payments')} = ?`, [foldReceipt(q)]),
    db('refunds')
      .select('order_id')
      .where('stripe_refund_id', q)
      .orWhereRaw(`${foldedReceipt('refunds')} = ?`, [foldReceipt(q)]),
    ...(words.length > 0 ? [whereWords(db('orders').select('id'), db, words)] : []),
    ...seatWay(db, q),
  ];
  return db('orders').select('id').where('id', q).union(ways);
}

/** A row's letter, a seat's number: without one of them nobody means a seat. */
function isOfSeat(word: string): boolean {
  return word.length <= 2 || (word.length <= 4 && /\d/.test(word));
}

function seatWay(db: Db, q: string): Knex.QueryBuilder[] {
  const telling = searchWords(q.replace(/[,;#-]/g, ' ')).filter((word) => !seatTalk.has(word));
  const short = telling.filter(isOfSeat);
  if (short.length === 0) return [];
  const lines = db('order_lines')
    .join('orders', 'orders.id', 'order_lines.order_id')
    .select('order_lines.order_id')
    .whereIn('order_lines.place', labelsWith(db, short));
  for (const word of telling.filter((one) => !isOfSeat(one)))
    lines.where((either) => {
      either
        .where((label) => whereLabelHas(label, { column: 'order_lines.place', word }))
        .orWhere((about) => {
          for (const part of foundBy(word))
            whereContains(about, db.raw(`' ' || orders.search_text`), ` ${part}`);
        });
    });
  return [lines];
}

/** The labels that were ever sold and have these words: the index is walked from one label to the next, however many orders had it. */
function labelsWith(db: Db, words: readonly string[]): Knex.QueryBuilder {
  const labels = db
    .withRecursive(
      'labels',
      db.raw(
        'SELECT min(place) AS place FROM order_lines UNION ALL SELECT (SELECT min(place) FROM order_lines WHERE place > labels.place) FROM labels WHERE labels.place IS NOT NULL',
      ),
    )
    .from('labels')
    .select('place')
    .whereNotNull('place');
  for (const word of words) whereLabelHas(labels, { column: 'labels.place', word });
  return labels;
}

/** `Primo ordine-A-12` has the words primo, ordine, a, 12; `a-12` is found, `1` is not. Labels keep their accents, the word lost them: only unaccented letters are sure to meet. */
function whereLabelHas(
  query: Knex.QueryBuilder,
  { column, word }: { column: string; word: string },
): Knex.QueryBuilder {
  return query.whereRaw(
    `'-' || REPLACE(REPLACE(LOWER(${column}), ' ', '-'), '#', '-') || '-' LIKE ? ESCAPE '!'`,
    [`%-${word.replace(/[!%_]/g, '!$&')}-%`],
  );
}

interface OrderOfBuyer {
  id: string;
  number: string;
  title: string;
  starts_at: number;
  /** Still valid. */ tickets: number;
}

/** The confirmed orders of an address, confirmed or played after a moment, the latest evening first. */
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
    .whereRaw('LOWER(orders.buyer_email) = LOWER(?)', [email])
    .whereNotNull('orders.buyer_email')
    .where('orders.state', 'confirmed')
    .where((b) =>
      b
        .where('orders.confirmed_at', '>', confirmed_after)
        .orWhere('events.starts_at', '>', starts_after),
    )
    .select('orders.id', 'orders.number', 'events.title', 'events.starts_at', valid.as('tickets'))
    .orderBy([{ column: 'events.starts_at', order: 'desc' }, { column: 'orders.id' }])
    .limit(limit);
}

export interface OrderOfAddress {
  order_id: string;
  number: string;
  /** Still valid. */ tickets: number;
}

/** The confirmed orders of one address for one event that still have valid tickets, the oldest first; capitals are no difference. */
export async function ticketsOfAddress(
  db: Db,
  { event_id, email }: { event_id: string; email: string },
): Promise<OrderOfAddress[]> {
  return db('orders')
    .join('tickets', 'tickets.order_id', 'orders.id')
    .whereRaw('LOWER(orders.buyer_email) = LOWER(?)', [email])
    .whereNotNull('orders.buyer_email')
    .where({ 'orders.event_id': event_id, 'orders.state': 'confirmed', 'tickets.state': 'valid' })
    .groupBy('orders.id', 'orders.number', 'orders.created_at')
    .orderBy('orders.created_at')
    .select('orders.id as order_id', 'orders.number')
    .count({ tickets: 'tickets.id' });
}
