/**
 * Reads from the seat map what a booking needs: the chosen seats and their neighbours by name, and
 * the whole chart only for seats that the visitor holds.
 */
import type { EventRow } from '#db/rows.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';

interface Named {
  /** The chosen objects. */
  labels: readonly string[];
  /** Those of them that are seats of our database. */
  known: readonly { place: string }[];
  /** The seats of their rows, as far as we know them. */
  mates: readonly string[];
}

/**
 * The chosen objects, with their neighbours if one call may name them all. The seat map refuses
 * the whole call for one name that it does not know, so that the seats are then asked one by one,
 * first those that we do not know, up to the first unknown one.
 * @throws Refusal object_unknown
 */
export async function readNamed(
  ctx: Ctx,
  { seatsio_event_key: key }: EventRow,
  { labels, known, mates }: Named,
): Promise<SeatObject[]> {
  try {
    return await ctx.seats.around(key, labels, mates);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
  }
  const ours = new Set(known.map(({ place }) => place));
  const found: SeatObject[] = [];
  for (const label of labels.toSorted((a, b) => Number(ours.has(a)) - Number(ours.has(b)))) {
    const object = await readOne(ctx, key, label);
    if (!object) throw new Refusal('object_unknown', { objects: [label] });
    found.push(object);
  }
  return found;
}

async function readOne(ctx: Ctx, key: string, label: string): Promise<SeatObject | undefined> {
  try {
    return (await ctx.seats.read(key, [label])).get(label);
  } catch (error) {
    if (error instanceof ProviderRefused) return undefined;
    throw error;
  }
}

/**
 * A chart of 20,000 seats takes a third of a second of the processor, so that all bookings of an
 * event share one answer, and a slow one for longer.
 */
const sharedChart = memo<SeatObject[]>({ freshMs: 1_000, restFactor: 4, most: 4 });

/** Every object of the event, at most some seconds old. */
export function readWholeChart(ctx: Ctx, { seatsio_event_key: key }: EventRow) {
  return sharedChart.get(ctx.seats, { key, now: ctx.now, ask: () => ctx.seats.objects(key) });
}

/** False if a neighbour is missing: the rows were too long to name, or were drawn anew. */
export function areWholeRows(objects: ReadonlyMap<string, SeatObject>): boolean {
  return [...objects.values()].every(({ left, right }) =>
    [left, right].every((next) => !next || objects.has(next)),
  );
}
