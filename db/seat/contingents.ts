/**
 * Contingents in SQL: one row each, one per seat, and one per standing area. A seat is in one
 * contingent at most.
 */
import type { ContingentState } from '#server/domain/seat/contingent.ts';
import { isClosed, isSold, samePlaceAs } from '#db/joins.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { ContingentAreaRow, ContingentPlaceRow, ContingentRow } from '#db/rows.ts';
import { countRows, insertMany, marksFor, selectRows } from '#db/engine/statements.ts';
import { objectsAt, placesOfObjects, type ObjectPlace } from './object-places.ts';

export interface WholeContingent {
  contingent: ContingentRow;
  objects: string[];
  areas: Pick<ContingentAreaRow, 'object' | 'places'>[];
}

/** Inserts a contingent; unique keys refuse a seat or a code that another one has. */
export async function insertContingent(
  trx: Trx,
  { contingent, objects, areas }: WholeContingent,
): Promise<void> {
  const { id: contingent_id, event_id } = contingent;
  await trx<ContingentRow>('contingents').insert(contingent);
  await insertKept(trx, contingent, { objects, state: 'live' });
  await insertMany(
    trx,
    'contingent_areas',
    areas.map((area): ContingentAreaRow => ({
      contingent_id,
      event_id,
      ...area,
      places_before: null,
    })),
  );
}

/** Inserts every place of these objects. */
export async function insertKept(
  trx: Trx,
  { id: contingent_id, event_id }: Pick<ContingentRow, 'id' | 'event_id'>,
  { objects, state }: { objects: readonly string[]; state: ContingentPlaceRow['state'] },
): Promise<void> {
  const places = await placesOfObjects(trx, event_id, objects);
  await insertMany(
    trx,
    'contingent_places',
    places.map(({ place }): ContingentPlaceRow => ({
      contingent_id,
      event_id,
      place,
      kept_place: place,
      state,
    })),
  );
}

export async function findContingent(db: Db, id: string): Promise<ContingentRow | undefined> {
  return db<ContingentRow>('contingents').where({ id }).first();
}

export async function partsOf(db: Db, contingent: ContingentRow): Promise<WholeContingent> {
  const ofIt = { contingent_id: contingent.id };
  return {
    contingent,
    objects: await db('contingent_places')
      .join('places', samePlaceAs('contingent_places'))
      .where(ofIt)
      .distinct('places.object_label')
      .orderBy('places.object_label')
      .pluck('places.object_label'),
    areas: await db<ContingentAreaRow>('contingent_areas')
      .where(ofIt)
      .orderBy('object')
      .select('object', 'places'),
  };
}

/** The valid and the earlier contingents of an event, the oldest first. */
export async function listContingents(db: Db, event_id: string): Promise<WholeContingent[]> {
  const contingents = await db<ContingentRow>('contingents')
    .where({ event_id })
    .whereNot({ state: 'placing' })
    .where((either) => void either.where({ state: 'live' }).orWhereNotNull('released_at'))
    .orderBy(['created_at', 'id']);
  return Promise.all(contingents.map((contingent) => partsOf(db, contingent)));
}

export async function liveContingents(db: Db, event_id: string): Promise<ContingentRow[]> {
  return db<ContingentRow>('contingents')
    .where({ event_id, state: 'live' })
    .orderBy(['created_at', 'id']);
}

/** The channel keys that the seat map has for an event, or is about to get. */
export async function keysOfContingents(db: Db, event_id: string): Promise<Set<string>> {
  const keys: string[] = await db<ContingentRow>('contingents')
    .where({ event_id })
    .whereNot({ state: 'released' })
    .pluck('channel_key');
  return new Set(keys);
}

export async function countContingents(db: Db, event_id: string): Promise<number> {
  return countRows(
    db<ContingentRow>('contingents').where({ event_id }).whereNot({ state: 'released' }),
  );
}

export async function contingentOfCode(
  db: Db,
  event_id: string,
  code: string,
): Promise<ContingentRow | undefined> {
  return db<ContingentRow>('contingents').where({ event_id, code }).first();
}

/** Whether a contingent of any event that is not over has one of these codes. */
export async function isContingentCode(db: Db, codes: readonly string[]): Promise<boolean> {
  const found = await db<ContingentRow>('contingents')
    .whereNot({ state: 'released' })
    .whereIn('code', codes as string[])
    .first('id');
  return found !== undefined;
}

export async function hasOpenCode(db: Db, event_id: string): Promise<boolean> {
  const [found] = await selectRows<{ id: string }>(
    db,
    "SELECT id FROM contingents WHERE event_id = ? AND state = 'live' AND sale = 'code' LIMIT 1",
    [event_id],
  );
  return found !== undefined;
}

/** How many places each contingent of the event has, those of standing areas left out. */
export async function seatsOfContingents(db: Db, event_id: string): Promise<Map<string, number>> {
  const rows: { contingent_id: string; n: number }[] = await db('contingent_places')
    .where({ event_id })
    .groupBy('contingent_id')
    .select('contingent_id')
    .count({ n: '*' });
  return new Map(rows.map(({ contingent_id, n }) => [contingent_id, Number(n)]));
}

