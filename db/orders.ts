/** Orders and their lines in SQL; every move of state is a guarded update. */
import type { Knex } from 'knex';
import { mayMove, openStates, type OrderState } from '#server/domain/order.ts';
import { searchWords } from '#server/domain/search.ts';
import { insertMany, whereContains, type Db } from './dialect.ts';
import type { OrderLineRow, OrderRow } from './rows.ts';

export async function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  return db<OrderRow>('orders').where({ id }).first();
}

export async function findOrderBySession(db: Db, session_id: string): Promise<OrderRow | undefined> {
  return db<OrderRow>('orders').where({ session_id }).first();
}

/** The unpaid order that this hold token carries. */
export async function openOrderOfHold(db: Db, event_id: string, hold_token: string): Promise<OrderRow | undefined> {
  return db<OrderRow>('orders').where({ event_id, hold_token }).whereIn('state', openStates as OrderState[]).first();
}

/** A finished order that was made with the very same call. */
export async function confirmedOrderOf(db: Db, event_id: string, hold_token: string, selection: string): Promise<OrderRow | undefined> {
  return db<OrderRow>('orders').where({ event_id, hold_token, selection, state: 'confirmed' }).first();
}

export async function insertOrder(trx: Knex.Transaction, order: OrderRow, lines: readonly OrderLineRow[]): Promise<void> {
  await trx<OrderRow>('orders').insert(order);
  await insertMany(trx, 'order_lines', lines);
}

/** False: somebody else was faster, read again. A move that the rule does not name is a mistake of ours. */
export async function moveOrder(db: Db, id: string, from: readonly OrderState[], to: OrderState, changes: Partial<OrderRow> = {}): Promise<boolean> {
  const forbidden = from.find((state) => !mayMove(state, to));
  if (forbidden !== undefined) throw new Error(`an order never moves from ${forbidden} to ${to}`);
  return (await db<OrderRow>('orders').where({ id }).whereIn('state', from as OrderState[]).update({ ...changes, state: to })) === 1;
}

/** Facts about an order that do not move it. */
export async function noteOrder(db: Db, id: string, changes: Omit<Partial<OrderRow>, 'id' | 'state'>): Promise<void> {
  await db<OrderRow>('orders').where({ id }).update(changes);
}

export async function linesOf(db: Db, order_id: string): Promise<OrderLineRow[]> {
  return db<OrderLineRow>('order_lines').where({ order_id }).orderBy('position');
}

/** The places become free for the next order in the same moment. */
export async function releaseLines(trx: Knex.Transaction, order_id: string, at: number): Promise<void> {
  await trx<OrderLineRow>('order_lines').where({ order_id }).whereNull('released_at').update({ released_at: at });
}

/** Takes the places back for a payment that came too late; the live index refuses if one is taken. */
export async function reclaimLines(trx: Knex.Transaction, order_id: string): Promise<void> {
  await trx<OrderLineRow>('order_lines').where({ order_id }).update({ released_at: null });
}

export interface OrderFilter { limit: number; before: { created_at: number; id: string } | null; q: string | undefined; event_id: string | undefined; state: OrderState | undefined }
export interface ListedOrder extends OrderRow { event_title: string; places: number }

/** Newest first, with the event's title and the number of places. */
export async function listOrders(db: Db, filter: OrderFilter): Promise<ListedOrder[]> {
  const query = db('orders').join('events', 'events.id', 'orders.event_id')
    .select('orders.*', 'events.title as event_title', db('order_lines').count('*').whereRaw('order_lines.order_id = orders.id').as('places'))
    .orderBy([{ column: 'orders.created_at', order: 'desc' }, { column: 'orders.id', order: 'desc' }]).limit(filter.limit);
  const { before, q, event_id, state } = filter;
  if (event_id !== undefined) query.where('orders.event_id', event_id);
  if (state !== undefined) query.where('orders.state', state);
  if (before) query.where((b) => b.where('orders.created_at', '<', before.created_at).orWhere((c) => c.where('orders.created_at', before.created_at).where('orders.id', '<', before.id)));
  if (q) {
    query.where((b) => {
      b.where((words) => { for (const word of searchWords(q)) whereContains(words, 'orders.search_text', word); });
      for (const column of ['orders.receipt_number', 'orders.payment_intent']) b.orWhere(column, q);
    });
  }
  const rows: ListedOrder[] = await query;
  return rows.map((row) => ({ ...row, places: Number(row.places) }));
}

/** Orders that wait for their end, the oldest first, page by page. */
export async function listOpenOrders(db: Db, filter: { created_before: number; after: { created_at: number; id: string } | null; limit: number }): Promise<Pick<OrderRow, 'id' | 'created_at'>[]> {
  const query = db<OrderRow>('orders').whereIn('state', openStates as OrderState[]).where('created_at', '<', filter.created_before).orderBy(['created_at', 'id']).limit(filter.limit).select('id', 'created_at');
  const { after } = filter;
  if (after) query.where((b) => b.where('created_at', '>', after.created_at).orWhere((c) => c.where('created_at', after.created_at).where('id', '>', after.id)));
  return query;
}

/** True: the order is ours alone until we give it back or the time is over. */
export async function takeLease(db: Db, id: string, ask: { lease: string; now: number; until: number }): Promise<boolean> {
  const taken = await db<OrderRow>('orders').where({ id }).where((b) => b.whereNull('lease').orWhere('lease_until', '<=', ask.now)).update({ lease: ask.lease, lease_until: ask.until });
  return taken === 1;
}

export async function giveLease(db: Db, id: string, lease: string): Promise<void> {
  await db<OrderRow>('orders').where({ id, lease }).update({ lease: null, lease_until: null });
}

/** A single process that starts knows that nobody works on anything: what a killed one had taken is free. */
export async function dropLeases(db: Db): Promise<void> {
  await db<OrderRow>('orders').whereNotNull('lease').update({ lease: null, lease_until: null });
}

/** Which of these places a live order has. */
export async function takenPlaces(db: Db, event_id: string, places: readonly string[]): Promise<string[]> {
  return db<OrderLineRow>('order_lines').where({ event_id }).whereIn('place', places as string[]).whereNull('released_at').pluck('place');
}
