/** The seats.io event and its objects, for the office's calls of RULES W10. */
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { ObjectInfo } from '#server/adapters/seatsio.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { splitLabels } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';

/** The most objects of one call, because their labels are sent in the address. */
const mostObjects = 100;

/** The key, unless it is `.` or `..`, which would be folders in the vendor's address. */
function keyOf(eventKey: string): string {
  if (/^\.*$/.test(eventKey)) throw new Refusal('seat_event_not_found');
  return eventKey;
}

/** Turns the vendor's 404 into the refusal for an unknown event. */
function unknownEvent(error: unknown): never {
  if (error instanceof ProviderRefused && error.status === 404)
    throw new Refusal('seat_event_not_found', undefined, error);
  throw error;
}

export async function seatEvent(ctx: Ctx, eventKey: string) {
  return ctx.seats.event(keyOf(eventKey)).catch(unknownEvent);
}

/**
 * @throws Refusal bad_request for no objects or too many, seat_object_not_found with the unknown
 * ones in `detail.objects`
 */
export async function seatObjects(
  ctx: Ctx,
  eventKey: string,
  objIds: string,
): Promise<{ items: ObjectInfo[] }> {
  const labels = [...new Set(splitLabels(objIds))];
  if (labels.length === 0 || labels.length > mostObjects || labels.includes(''))
    throw new Refusal('bad_request', { field: 'objIds', most: mostObjects });
  const found = await ctx.seats.infos(keyOf(eventKey), labels).catch(async (error: unknown) => {
    if (!(error instanceof ProviderRefused)) throw error;
    // The vendor refuses the whole call for one unknown label and may not say which, so all
    // objects of the event are read.
    await seatEvent(ctx, eventKey);
    const known = new Set((await ctx.seats.objects(eventKey)).map((object) => object.label));
    throw new Refusal(
      'seat_object_not_found',
      { objects: labels.filter((label) => !known.has(label)) },
      error,
    );
  });
  const unknown = labels.filter((label) => !found.has(label));
  if (unknown.length > 0) throw new Refusal('seat_object_not_found', { objects: unknown });
  return { items: labels.flatMap((label) => found.get(label) ?? []) };
}
