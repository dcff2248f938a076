/** What a seating in another hall costs, by all that guests lose by it (RULES H2). */
import { aimsOf, outOfOrder } from './rehousing-order.ts';
import {
  headsOf,
  isSeatOnSale,
  weights,
  type Group,
  type Guest,
  type HallPlace,
  type Seating,
} from './rehousing.ts';
import type { PlaceKind } from './seat-name.ts';

/** How often each cost occurs, and the total. */
interface SeatingCost {
  split: number;
  lower: number;
  alone: number;
  metres: number;
  /** Metres from the seats that would keep the order among buyers. */ order: number;
  total: number;
}

/**
 * Further parts of each group, seats of a lower category, seats left alone, metres lost, metres
 * out of the order among buyers.
 */
export function costOf(
  hall: readonly HallPlace[],
  groups: readonly Group[],
  { seats }: Pick<Seating, 'seats'>,
): SeatingCost {
  const places = new Map(hall.map((place) => [place.label, place]));
  const taken = new Set(seats.values());
  const aims = aimsOf(hall, groups);
  let [split, lower, metres, order] = [0, 0, 0, 0];
  for (const { guests } of groups) {
    for (const kind of ['seat', 'area'] as const)
      split += Math.max(0, partsOf(places, labelsOf(guests, kind, seats)) - 1);
    for (const guest of guests) {
      const place = places.get(seats.get(guest.id) ?? '');
      if (!place) continue;
      if ((place.rank ?? Infinity) > guest.rank) lower += headsOf(guest);
      metres += Math.max(0, place.distance - guest.distance) * headsOf(guest);
      order += outOfOrder(place.distance, aims.get(guest.id));
    }
  }
  const alone = hall.filter((place) => isLeftAlone(place, { places, taken })).length;
  const total =
    weights.split * split +
    weights.lower * lower +
    weights.alone * alone +
    weights.metre * metres +
    weights.order * order;
  return { split, lower, alone, metres, order, total };
}

function labelsOf(
  guests: readonly Guest[],
  kind: PlaceKind,
  seats: ReadonlyMap<string, string>,
): Set<string> {
  const same = guests.filter((guest) => guest.kind === kind && guest.party === 0);
  return new Set(same.flatMap(({ id }) => seats.get(id) ?? []));
}

/** Runs of neighbours; places of one standing area are together. */
export function partsOf(
  places: ReadonlyMap<string, HallPlace>,
  labels: ReadonlySet<string>,
): number {
  const seen = new Set<string>();
  let parts = 0;
  for (const label of labels) {
    if (seen.has(label)) continue;
    parts += 1;
    const next = [label];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      seen.add(at);
      const { left, right } = places.get(at) ?? { left: null, right: null };
      for (const beside of [left, right])
        if (beside !== null && labels.has(beside) && !seen.has(beside)) next.push(beside);
    }
  }
  return parts;
}

interface House {
  places: ReadonlyMap<string, HallPlace>;
  taken: ReadonlySet<string>;
}

/**
 * A free seat without a free neighbour, because a guest has been seated beside it. Places for
 * wheelchairs and their companions do not count.
 */
function isLeftAlone(place: HallPlace, { places, taken }: House): boolean {
  if (!isOrdinary(place) || taken.has(place.label)) return false;
  const beside = [place.left, place.right].flatMap((label) => places.get(label ?? '') ?? []);
  const isFree = (one: HallPlace) => isSeatOnSale(one) && !taken.has(one.label);
  return !beside.some(isFree) && beside.some(({ label }) => taken.has(label));
}

function isOrdinary(place: HallPlace): boolean {
  return isSeatOnSale(place) && !place.accessible && !place.companion && !place.at_table;
}
