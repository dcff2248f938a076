/**
 * Refuses a new drawing that would lose, rename, retype or shrink objects that are booked or in a
 * channel. Past events do not count.
 */
import { comingEventsOnChart } from '#server/standins/seatsio/statements/events.ts';
import { drawingText } from '#server/standins/seatsio/catalog/catalog.ts';
import { ApiError, badRequest } from '#server/standins/seatsio/errors.ts';
import { refusedChanges } from '#server/drawing/diff/safe.ts';
import { UnreadableDrawing, openDrawing } from '#server/drawing/model/open.ts';
import { isBookedWhole } from '#server/standins/seatsio/plan/plan.ts';
import { countPlaces } from '#server/standins/seatsio/catalog/status-rule.ts';
import { readStoredStates } from '#server/standins/seatsio/status/stored.ts';
import type { Channel } from '#server/standins/seatsio/catalog/for-sale.ts';
import type { ChartRow } from '#server/standins/seatsio/statements/charts.ts';
import type { EventRow } from '#server/standins/seatsio/statements/events.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Doc } from '#server/drawing/model/data.ts';
import type { IsWhole } from '#server/drawing/model/places.ts';
import type { TableBooking } from '#server/standins/seatsio/plan/plan.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';
import type {
  DesignerRefused,
  DesignerRefusedPlace,
  DesignerTaken,
} from '#server/standins/seatsio/wire.ts';

/** How many objects a refusal names in its sentence, and how many, with holders, in its data. */
const NAMED = 20;
const TOLD = 1_000;

/** An object that is taken on one event; only an area has more than one place. */
interface Taken {
  label: string;
  status: string;
  orderId: string | null;
  places: number;
}

function isTaken({ status, places }: ObjectState): boolean {
  return status !== 'free' || places.length > 0;
}

/** An area has the status of its latest places. */
function statusIn({ status, places }: ObjectState): string {
  return status === 'free' ? (places.at(-1)?.status ?? status) : status;
}

/** Objects in channels are promised, so they count as taken, with the channel's name. */
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

/** A season's bookings are stored with the season itself. */
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

/** @throws ApiError 400 GENERAL_ERROR when the drawing cannot be opened for editing */
async function openVersion(ctx: Seatsio, chart: ChartRow, version: number): Promise<Doc> {
  try {
    return openDrawing(JSON.parse(await drawingText(ctx, chart.id, version)));
  } catch (error) {
    if (error instanceof UnreadableDrawing) throw badRequest(`#: ${error.message}`);
    throw error;
  }
}

/**
 * Compares technical labels, because bookings refer to them; displayed labels may change.
 * @throws ApiError 400 OBJECTS_NOT_FREE, `data` as DesignerRefused
 */
export async function refuseLostBookings(
  ctx: Seatsio,
  chart: ChartRow,
  version: number,
): Promise<void> {
  const before = await openVersion(ctx, chart, chart.published_version);
  const after = await openVersion(ctx, chart, version);
  const refused: DesignerRefusedPlace[] = [];
  for (const row of await comingEventsOnChart(ctx.sql, chart.id)) {
    const tables = JSON.parse(row.table_booking_config) as TableBooking;
    const isWhole: IsWhole = (table) => isBookedWhole(table, tables);
    const event = { key: row.key, name: row.name };
    for (const { taken, why } of refusedChanges(
      { before, after, isWhole },
      await takenOn(ctx, row),
    )) {
      const { label, status, orderId } = taken;
      refused.push({ label, event, status, orderId, why });
    }
  }
  const objects = labelsByEvent(refused);
  const [first] = Object.entries(objects);
  if (first === undefined) return;
  const [key, labels] = first;
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

/** The objects that are taken on the chart's coming events. */
export async function takenOnChart(ctx: Seatsio, chart: ChartRow): Promise<DesignerTaken> {
  const rows = await comingEventsOnChart(ctx.sql, chart.id);
  const objects: DesignerTaken['objects'] = [];
  for (const [event, row] of rows.entries())
    for (const taken of await takenOn(ctx, row)) objects.push({ ...taken, event });
  return { events: rows.map(({ key, name }) => ({ key, name })), objects };
}
