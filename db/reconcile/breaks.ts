/** Differences (breaks) in SQL: one open row for each, until a person settles it or it ends. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { hasOneStatus, hasPlace } from '#db/joins.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type { BreakRow, New, OrderLineRow } from '#db/rows.ts';

export async function findBreak(db: Db, id: string): Promise<BreakRow | undefined> {
  return db<BreakRow>('breaks').where({ id }).first();
}

/** The newest difference of this kind and subject, open or settled. */
export async function lastBreak(
  db: Db,
  kind: string,
  subject: string,
): Promise<BreakRow | undefined> {
  return db<BreakRow>('breaks')
    .where({ kind, subject })
    .orderBy([
      { column: 'found_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first();
}

/** Returns false if another process has just stored the same. */
export async function insertBreak(trx: Trx, row: New<BreakRow>): Promise<boolean> {
  const made = await trx<BreakRow>('breaks')
    .insert(row)
    .onConflict(trx.raw('(kind, subject) WHERE settled_at IS NULL') as never)
    .ignore()
    .returning('id');
  return made.length === 1;
}

export async function noteBreakSeen(
  db: Db,
  id: string,
  changes: { seen_at: number; detail: string },
): Promise<void> {
  await db<BreakRow>('breaks').where({ id }).update(changes);
}

/** Returns false if it is settled already. */
export async function settleBreakRow(
  db: Db,
  id: string,
  settled: Pick<BreakRow, 'settled_at' | 'settled_by' | 'settlement' | 'note'>,
): Promise<boolean> {
  return (await db<BreakRow>('breaks').where({ id }).whereNull('settled_at').update(settled)) === 1;
}

export async function listOpenBreaks(
  db: Db,
  kinds: readonly string[],
  event_id?: string,
): Promise<BreakRow[]> {
  const query = db<BreakRow>('breaks')
    .whereNull('settled_at')
    .whereIn('kind', kinds as string[])
    .orderBy(['found_at', 'id']);
  if (event_id !== undefined) query.where({ event_id });
  return query;
}

export interface ListedBreak extends BreakRow {
  event_title: string | null;
  event_starts_at: number | null;
  order_number: string | null;
}

/** Lists the newest first. */
export async function listBreaks(db: Db, open: boolean, page: Page): Promise<ListedBreak[]> {
  const query = db('breaks')
    .leftJoin('events', 'events.id', 'breaks.event_id')
    .leftJoin('orders', 'orders.id', 'breaks.order_id')
    .select(
      'breaks.*',
      'events.title as event_title',
      'events.starts_at as event_starts_at',
      'orders.number as order_number',
    );
  newestFirst(query, { table: 'breaks', time: 'found_at' }, page);
  if (open) query.whereNull('breaks.settled_at');
  else query.whereNotNull('breaks.settled_at');
  return query;
}

/** A seat, or an object sold whole, that an order has. */
interface LiveLine {
  order_id: string;
  order_state: string;
  object_label: string;
  ticket_type: string;
  booked_type: string | null;
}

/**
 * The sold or booked seats and objects sold whole, these once for each of their places;
 * `countLiveInAreas` counts places of standing areas.
 */
export async function liveLines(db: Db, event_id: string): Promise<LiveLine[]> {
  return selectLive(db)
    .where('order_lines.event_id', event_id)
    .whereRaw(hasOneStatus('order_lines'));
}

export async function liveLineOn(
  db: Db,
  event_id: string,
  object_label: string,
): Promise<LiveLine | undefined> {
  // Lines have an index of places, not of objects.
  const places = db('places').where({ event_id, object_label }).select('place');
  return selectLive(db)
    .where({ 'order_lines.event_id': event_id })
    .whereIn('order_lines.place', places)
    .first();
}

function selectLive(db: Db) {
  return db('order_lines')
    .join('orders', 'orders.id', 'order_lines.order_id')
    .whereRaw(hasPlace('order_lines'))
    .select(
      'order_lines.order_id',
      'orders.state as order_state',
      'order_lines.object_label',
      'order_lines.ticket_type',
      'order_lines.booked_type',
    );
}

/**
 * Counts the places of each standing area: those sold or waiting for payment, and those that are
 * being booked.
 */
export async function countLiveInAreas(
  db: Db,
  event_id: string,
): Promise<Map<string, { sold: number; booking: number }>> {
  const rows: { object_label: string; sold: number; booking: number }[] = await db('order_lines')
    .join('orders', 'orders.id', 'order_lines.order_id')
    .whereRaw(hasPlace('order_lines'))
    .where('order_lines.event_id', event_id)
    .whereRaw(`NOT ${hasOneStatus('order_lines')}`)
    .groupBy('order_lines.object_label')
    .select(
      'order_lines.object_label',
      db.raw(`sum(CASE WHEN orders.state = 'booking' THEN 0 ELSE 1 END) AS sold`),
      db.raw(`sum(CASE WHEN orders.state = 'booking' THEN 1 ELSE 0 END) AS booking`),
    );
  return new Map(rows.map(({ object_label, ...counts }) => [object_label, counts]));
}

/** Orders that have places in an area, or freed some since then, and may explain a difference. */
export async function ordersOfArea(
  db: Db,
  event_id: string,
  object_label: string,
  since: number,
): Promise<string[]> {
  return db('order_lines')
    .where({ event_id, object_label })
    .where((b) => b.whereNull('released_at').orWhere('released_at', '>', since))
    .distinct()
    .orderBy('order_id')
    .pluck('order_id');
}

/** The lines of an order for one object; the seat map must not have a released line as booked. */
export async function liveLinesOfOrder(
  db: Db,
  order_id: string,
  object_label: string,
): Promise<Pick<OrderLineRow, 'ticket_type' | 'booked_type' | 'released_at'>[]> {
  return db('order_lines')
    .where({ order_id, object_label })
    .select('ticket_type', 'booked_type', 'released_at');
}
