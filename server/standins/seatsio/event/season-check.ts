/** Finds places that both an event and its seasons have sold. */
import { overridesOf } from '#server/standins/seatsio/statements/seasons.ts';
import { isByPlaces } from '#server/standins/seatsio/catalog/catalog.ts';
import { readFamily, seasonsOf } from '#server/standins/seatsio/catalog/season-view.ts';
import { readStoredStates } from '#server/standins/seatsio/status/stored.ts';
import { countPlaces, FREE } from '#server/standins/seatsio/catalog/status-rule.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';

/** The first label with more taken places than it has, or null. */
export async function findDoubleBooking(ctx: Seatsio, event: LoadedEvent): Promise<string | null> {
  const family = await readFamily(ctx, event.row);
  if (!family) return null;
  const seasons = seasonsOf(family, event.row.id);
  const states = await Array.fromAsync([event.row.id, ...seasons], async (id) => ({
    id,
    states: await readStoredStates(ctx, id),
  }));
  const overrides = await overridesOf(ctx.sql, event.row.id);
  const overridden = (label: string, id: number) =>
    overrides.find((one) => one.label === label && one.season_id === id)?.quantity ?? 0;
  for (const label of new Set(states.flatMap((one) => [...one.states.keys()]))) {
    const object = event.plan.byLabel.get(label);
    if (!object) continue;
    const taken = states.reduce((sum, one) => {
      const state = one.states.get(label) ?? FREE;
      const count = isByPlaces(object)
        ? countPlaces(state.places, () => true)
        : Number(state.status !== 'free');
      return sum + Math.max(0, count - overridden(label, one.id));
    }, 0);
    if (taken > (isByPlaces(object) ? object.capacity : 1)) return label;
  }
  return null;
}
