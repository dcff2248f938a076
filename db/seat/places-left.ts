/** Counts an event's free places by our own rows; only the seat map knows the seats in carts. */
import type { Knex } from 'knex';
import type { Db } from '#db/engine/dialect.ts';
import { standingKept } from './contingents.ts';
import { hasPlace, isClosed, isSold, samePlaceAs } from '#db/joins.ts';

interface Category {
  event_id: string;
  category: string;
  category_key: string;
}
interface FreePlaces extends Category {
  places: number;
  free: number;
}
type Counted = Category & { n: number };

function byCategory(ids: readonly string[], query: Knex.QueryBuilder): Promise<Counted[]> {
  return query
    .whereIn('places.event_id', ids as string[])
    .select('places.event_id', 'places.category', 'places.category_key')
    .count({ n: '*' })
    .groupBy('places.event_id', 'places.category', 'places.category_key');
}

/**
 * Counts places that are neither in a live order nor closed nor blocked, whether a contingent
 * keeps them or not.
 */
export async function countFreePlaces(db: Db, ids: readonly string[]): Promise<FreePlaces[]> {
  const all = await byCategory(ids, db('places').where({ in_hall: 1 }));
  const ordered = await byCategory(
    ids,
    db('order_lines').whereRaw(hasPlace('order_lines')).join('places', samePlaceAs('order_lines')),
  );
  const closed = await byCategory(
    ids,
    db('places').where({ in_hall: 1, in_whole: 1 }).whereRaw(isClosed('places')),
  );
  const blocked = await byCategory(
    ids,
    db('blocked_places')
      .where('blocked_places.state', 'live')
      .join('places', samePlaceAs('blocked_places')),
  );
  const blockedInAreas = await db('blocked_areas')
    .whereIn('places.event_id', ids as string[])
    .where({ 'blocked_areas.state': 'live', 'places.position': 1 })
    .join('places', {
      'places.event_id': 'blocked_areas.event_id',
      'places.object_label': 'blocked_areas.object',
    })
    .select(
      'places.event_id',
      'places.category',
      'places.category_key',
      'blocked_areas.places as n',
    );
  const gone = sumByCategory([...ordered, ...closed, ...blocked, ...blockedInAreas]);
  return all.map(({ n, ...row }) => ({ ...row, places: n, free: n - gone(row) }));
}

/** Counts places that any visitor may buy: free ones that no contingent keeps. */
export async function placesLeft(
  db: Db,
  ids: readonly string[],
): Promise<(Category & { places: number; left: number })[]> {
  const reserved = await byCategory(
    ids,
    db('contingent_places')
      .whereNotNull('contingent_places.kept_place')
      .join('places', samePlaceAs('contingent_places'))
      .whereRaw(`NOT ${isSold('places')} AND NOT ${isClosed('places')}`),
  );
  const kept = sumByCategory([...reserved, ...(await standingKept(db, ids))]);
  return (await countFreePlaces(db, ids)).map(({ free, ...row }) => ({
    ...row,
    left: free - kept(row),
  }));
}

function sumByCategory(rows: readonly Counted[]): (of: Category) => number {
  const nameOf = (row: Category) => JSON.stringify([row.event_id, row.category_key, row.category]);
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.n);
  return (row) => sums.get(nameOf(row)) ?? 0;
}
