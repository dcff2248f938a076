/** Shifts at the tills in SQL: the open drawers, and the money put into them and taken out. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import { samePlaceAs } from '#db/joins.ts';
import type { OrderLineRow, OrderRow, PlaceRow, ShiftMoveRow, ShiftRow } from '#db/rows.ts';
import { drawerOf, expectedCash } from '#server/domain/counter/counter.ts';
import { requireValue } from '#server/domain/require-value.ts';

/** What a shift that begins has not yet. */
export const notClosed = {
  closed_at: null,
  pieces: null,
  counted_cents: null,
  expected_cents: null,
  difference_reason: null,
  report: null,
};

export async function insertShift(trx: Trx, shift: ShiftRow): Promise<void> {
  await trx<ShiftRow>('shifts').insert(shift);
}

export async function findShift(db: Db, id: string): Promise<ShiftRow | undefined> {
  return db<ShiftRow>('shifts').where({ id }).first();
}

export async function openShiftOf(db: Db, user_id: string): Promise<ShiftRow | undefined> {
  return db<ShiftRow>('shifts').where({ user_id }).whereNull('closed_at').first();
}

export async function openShiftAt(db: Db, till_id: string): Promise<ShiftRow | undefined> {
  return db<ShiftRow>('shifts').where({ till_id }).whereNull('closed_at').first();
}

/** Locks the shift, so that it stays open until this transaction ends. */
export async function lockOpenShift(trx: Trx, user_id: string): Promise<ShiftRow | undefined> {
  return trx<ShiftRow>('shifts').where({ user_id }).whereNull('closed_at').forUpdate().first();
}

/** Locks those of these shifts that are open, in one order for all who lock several. */
export async function lockOpenShifts(trx: Trx, ids: readonly string[]): Promise<ShiftRow[]> {
  return trx<ShiftRow>('shifts')
    .whereIn('id', ids as string[])
    .whereNull('closed_at')
    .orderBy('id')
    .forUpdate();
}

export async function openShifts(db: Db): Promise<ShiftRow[]> {
  return db<ShiftRow>('shifts').whereNull('closed_at').orderBy(['till_name', 'id']);
}

/**
 * Returns false if the shift is closed already. It ends no earlier than its last payment, also
 * when the clock was set back.
 */
export async function closeShift(
  trx: Trx,
  id: string,
  { closed_at, ...facts }: Partial<ShiftRow> & { closed_at: number },
): Promise<boolean> {
  const paid = await trx('payments').where({ shift_id: id }).max({ at: 'paid_at' }).first();
  const closed = await trx<ShiftRow>('shifts')
    .where({ id })
    .whereNull('closed_at')
    .update({ ...facts, closed_at: Math.max(closed_at, Number(paid?.['at'] ?? 0)) });
  return closed === 1;
}

/** Lists the newest first, of one person or of all. */
export async function listShifts(
  db: Db,
  { user_id }: { user_id: string | undefined },
  page: Page,
): Promise<ShiftRow[]> {
  const query = db('shifts').select<ShiftRow[]>('shifts.*');
  if (user_id !== undefined) query.where('shifts.user_id', user_id);
  newestFirst(query, { table: 'shifts', time: 'opened_at' }, page);
  return query;
}

export async function insertMove(trx: Trx, move: ShiftMoveRow): Promise<void> {
  await trx<ShiftMoveRow>('shift_moves').insert(move);
}

export async function movesOf(db: Db, shift_id: string): Promise<ShiftMoveRow[]> {
  return db<ShiftMoveRow>('shift_moves').where({ shift_id }).orderBy(['at', 'id']);
}

interface MoneyOfMethod {
  method: string;
  count: number;
  amount_cents: number;
}

/** The money that a shift received, by method. */
export async function takenIn(db: Db, shift_id: string): Promise<MoneyOfMethod[]> {
  return counted(await sumByMethod(db, ['payments'], shift_id));
}

/** The money that a shift gave back, by method. */
export async function givenBack(db: Db, shift_id: string): Promise<MoneyOfMethod[]> {
  return counted(await sumByMethod(db, ['refunds', 'refund_parts'], shift_id));
}

/** The cash that lies in the drawer of a shift (RULES K3). */
export async function cashIn(db: Db, { id, float_cents }: ShiftRow): Promise<number> {
  const payments = await takenIn(db, id);
  const refunds = await givenBack(db, id);
  return expectedCash(drawerOf({ float_cents, payments, refunds, moves: await movesOf(db, id) }));
}

type Sum = { method: string | null; count: number | string; amount_cents: number | string };

/** Sums the rows of these tables together. */
async function sumByMethod(
  db: Db,
  tables: readonly ('payments' | 'refunds' | 'refund_parts')[],
  shift_id: string,
): Promise<Sum[]> {
  const rowsOf = (table: string) => db(table).where({ shift_id }).select('method', 'amount_cents');
  const [first, ...others] = tables.map(rowsOf);
  const rows = others.reduce((all, one) => all.unionAll(one), requireValue(first, 'table'));
  return db(rows.as('moved'))
    .groupBy('method')
    .orderBy('method')
    .select('method', db.raw('COUNT(*) AS count'), db.raw('SUM(amount_cents) AS amount_cents'));
}

function counted(sums: readonly Sum[]): MoneyOfMethod[] {
  return sums.map(({ method, count, amount_cents }) => ({
    method: method ?? 'other',
    count: Number(count),
    amount_cents: Number(amount_cents),
  }));
}

