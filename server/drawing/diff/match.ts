/** Matches the places of two drawings by their uuid, or by their label if they have none. */
import type { Place } from '#server/drawing/model/places.ts';

/** The places by uuid, without those that share one. */
function byUuid(places: readonly Place[]): Map<string, Place> {
  const found = new Map<string, Place>();
  const twice = new Set<string>();
  for (const place of places) {
    const { uuid } = place.data;
    if (typeof uuid !== 'string' || uuid === '') continue;
    if (found.has(uuid)) twice.add(uuid);
    found.set(uuid, place);
  }
  for (const uuid of twice) found.delete(uuid);
  return found;
}

export function byLabel(places: readonly Place[]): Map<string, Place> {
  const found = new Map<string, Place>();
  for (const place of places) if (!found.has(place.label)) found.set(place.label, place);
  return found;
}

/** Maps each place of `before` to the same place of `after`; removed places are missing. */
export function matchPlaces(before: readonly Place[], after: readonly Place[]): Map<Place, Place> {
  const [olds, news, names] = [byUuid(before), byUuid(after), byLabel(after)];
  const became = new Map<Place, Place>();
  const taken = new Set<Place>();
  for (const [uuid, place] of olds) {
    const match = news.get(uuid);
    if (!match) continue;
    became.set(place, match);
    taken.add(match);
  }
  for (const place of before) {
    if (became.has(place)) continue;
    const match = names.get(place.label);
    if (!match || taken.has(match)) continue;
    became.set(place, match);
    taken.add(match);
  }
  return became;
}
