/**
 * Checks the seats that the office chose for a block or a contingent: they must belong to the
 * event and must not be sold.
 */
import type { Trx } from '#db/engine/dialect.ts';
import { soldAmong } from '#db/order/orders.ts';
import { placesOf } from '#db/seat/seats.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';

/**
 * @throws Refusal object_unknown for objects that are not in this hall, and for standing areas
 */
export async function requireNamedSeats(
  ctx: Ctx,
  event_id: string,
  objects: readonly string[],
): Promise<void> {
  const known = new Set(
    (await placesOf(ctx.db, event_id, objects))
      .filter(({ kind }) => kind !== 'area')
      .map(({ place }) => place),
  );
  const unknown = objects.filter((label) => !known.has(label));
  if (unknown.length > 0) throw new Refusal('object_unknown', { objects: unknown });
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
