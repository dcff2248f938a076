/** Evenings that move to another hall, in SQL: the plan, its lines, and what the run changes. */
import type { RehousingState } from '#server/domain/rehousing.ts';
import type { Db, Trx } from './dialect.ts';
import type {
  OrderLineRow,
  OrderRow,
  PlaceRow,
  RehousedLineRow,
  RehousingRow,
  TicketRow,
} from './rows.ts';
import { insertMany } from './statements.ts';

const ended: readonly RehousingState[] = ['done', 'dropped'];

export async function insertRehousing(trx: Trx, row: RehousingRow): Promise<void> {
  await trx<RehousingRow>('rehousings').insert(row);
}

export async function findRehousing(db: Db, id: string): Promise<RehousingRow | undefined> {
  return db<RehousingRow>('rehousings').where({ id }).first();
}

/** The one that is being prepared or runs. */
export async function openRehousing(db: Db, event_id: string): Promise<RehousingRow | undefined> {
  return db<RehousingRow>('rehousings').where({ event_id }).whereNotIn('state', ended).first();
}

/** The newest that was carried out. */
export async function lastRehousing(db: Db, event_id: string): Promise<RehousingRow | undefined> {
  return db<RehousingRow>('rehousings')
    .where({ event_id, state: 'done' })
    .orderBy('done_at', 'desc')
    .first();
}

interface RehousedTicket {
  move_id: string;
  order_id: string;
  number: string;
  buyer_name: string | null;
  difference_cents: number;
  from_place: string;
  to_place: string;
}

/** Who moved, ticket by ticket, order by order: nobody else moves between the last moment to call it off and the end. */
export async function rehousedTickets(
  db: Db,
  { event_id, commit_at, done_at }: Pick<RehousingRow, 'event_id' | 'commit_at' | 'done_at'>,
): Promise<RehousedTicket[]> {
  return db('moved_tickets')
    .join('moves', 'moves.id', 'moved_tickets.move_id')
    .join('orders', 'orders.id', 'moves.order_id')
    .where('moves.event_id', event_id)
    .whereBetween('moves.moved_at', [commit_at!, done_at!])
    .orderBy(['orders.number', 'moved_tickets.position'])
    .select(
      'moved_tickets.move_id',
      'moves.order_id',
      'orders.number',
      'orders.buyer_name',
      'moves.difference_cents',
      'moved_tickets.from_place',
      'moved_tickets.to_place',
    );
}

/** The mails about these moves, by their state. */
export async function mailStatesOf(
  db: Db,
  { event_id, commit_at, done_at }: Pick<RehousingRow, 'event_id' | 'commit_at' | 'done_at'>,
): Promise<string[]> {
  return db('mails')
    .join('moves', 'moves.id', 'mails.key')
    .where({ 'mails.kind': 'seats_changed', 'moves.event_id': event_id })
    .whereBetween('moves.moved_at', [commit_at!, done_at!])
    .pluck('mails.state');
}

/** False: somebody else was faster. */
export async function turnRehousing(
  trx: Trx,
  { id, state, version }: Pick<RehousingRow, 'id' | 'state' | 'version'>,
  changes: Partial<RehousingRow>,
): Promise<boolean> {
  return (
    (await trx<RehousingRow>('rehousings')
      .where({ id, state, version })
      .update({ ...changes, version: version + 1 })) === 1
  );
}

export async function rehousedLines(db: Db, rehousing_id: string): Promise<RehousedLineRow[]> {
  return db<RehousedLineRow>('rehoused_lines').where({ rehousing_id }).orderBy('line_id');
}

export async function replaceRehousedLines(
  trx: Trx,
  rehousing_id: string,
  rows: readonly RehousedLineRow[],
): Promise<void> {
  await trx<RehousedLineRow>('rehoused_lines').where({ rehousing_id }).delete();
  await insertMany(trx, 'rehoused_lines', rows);
}

/** In the new hall these places are booked for their order. */
export async function noteTaken(
  db: Db,
  ask: Pick<RehousedLineRow, 'rehousing_id' | 'order_id'>,
): Promise<void> {
  await db<RehousedLineRow>('rehoused_lines').where(ask).update({ taken: 1 });
}

/** A place that a live order has, with what is sold on it. */
export interface HousedLine
  extends
    Pick<
      OrderLineRow,
      | 'id'
      | 'order_id'
      | 'place'
      | 'object_label'
      | 'category'
      | 'ticket_type'
      | 'type_label'
      | 'price_id'
      | 'price_cents'
    >,
    Pick<
      PlaceRow,
      'kind' | 'section' | 'row' | 'seat' | 'category_key' | 'accessible' | 'companion'
    >,
    Pick<OrderRow, 'part_of' | 'buyer_name' | 'buyer_email' | 'state' | 'paid_by'> {
  number: string;
  ticket_id: string | null;
  ticket_revision: number | null;
}

