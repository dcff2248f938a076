/** Objects that are sold whole, in SQL: each has its places as rows (RULES S8). */
import type { Db } from '#db/engine/dialect.ts';
import { marksFor, type Statement } from '#db/engine/statements.ts';
import { hasPlace } from '#db/joins.ts';
import type { OrderLineRow, PlaceRow } from '#db/rows.ts';

/** An object of the event's hall that is sold whole, with the number of its places. */
export type WholeObject = Pick<PlaceRow, 'object_label' | 'category' | 'category_key' | 'kind'> & {
  places: number;
};

export async function listWholeObjects(db: Db, event_id: string): Promise<WholeObject[]> {
  return db<PlaceRow>('places')
    .where({ event_id, in_hall: 1, in_whole: 1 })
    .groupBy('object_label', 'category', 'category_key', 'kind')
    .orderBy(['category_key', 'object_label'])
    .select('object_label', 'category', 'category_key', 'kind')
    .count<WholeObject[]>({ places: '*' });
}

/** The objects of these places of which an order has a place. */
export async function soldObjects(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<string[]> {
  return db<OrderLineRow>('order_lines')
    .where({ event_id })
    .whereIn('place', places as string[])
    .whereRaw(hasPlace('order_lines'))
    .distinct('object_label')
    .orderBy('object_label')
    .pluck('object_label');
}

/** The objects of these places that have fewer places since, or are not sold whole any more. */
export async function objectsGone(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<string[]> {
  return db<PlaceRow>('places')
    .where({ event_id })
    .whereIn('place', places as string[])
    .where((gone) => gone.where({ in_hall: 0 }).orWhere({ in_whole: 0 }))
    .distinct('object_label')
    .pluck('object_label');
}

/** A condition that is true while no order has any of these places. */
export function noneIsSold(event_id: string, places: readonly string[]): Statement {
  return {
    sql: `NOT EXISTS (SELECT 1 FROM order_lines AS sold WHERE sold.event_id = ? AND sold.place IN (${marksFor(places)}) AND ${hasPlace('sold')})`,
    bindings: [event_id, ...places],
  };
}