interface SoldOfType {
  event_id: string;
  event_title: string;
  starts_at: number;
  type_label: string;
  gift: boolean;
  tickets: number;
  amount_cents: number;
}

/**
 * Counts the tickets that a shift sold, by event and type. Gifts are counted apart, and tickets
 * that were refunded later still count.
 */
export async function soldIn(db: Db, shift_id: string): Promise<SoldOfType[]> {
  const rows: (Omit<SoldOfType, 'gift' | 'tickets' | 'amount_cents'> & {
    gift: number;
    tickets: number | string;
    amount_cents: number | string;
  })[] = await db('orders')
    .join('order_lines', 'order_lines.order_id', 'orders.id')
    .join('events', 'events.id', 'orders.event_id')
    .where({ 'orders.shift_id': shift_id, 'orders.state': 'confirmed' })
    .groupBy('events.id', 'events.title', 'events.starts_at', 'order_lines.type_label')
    .groupByRaw('CASE WHEN orders.gift_reason IS NULL THEN 0 ELSE 1 END')
    .orderBy(['events.starts_at', 'events.id', 'order_lines.type_label'])
    .select(
      'events.id as event_id',
      'events.title as event_title',
      'events.starts_at',
      'order_lines.type_label',
      db.raw('CASE WHEN orders.gift_reason IS NULL THEN 0 ELSE 1 END AS gift'),
      db.raw('COUNT(*) AS tickets'),
      db.raw('SUM(order_lines.price_cents + order_lines.fee_cents) AS amount_cents'),
    );
  return rows.map((row) => ({
    ...row,
    gift: Number(row.gift) === 1,
    tickets: Number(row.tickets),
    amount_cents: Number(row.amount_cents),
  }));
}

interface Gift {
  order_id: string;
  number: string;
  event_title: string;
  gift_reason: string;
  tickets: number;
}

/** The gifts of a shift, one row per order. */
export async function giftsIn(db: Db, shift_id: string): Promise<Gift[]> {
  const rows: Gift[] = await db('orders')
    .join('events', 'events.id', 'orders.event_id')
    .where({ 'orders.shift_id': shift_id, 'orders.state': 'confirmed' })
    .whereNotNull('orders.gift_reason')
    .orderBy(['orders.confirmed_at', 'orders.id'])
    .select(
      'orders.id as order_id',
      'orders.number',
      'events.title as event_title',
      'orders.gift_reason',
      db('order_lines').count('*').whereRaw('order_lines.order_id = orders.id').as('tickets'),
    );
  return rows.map((row) => ({ ...row, tickets: Number(row.tickets) }));
}

/** Counts the valid tickets that one person gave away for an event. */
export async function giftsOf(
  db: Db,
  { event_id, user_id }: { event_id: string; user_id: string },
): Promise<number> {
  const row = await db('orders')
    .leftJoin('shifts', 'shifts.id', 'orders.shift_id')
    .join('order_lines', 'order_lines.order_id', 'orders.id')
    .where({ 'orders.event_id': event_id, 'orders.state': 'confirmed' })
    .whereRaw('COALESCE(orders.sold_by, shifts.user_id) = ?', [user_id])
    .whereNotNull('orders.gift_reason')
    .whereNull('order_lines.released_at')
    .count<{ n: number | string }[]>({ n: '*' })
    .first();
  return Number(row?.n ?? 0);
}

interface ReservedOrder {
  order_id: string;
  number: string;
  event_id: string;
  event_title: string;
  starts_at: number;
  buyer_name: string | null;
  buyer_phone: string | null;
  contact_hidden: 0 | 1;
  total_cents: number;
  paid_cents: number;
  deposit_end: OrderRow['deposit_end'];
  pay_by: number;
  places: number;
}

/** Unpaid orders of the counter; the next to expire comes first. */
export async function reservedOrders(
  db: Db,
  { limit, event_id }: { limit: number; event_id: string | undefined },
): Promise<ReservedOrder[]> {
  const query = db('orders')
    .join('events', 'events.id', 'orders.event_id')
    .where({ 'orders.state': 'awaiting_payment', 'orders.channel': 'counter' })
    .orderBy(['orders.pay_by', 'orders.id'])
    .limit(limit)
    .select(
      'orders.id as order_id',
      'orders.number',
      'orders.event_id',
      'events.title as event_title',
      'events.starts_at',
      'orders.buyer_name',
      'orders.buyer_phone',
      'orders.contact_hidden',
      'orders.total_cents',
      'orders.paid_cents',
      'orders.deposit_end',
      'orders.pay_by',
      db('order_lines').count('*').whereRaw('order_lines.order_id = orders.id').as('places'),
    );
  if (event_id !== undefined) query.where('orders.event_id', event_id);
  const rows: ReservedOrder[] = await query;
  return rows.map((row) => ({ ...row, places: Number(row.places) }));
}

/** The places of these orders, with the parts of their names. */
export async function placesOfOrders(
  db: Db,
  order_ids: readonly string[],
): Promise<
  (Pick<PlaceRow, 'kind' | 'section' | 'row' | 'seat' | 'in_whole'> &
    Pick<OrderLineRow, 'order_id' | 'type_label'>)[]
> {
  return db('order_lines')
    .join('places', samePlaceAs('order_lines'))
    .whereIn('order_lines.order_id', order_ids as string[])
    .orderBy('places.feed_seq')
    .select(
      'order_lines.order_id',
      'order_lines.type_label',
      ...(['kind', 'section', 'row', 'seat', 'in_whole'] as const).map((name) => `places.${name}`),
    );
}
