/**
 * Contingents in SQL: one row each, one per seat, and one per standing area. A seat is in one
 * contingent at most.
 */
import type { ContingentState } from '#server/domain/seat/contingent.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type {
  ContingentAreaRow,
  ContingentPlaceRow,
  ContingentRow,
  OrderLineRow,
} from '#db/rows.ts';
import { countRows, insertMany, marksFor, selectRows } from '#db/engine/statements.ts';

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
  await insertMany(
    trx,
    'contingent_places',
    objects.map((place): ContingentPlaceRow => ({
      contingent_id,
      event_id,
      place,
      kept_place: place,
      state: 'live',
    })),
  );
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

export async function findContingent(db: Db, id: string): Promise<ContingentRow | undefined> {
  return db<ContingentRow>('contingents').where({ id }).first();
}

export async function partsOf(db: Db, contingent: ContingentRow): Promise<WholeContingent> {
  const ofIt = { contingent_id: contingent.id };
  return {
    contingent,
    objects: await db<ContingentPlaceRow>('contingent_places')
      .where(ofIt)
      .orderBy('place')
      .pluck('place'),
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

export async function hasOpenCode(db: Db, event_id: string): Promise<boolean> {
  const [found] = await selectRows<{ id: string }>(
    db,
    "SELECT id FROM contingents WHERE event_id = ? AND state = 'live' AND sale = 'code' LIMIT 1",
    [event_id],
  );
  return found !== undefined;
}

/** The places among these that other contingents keep, in any state. */
export async function keptByOthers(
  db: Db,
  { id, event_id }: Pick<ContingentRow, 'id' | 'event_id'>,
  places: readonly string[],
): Promise<string[]> {
  return db<ContingentPlaceRow>('contingent_places')
    .where({ event_id })
    .whereNot({ contingent_id: id })
    .whereIn('kept_place', places as string[])
    .pluck('place');
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
 * Counts the sold places of each contingent: all its seats, and in standing areas those sold with
 * its code.
 */
export async function soldOfContingents(db: Db, event_id: string): Promise<Map<string, number>> {
  const seats: { contingent_id: string; n: number }[] = await db('contingent_places')
    .where({ 'contingent_places.event_id': event_id })
    .join('order_lines', {
      'order_lines.event_id': 'contingent_places.event_id',
      'order_lines.place': 'contingent_places.place',
    })
    .whereNull('order_lines.released_at')
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

export async function unsoldOf(db: Db, contingent_id: string): Promise<string[]> {
  return db('contingent_places')
    .where({ contingent_id })
    .whereNotExists(
      db<OrderLineRow>('order_lines')
        .select(db.raw('1'))
        .whereRaw(
          'order_lines.event_id = contingent_places.event_id AND order_lines.place = contingent_places.place AND order_lines.released_at IS NULL',
        ),
    )
    .orderBy('place')
    .pluck('place');
}

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
      (SELECT count(*) FROM order_lines l JOIN orders o ON o.id = l.order_id
        WHERE o.contingent_id = a.contingent_id AND l.object_label = a.object AND l.released_at IS NULL) AS sold
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
