/** What a new drawing may not do to objects that are not free: lose them, turn them into something else, or make them too small. */
import { allEventsOnChart } from '#server/standins/seatsio/statements/events.ts';
import { isByPlaces, planOf } from '#server/standins/seatsio/event/catalog.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { flattenDrawing } from './plan.ts';
import { countPlaces } from '#server/standins/seatsio/status/status-rule.ts';
import { readStoredStates } from '#server/standins/seatsio/status/stored.ts';
import type { Drawing } from './drawing.ts';
import type { ChartRow } from '#server/standins/seatsio/statements/charts.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Plan, PlanObject, TableBooking } from './plan.ts';
import type { ObjectState } from '#server/standins/seatsio/status/status-rule.ts';

/** Named in a refusal at most. */
const NAMED = 20;

function survives(before: PlanObject, after: PlanObject | undefined, state: ObjectState): boolean {
  if (!after || after.objectType !== before.objectType || isByPlaces(after) !== isByPlaces(before))
    return false;
  return countPlaces(state.places, () => true) <= after.capacity;
}

function isTaken({ status, places }: ObjectState): boolean {
  return status !== 'free' || places.length > 0;
}

/** An object that the published drawing does not have either is nobody's loss. What a season has sold is written down at the season. */
async function lostLabels(
  ctx: Seatsio,
  { before, after, eventId }: { before: Plan; after: Plan; eventId: number },
): Promise<string[]> {
  return [...(await readStoredStates(ctx, eventId))]
    .filter(([label, state]) => {
      const object = before.byLabel.get(label);
      return (
        object !== undefined && isTaken(state) && !survives(object, after.byLabel.get(label), state)
      );
    })
    .map(([label]) => label);
}

/**
 * Bookings hang on the technical label; the displayed one may change.
 * @throws ApiError 400 OBJECTS_NOT_FREE, `data.objects` by event key
 */
export async function refuseLostBookings(
  ctx: Seatsio,
  chart: ChartRow,
  drawing: Drawing,
): Promise<void> {
  const lost: Record<string, string[]> = {};
  // Kept for this call only: a refusal takes the version back, and its number comes again with another drawing.
  const plans = new Map<string, Plan>();
  for (const event of await allEventsOnChart(ctx.sql, chart.id)) {
    const tables = JSON.parse(event.table_booking_config) as TableBooking;
    const before = await planOf(ctx, { id: chart.id, version: chart.published_version }, tables);
    const after = plans.get(event.table_booking_config) ?? flattenDrawing(drawing, tables);
    plans.set(event.table_booking_config, after);
    const labels = await lostLabels(ctx, { before, after, eventId: event.id });
    if (labels.length > 0) lost[event.key] = labels;
  }
  const [first] = Object.entries(lost);
  if (first)
    throw new ApiError(400, 'OBJECTS_NOT_FREE', {
      message: `Failed to publish chart [key: ${chart.key}]: not free in event ${first[0]}: ${first[1].slice(0, NAMED).join(', ')}`,
      data: { objects: lost },
    });
}
