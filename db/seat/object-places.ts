/**
 * Objects that the seat map names, and their places in our rows: a seat is one place, an object
 * sold whole has all of its own. A standing area has a number only, and is not among them.
 */
import { compareNames } from '#server/domain/seat/seat-name.ts';
import { hasPlace } from '#db/joins.ts';
import type { Db } from '#db/engine/dialect.ts';
import type { OrderLineRow, OrderRow, PlaceRow } from '#db/rows.ts';
import { soldObjects } from './whole-objects.ts';

export type ObjectPlace = Pick<PlaceRow, 'place' | 'object_label' | 'in_whole'>;

/** The places of these objects in the present hall, object by object. */
export async function placesOfObjects(
  db: Db,
  event_id: string,
  objects: readonly string[],
): Promise<ObjectPlace[]> {
  return db<PlaceRow>('places')
    .where({ event_id, in_hall: 1 })
    .whereIn('object_label', objects as string[])
    .where((at) => at.whereNot({ kind: 'area' }).orWhere({ in_whole: 1 }))
    .orderBy(['object_label', 'position'])
    .select('place', 'object_label', 'in_whole');
}

/** The objects to which these places belong, each once and sorted as people read them. */
export async function objectsAt(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<string[]> {
  const objects: string[] = await db<PlaceRow>('places')
    .where({ event_id })
    .whereIn('place', places as string[])
    .distinct('object_label')
    .pluck('object_label');
  return objects.toSorted(compareNames);
}

/** The objects among these of which an order has a place. */
export async function soldAmong(
  db: Db,
  event_id: string,
  objects: readonly string[],
): Promise<string[]> {
  const places = await placesOfObjects(db, event_id, objects);
  const labels = places.map(({ place }) => place);
  return soldObjects(db, event_id, labels);
}

/** True if an order other than this one has a place of the object. */
export async function hasOtherOrder(
  db: Db,
  { id, event_id }: Pick<OrderRow, 'id' | 'event_id'>,
  object: string,
): Promise<boolean> {
  const places = await placesOfObjects(db, event_id, [object]);
  const line = await db<OrderLineRow>('order_lines')
    .where({ event_id })
    .whereIn(
      'place',
      places.map(({ place }) => place),
    )
    .whereRaw(hasPlace('order_lines'))
    .whereNot({ order_id: id })
    .first('id');
  return line !== undefined;
}
