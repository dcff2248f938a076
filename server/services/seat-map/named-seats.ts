/**
 * Checks the objects that the office chose for a block or a contingent: they must belong to the
 * event and must not be sold.
 */
import type { Trx } from '#db/engine/dialect.ts';
import { placesOfObjects, soldAmong, type ObjectPlace } from '#db/seat/object-places.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';

/**
 * The places of these objects: a seat's own, and all of a table that is sold whole.
 * @throws Refusal object_unknown for objects that are not in this hall, and for standing areas
 */
export async function requireNamedSeats(
  ctx: Ctx,
  event_id: string,
  objects: readonly string[],
): Promise<ObjectPlace[]> {
  const places = await placesOfObjects(ctx.db, event_id, objects);
  const known = new Set(places.map(({ object_label }) => object_label));
  const unknown = objects.filter((label) => !known.has(label));
  if (unknown.length > 0) throw new Refusal('object_unknown', { objects: unknown });
  return places;
}

/**
 * Looks at our own orders, because a sold seat may have been freed by hand at the seat map.
 * @throws Refusal seats_not_free
 */
export async function requireUnsold(
  trx: Trx,
  event_id: string,
  objects: readonly string[],
): Promise<void> {
  const sold = await soldAmong(trx, event_id, objects);
  if (sold.length > 0) throw new Refusal('seats_not_free', { objects: sold });
}