export async function housedLines(db: Db, event_id: string): Promise<HousedLine[]> {
  return db('order_lines as l')
    .where({ 'l.event_id': event_id })
    .whereNull('l.released_at')
    .join('orders as o', 'o.id', 'l.order_id')
    .join('places as p', { 'p.event_id': 'l.event_id', 'p.place': 'l.place' })
    .leftJoin('tickets as t', (on) =>
      on.on('t.order_id', 'l.order_id').on('t.place', 'l.place').on('t.state', db.raw("'valid'")),
    )
    .orderBy(['l.order_id', 'l.position', 'l.id'])
    .select(
      'l.id',
      'l.order_id',
      'l.place',
      'l.object_label',
      'l.category',
      'l.ticket_type',
      'l.type_label',
      'l.price_id',
      'l.price_cents',
      'p.kind',
      'p.section',
      'p.row',
      'p.seat',
      'p.category_key',
      'p.accessible',
      'p.companion',
      'o.part_of',
      'o.buyer_name',
      'o.buyer_email',
      'o.state',
      'o.paid_by',
      'o.number',
      't.id as ticket_id',
      't.revision as ticket_revision',
    );
}

/** Places on which orders of the event had tickets that have ended: they keep their names there. */
export async function endedPlacesOf(
  db: Db,
  event_id: string,
): Promise<Pick<TicketRow, 'order_id' | 'place'>[]> {
  return db<TicketRow>('tickets')
    .where({ event_id })
    .whereNot({ state: 'valid' })
    .select('order_id', 'place');
}

/** Orders that somebody is working on right now, or that no seat map has heard of yet. */
export async function busyOrders(db: Db, event_id: string, now: number): Promise<number> {
  const rows = await db<OrderRow>('orders')
    .where({ event_id })
    .where((at) => at.where({ state: 'booking' }).orWhere('lease_until', '>', now))
    .select('id');
  const moving = await db('moves')
    .where({ event_id })
    .whereIn('state', ['taking', 'moved'])
    .select('id');
  return rows.length + moving.length;
}

/** Their orders wait until the transaction ends. */
export async function lockOrdersOf(trx: Trx, event_id: string): Promise<OrderRow[]> {
  return trx<OrderRow>('orders').where({ event_id }).orderBy('id').forUpdate();
}

export async function pauseSale(trx: Trx, id: string, sale_paused: 0 | 1): Promise<void> {
  await trx('events').where({ id }).update({ sale_paused }).increment('version', 1);
}

/** The hall from now on: what it has not is left behind, what the book lacks is added, and of what both have the new names and categories hold. */
export async function replaceHall(
  trx: Trx,
  event_id: string,
  hall: readonly Omit<PlaceRow, 'feed_seq'>[],
): Promise<void> {
  const known = await trx<PlaceRow>('places').where({ event_id });
  const byPlace = new Map(known.map((row) => [row.place, row]));
  const wanted = new Set(hall.map(({ place }) => place));
  const left = known.filter(({ place, in_hall }) => in_hall === 1 && !wanted.has(place));
  const feed_seq = Math.max(0, ...known.map((row) => Number(row.feed_seq))) + 1;
  if (left.length > 0) await trx<PlaceRow>('places').where({ event_id }).update({ in_hall: 0 });
  // How many codes a place has had, and of which secret, the hall does not say.
  for (const { issued: _, earlier_codes: __, ...place } of hall) {
    const before = byPlace.get(place.place);
    const isSame =
      before !== undefined &&
      left.length === 0 &&
      Object.entries(place).every(([name, value]) => before[name as keyof PlaceRow] === value);
    if (before && !isSame)
      await trx<PlaceRow>('places')
        .where({ event_id, place: place.place })
        .update({ ...place, in_hall: 1 });
  }
  const added = hall.filter(({ place }) => !byPlace.has(place));
  await insertMany(
    trx,
    'places',
    added.map((place, at) => ({ ...place, feed_seq: feed_seq + at })),
  );
  await trx('events')
    .where({ id: event_id })
    .update({ feed_seq: feed_seq + added.length });
}

/** One of them at a time may have a place of nobody, so that two can change places. */
export const scratchPlace = '~';

export async function openScratch(trx: Trx, event_id: string): Promise<void> {
  await trx<PlaceRow>('places').insert({
    event_id,
    place: scratchPlace,
    object_label: scratchPlace,
    kind: 'seat',
    category: '',
    category_key: '',
    section: null,
    row: null,
    seat: '',
    position: 1,
    issued: 0,
    feed_seq: 0,
    entrance: null,
    restricted_view: 0,
    accessible: 0,
    companion: 0,
    in_hall: 0,
  });
}

export async function closeScratch(trx: Trx, event_id: string): Promise<void> {
  await trx<PlaceRow>('places').where({ event_id, place: scratchPlace }).delete();
}
