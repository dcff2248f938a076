/** What a new drawing may not do to objects that are not free: lose them, turn them into something else, or make them too small. */
import { allEventsOnChart } from '#server/standins/seatsio/statements/events.ts';
import { isByPlaces, planOf } from '#server/standins/seatsio/event/catalog.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { flattenDrawing } from './plan.ts';
import { countPlaces } from '#server/standins/seatsio/status/status-rule.ts';
import { readStoredStates } from '#server/standins/seatsio/status/stored.ts';
import type { Drawing } from './drawing.ts';
import type { ChartRow } from '#server/standins/seatsio/statements/charts.ts';
import type { EventRow } from '#server/standins/seatsio/statements/events.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Plan, PlanObject, TableBooking } from './plan.ts';
import type { ObjectState } from '#server/standins/seatsio/status/status-rule.ts';
import type {
  DesignerRefused,
  DesignerRefusedPlace,
  DesignerTaken,
} from '#server/standins/seatsio/wire.ts';

/** Named in a refusal's sentence at most, and in its data with who has them. */
const NAMED = 20;
const TOLD = 1_000;

type Why = DesignerRefusedPlace['why'];

/** Null: the new drawing has it as well. */
function whyLost(
  before: PlanObject,
  after: PlanObject | undefined,
  state: ObjectState,
): Why | null {
  if (!after) return 'removed';
  if (after.objectType !== before.objectType || isByPlaces(after) !== isByPlaces(before))
    return 'type_changed';
  return countPlaces(state.places, () => true) > after.capacity ? 'too_small' : null;
}

function isTaken({ status, places }: ObjectState): boolean {
  return status !== 'free' || places.length > 0;
}

/** Of an area the word for its last places. */
function statusIn({ status, places }: ObjectState): string {
  return status === 'free' ? (places.at(-1)?.status ?? status) : status;
}

/** An object that the published drawing does not have either is nobody's loss. What a season has sold is written down at the season. */
async function lostPlaces(
  ctx: Seatsio,
  { before, after, event }: { before: Plan; after: Plan; event: EventRow },
): Promise<DesignerRefusedPlace[]> {
  return [...(await readStoredStates(ctx, event.id))].flatMap(([label, state]) => {
    const object = before.byLabel.get(label);
    if (!object || !isTaken(state)) return [];
    const why = whyLost(object, after.byLabel.get(label), state);
    if (why === null) return [];
    return [
      {
        label,
        event: { key: event.key, name: event.name },
        status: statusIn(state),
        orderId: state.order_id,
        why,
      },
    ];
  });
}

/**
 * Bookings hang on the technical label; the displayed one may change.
 * @throws ApiError 400 OBJECTS_NOT_FREE, `data` as DesignerRefused
 */
export async function refuseLostBookings(
  ctx: Seatsio,
  chart: ChartRow,
  drawing: Drawing,
): Promise<void> {
  const refused: DesignerRefusedPlace[] = [];
  // Kept for this call only: a refusal takes the version back, and its number comes again with another drawing.
  const plans = new Map<string, Plan>();
  for (const event of await allEventsOnChart(ctx.sql, chart.id)) {
    const tables = JSON.parse(event.table_booking_config) as TableBooking;
    const before = await planOf(ctx, { id: chart.id, version: chart.published_version }, tables);
    const after = plans.get(event.table_booking_config) ?? flattenDrawing(drawing, tables);
    plans.set(event.table_booking_config, after);
    for (const place of await lostPlaces(ctx, { before, after, event })) refused.push(place);
  }
  if (refused.length === 0) return;
  const objects = labelsByEvent(refused);
  const [key, labels] = Object.entries(objects)[0]!;
  throw new ApiError(400, 'OBJECTS_NOT_FREE', {
    message: `Failed to publish chart [key: ${chart.key}]: not free in event ${key}: ${labels.slice(0, NAMED).join(', ')}`,
    data: {
      objects,
      refused: refused.slice(0, TOLD),
      more: Math.max(0, refused.length - TOLD),
    } satisfies DesignerRefused,
  });
}

function labelsByEvent(refused: readonly DesignerRefusedPlace[]): Record<string, string[]> {
  const groups = Map.groupBy(refused, ({ event }) => event.key);
  return Object.fromEntries(
    [...groups].map(([key, places]) => [key, places.map(({ label }) => label)]),
  );
}

/** What somebody has on any event of the chart. */
export async function takenOnChart(ctx: Seatsio, chart: ChartRow): Promise<DesignerTaken> {
  const rows = await allEventsOnChart(ctx.sql, chart.id);
  const objects: DesignerTaken['objects'] = [];
  for (const [event, row] of rows.entries())
    for (const [label, state] of await readStoredStates(ctx, row.id))
      if (isTaken(state))
        objects.push({
          label,
          event,
          status: statusIn(state),
          orderId: state.order_id,
          places: Math.max(
            1,
            countPlaces(state.places, () => true),
          ),
        });
  return { events: rows.map(({ key, name }) => ({ key, name })), objects };
}
