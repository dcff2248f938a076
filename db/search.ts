/** The search of the whole office in SQL: which orders a few words may mean, each way by an index of its own. */
import type { OrderState } from '#server/domain/order.ts';
import { whereContains, type Db } from './dialect.ts';
import { rehearsalIds } from './events.ts';
import { whereSeen, type OrderScope } from './order-scope.ts';
import { foldedReceipt, receiptSpellings } from './receipts.ts';
import { foldReceipt } from '#server/domain/payment.ts';
import type { EventRow, OrderRow, TicketRow } from './rows.ts';

type TicketKey = Pick<TicketRow, 'order_id' | 'place' | 'revision'>;

export interface FoundOrder {
  id: string;
  number: OrderRow['number'];
  buyer_name: string | null;
  buyer_email: string | null;
  state: OrderState;
  event_title: string;
  starts_at: number;
}

/** Every word stands in number, name, mail or telephone; the newest first. The index that is read holds nothing else. */
export async function orderIdsByWords(
  db: Db,
  words: readonly string[],
  { limit, scope }: { limit: number; scope: OrderScope | undefined },
): Promise<string[]> {
  const query = db('orders').orderBy('created_at', 'desc').limit(limit);
  if (scope !== undefined) whereSeen(db, query, scope);
  for (const word of words) whereContains(query, 'search_text', word);
  return query.pluck('id');
}

/** A number as it is written, however it was typed. */
function orderNumberIn(q: string): string {
  const letters = q.replace(/[\s#-]/g, '').toUpperCase();
  return `${letters.slice(0, 4)}-${letters.slice(4, 9)}`;
}

/** By a whole number of a provider's or of ours, or a whole address. */
export async function orderIdsByCode(db: Db, q: string): Promise<string[]> {
  const receipt = foldReceipt(q);
  const ways = [
    db('orders').select('id').where('id', q),
    db('orders').select('id').where('number', orderNumberIn(q)),
    db('orders').select('id').where('payment_intent', q),
    db('orders')
      .select('id')
      .whereRaw('LOWER(buyer_email) = LOWER(?)', [q])
      .whereNotNull('buyer_email')
      .orderBy('created_at', 'desc'),
    db('orders').select('id').whereIn('receipt_number', receiptSpellings(q)),
    ...(['payments', 'refunds'] as const).map((table) =>
      db(table)
        .select('order_id as id')
        .whereRaw(`${foldedReceipt(table)} = ?`, [receipt]),
    ),
    db('tickets').select('order_id as id').where('id', q),
  ];
  const found: { id: string }[][] = [];
  for (const way of ways) found.push(await way.limit(5));
  return [...new Set(found.flat().map(({ id }) => id))];
}

/** Who has one of these seats at an event that is not long over; the nearest evening first. */
export async function orderIdsBySeat(
  db: Db,
  places: readonly string[],
  { after, limit }: { after: number; limit: number },
): Promise<{ id: string; place: string }[]> {
  const events: string[] = await db('events')
    .where('starts_at', '>', after)
    .orderBy('starts_at')
    .limit(60)
    .pluck('id');
  return db('order_lines')
    .join('events', 'events.id', 'order_lines.event_id')
    .whereIn('order_lines.event_id', events)
    .whereIn('order_lines.place', places as string[])
    .whereNull('order_lines.released_at')
    .orderBy('events.starts_at')
    .limit(limit)
    .select('order_lines.order_id as id', 'order_lines.place');
}

/** In the order of `ids`; those of rehearsals, and those that the caller may not see, are left out. */
export async function ordersById(
  db: Db,
  ids: readonly string[],
  scope: OrderScope | undefined,
): Promise<FoundOrder[]> {
  const query = db('orders')
    .join('events', 'events.id', 'orders.event_id')
    .whereIn('orders.id', ids as string[])
    .whereNotIn('orders.event_id', rehearsalIds(db))
    .select(
      'orders.id',
      'orders.number',
      'orders.buyer_name',
      'orders.buyer_email',
      'orders.state',
      'events.title as event_title',
      'events.starts_at',
    );
  if (scope !== undefined) whereSeen(db, query, scope);
  const rows: FoundOrder[] = await query;
  const at = new Map(ids.map((id, index) => [id, index]));
  return rows.sort((one, other) => at.get(one.id)! - at.get(other.id)!);
}

interface Named {
  events: { id: string; title: string; starts_at: number }[];
  phones: { id: string; name: string; gate: string | null }[];
}

/** Some hundred at most: they are looked through where the words are folded. */
export async function namedThings(db: Db): Promise<Named> {
  return {
    events: await db('events')
      .where({ rehearsal: 0 })
      .orderBy('starts_at', 'desc')
      .select('id', 'title', 'starts_at'),
    phones: await db('phones').whereNull('revoked_at').orderBy('name').select('id', 'name', 'gate'),
  };
}

/** The valid tickets of evenings in these hours, with what their codes are made of. */
export async function ticketsAround(
  db: Db,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<(Pick<EventRow, 'code_tag' | 'code_secret'> & TicketKey)[]> {
  return db('tickets')
    .join('events', 'events.id', 'tickets.event_id')
    .whereBetween('events.starts_at', [from, to])
    .where('events.rehearsal', 0)
    .where('tickets.state', 'valid')
    .limit(limit)
    .select(
      'tickets.order_id',
      'tickets.place',
      'tickets.revision',
      'events.code_tag',
      'events.code_secret',
    );
}
