/** What of a chart an event can sell whole, for the office's form (RULES S8). */
import type { SeatObject } from '#server/adapters/seatsio.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { findEvent } from '#db/event/events.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { compareNames, wholeName } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';

/**
 * The tables, booths and areas of a chart, by name. `in_use`: something of it is held, kept or
 * sold in this event, so that how it is sold does not change any more.
 * @throws Refusal chart_not_found, provider_silent
 */
export async function wholeChoice(
  ctx: Ctx,
  chart_key: string,
  { event_id }: { event_id?: string | undefined },
) {
  // `.` and `..` would change the path of the request to the vendor.
  if (!/^[\w-]+$/.test(chart_key)) throw new Refusal('chart_not_found');
  const drawn = await ctx.seats.chartObjects(chart_key).catch((error: unknown) => {
    if (error instanceof ProviderRefused && error.status === 404)
      throw new Refusal('chart_not_found', undefined, error);
    throw error;
  });
  const items = [...tablesBySeat(drawn), ...drawn.flatMap(drawnWhole)];
  const used = items.length === 0 ? new Set<string>() : await usedIn(ctx, event_id);
  return {
    items: items
      .map((item) => ({ ...item, in_use: used.has(item.label) }))
      .toSorted((a, b) => compareNames(a.name, b.name)),
  };
}

function drawnWhole(object: SeatObject) {
  const { label, kind, category_key, drawn_whole: places } = object;
  if (kind === 'seat' || places === 0) return [];
  return [{ label, kind, category_key, places, name: wholeName(object), drawn_whole: true }];
}

/** Tables whose seats are drawn to be sold one by one. */
function tablesBySeat(drawn: readonly SeatObject[]) {
  const tables = Map.groupBy(
    drawn.filter((seat) => seat.at_table !== null),
    (seat) => seat.at_table ?? '',
  );
  return [...tables].flatMap(([label, seats]) =>
    seats.slice(0, 1).map((seat) => ({
      label,
      kind: 'table' as const,
      category_key: seat.category_key,
      places: seats.length,
      name: wholeName(seat),
      drawn_whole: false,
    })),
  );
}

async function usedIn(ctx: Ctx, event_id: string | undefined): Promise<Set<string>> {
  const event = event_id === undefined ? undefined : await findEvent(ctx.db, event_id);
  if (!event) return new Set();
  const objects = await ctx.seats.objects(event.seatsio_event_key);
  return new Set(
    objects
      .filter(({ status, channel }) => status !== 'free' || channel !== null)
      .map(({ at_table, label }) => at_table ?? label),
  );
}