/** The objects among these that other contingents keep, in any state. */
export async function keptByOthers(
  db: Db,
  { id, event_id }: Pick<ContingentRow, 'id' | 'event_id'>,
  objects: readonly string[],
): Promise<string[]> {
  const places = await placesOfObjects(db, event_id, objects);
  const kept: string[] = await db<ContingentPlaceRow>('contingent_places')
    .where({ event_id })
    .whereNot({ contingent_id: id })
    .whereIn(
      'kept_place',
      places.map(({ place }) => place),
    )
    .pluck('place');
  return objectsAt(db, event_id, kept);
}

/** Returns false if the contingent was in none of the states `from`. */
export async function turnContingent(
  trx: Trx,
  id: string,
  from: readonly ContingentState[],
  change: Partial<ContingentRow> & Pick<ContingentRow, 'state' | 'changed_at'>,
): Promise<boolean> {
  const turned = await trx<ContingentRow>('contingents')
    .where({ id })
    .whereIn('state', from as ContingentState[])
    .update(change);
  return turned === 1;
}

export async function updateContingent(
  trx: Trx,
  id: string,
  change: Pick<ContingentRow, 'name' | 'color' | 'sale' | 'code' | 'release_at'>,
): Promise<boolean> {
  return (await trx<ContingentRow>('contingents').where({ id }).update(change)) === 1;
}

/** Opens a contingent's seats to all buyers, or keeps them again. */
export async function keepPlaces(trx: Trx, contingent_id: string, isKept: boolean): Promise<void> {
  await trx<ContingentPlaceRow>('contingent_places')
    .where({ contingent_id })
    .update({ kept_place: isKept ? trx.ref('place') : null } as never);
}

/** Deletes a contingent that was never valid. */
export async function removeContingent(trx: Trx, id: string): Promise<void> {
  await trx<ContingentPlaceRow>('contingent_places').where({ contingent_id: id }).delete();
  await trx<ContingentAreaRow>('contingent_areas').where({ contingent_id: id }).delete();
  await trx<ContingentRow>('contingents').where({ id }).delete();
}

/** Deletes the contingents of an event that changes its hall. */
export async function dropContingents(trx: Trx, event_id: string): Promise<void> {
  await trx<ContingentPlaceRow>('contingent_places').where({ event_id }).delete();
  await trx<ContingentAreaRow>('contingent_areas').where({ event_id }).delete();
  await trx<ContingentRow>('contingents').where({ event_id }).delete();
}

/**
 * Counts the sold places of each contingent: its seats, all places of its tables that are sold
 * whole, and in standing areas those sold with its code.
 */
export async function soldOfContingents(db: Db, event_id: string): Promise<Map<string, number>> {
  const seats: { contingent_id: string; n: number }[] = await db('contingent_places')
    .where({ 'contingent_places.event_id': event_id })
    .join('places', samePlaceAs('contingent_places'))
    .whereRaw(`(${isSold('places')} OR ${isClosed('places')})`)
    .groupBy('contingent_places.contingent_id')
    .select('contingent_places.contingent_id')
    .count({ n: '*' });
  const standing: { contingent_id: string; n: number }[] = await db('contingent_areas')
    .where({ 'contingent_areas.event_id': event_id })
    .join('orders', { 'orders.contingent_id': 'contingent_areas.contingent_id' })
    .join('order_lines', {
      'order_lines.order_id': 'orders.id',
      'order_lines.object_label': 'contingent_areas.object',
    })
    .whereNull('order_lines.released_at')
    .groupBy('contingent_areas.contingent_id')
    .select('contingent_areas.contingent_id')
    .count({ n: '*' });
  const sold = new Map<string, number>();
  for (const { contingent_id, n } of [...seats, ...standing])
    sold.set(contingent_id, (sold.get(contingent_id) ?? 0) + Number(n));
  return sold;
}

/** The places of the contingent that can still be bought, with their objects. */
export async function unsoldOf(
  db: Db,
  contingent_id: string,
): Promise<Pick<ObjectPlace, 'place' | 'object_label'>[]> {
  return db('contingent_places')
    .join('places', samePlaceAs('contingent_places'))
    .where({ contingent_id })
    .whereRaw(`NOT ${isSold('places')} AND NOT ${isClosed('places')}`)
    .orderBy(['places.object_label', 'places.position'])
    .select('places.place', 'places.object_label');
}

/** Counts the places of the standing area `a` that buyers of its contingent have. */
export const soldInArea = `(SELECT count(*) FROM order_lines l JOIN orders o ON o.id = l.order_id
        WHERE o.contingent_id = a.contingent_id AND l.object_label = a.object AND l.released_at IS NULL)`;

/** Counts unsold places of standing areas that contingents keep, by category. */
export async function standingKept(
  db: Db,
  ids: readonly string[],
): Promise<{ event_id: string; category: string; category_key: string; n: number }[]> {
  if (ids.length === 0) return [];
  const rows = await selectRows<{
    event_id: string;
    category: string;
    category_key: string;
    places: number;
    sold: number;
  }>(
    db,
    `SELECT a.event_id, p.category, p.category_key, a.places,
      ${soldInArea} AS sold
     FROM contingent_areas a JOIN contingents c ON c.id = a.contingent_id
     JOIN places p ON p.event_id = a.event_id AND p.object_label = a.object AND p.position = 1
     WHERE c.state = 'live' AND a.event_id IN (${marksFor(ids)})`,
    ids,
  );
  return rows.map(({ places, sold, ...row }) => ({
    ...row,
    n: Math.max(0, places - Number(sold)),
  }));
}
