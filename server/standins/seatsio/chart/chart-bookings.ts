/** What a new drawing may not do to objects that somebody has, by a booking or in a channel: lose them, turn them into something else, or make them too small. */
import { allEventsOnChart } from '#server/standins/seatsio/statements/events.ts';
import { isByPlaces, planOf } from '#server/standins/seatsio/event/catalog.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { flattenDrawing } from './plan.ts';
import { countPlaces } from '#server/standins/seatsio/status/status-rule.ts';
import { readStoredStates } from '#server/standins/seatsio/status/stored.ts';
import type { Channel } from '#server/standins/seatsio/event/for-sale.ts';
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

/** An object that somebody has on one event; `places` is more than one only of an area. */
interface Taken {
  label: string;
  status: string;
  orderId: string | null;
  places: number;
}

/** Null: the new drawing has it as well. */
function whyLost(before: PlanObject, after: PlanObject | undefined, places: number): Why | null {
  if (!after) return 'removed';
  if (after.objectType !== before.objectType || isByPlaces(after) !== isByPlaces(before))
    return 'type_changed';
  return isByPlaces(after) && places > after.capacity ? 'too_small' : null;
}

function isTaken({ status, places }: ObjectState): boolean {
  return status !== 'free' || places.length > 0;
}

/** Of an area the word for its last places. */
function statusIn({ status, places }: ObjectState): string {
  return status === 'free' ? (places.at(-1)?.status ?? status) : status;
}

/** Promised to somebody, though nobody has bought them: the word is the channel's name. */
function inChannels({ channels }: EventRow): Map<string, Taken> {
  const kept = new Map<string, Taken>();
  for (const { name, objects, areaPlaces } of JSON.parse(channels) as Channel[]) {
    const places = [...objects.map((label) => [label, 1] as const), ...Object.entries(areaPlaces)];
    for (const [label, count] of places) {
      const before = kept.get(label)?.places ?? 0;
      if (count > 0)
        kept.set(label, { label, status: name, orderId: null, places: before + count });
    }
  }
  return kept;
}

/** What a season has sold is written down at the season. */
async function takenOn(ctx: Seatsio, event: EventRow): Promise<Taken[]> {
  const taken = inChannels(event);
  for (const [label, state] of await readStoredStates(ctx, event.id)) {
    if (!isTaken(state)) continue;
    const sold = countPlaces(state.places, () => true);
    taken.set(label, {
      label,
      status: statusIn(state),
      orderId: state.order_id,
      places: Math.max(1, sold, taken.get(label)?.places ?? 0),
    });
  }
  return [...taken.values()];
}

/** An object that the published drawing does not have either is nobody's loss. */
async function lostPlaces(
  ctx: Seatsio,
  { before, after, event }: { before: Plan; after: Plan; event: EventRow },
): Promise<DesignerRefusedPlace[]> {
  const { key, name } = event;
  return (await takenOn(ctx, event)).flatMap(({ label, status, orderId, places }) => {
    const object = before.byLabel.get(label);
    const why = object ? whyLost(object, after.byLabel.get(label), places) : null;
    return why === null ? [] : [{ label, event: { key, name }, status, orderId, why }];
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
    for (const taken of await takenOn(ctx, row)) objects.push({ ...taken, event });
  return { events: rows.map(({ key, name }) => ({ key, name })), objects };
}
