/** The cheapest seating of a small house, from every set of its places: an independent measure for the proposal. */
import {
  costOf,
  mayTake,
  partsOf,
  weights,
  type Group,
  type Guest,
  type HallPlace,
} from '#server/domain/seat/rehousing.ts';

export const unplacedCost = 10_000;

/** What the cheapest way to fill each set of places costs; a set is a number with a bit for each place. */
type CostOfSets = ReadonlyMap<number, number>;

/** Unplaced groups cost 10,000 a guest. `atMost`: what is known to be possible; every place takes one guest. */
export function leastCost(
  hall: readonly HallPlace[],
  groups: readonly Group[],
  atMost: number,
): number {
  const worst = atMost + 1e-6;
  let filled: CostOfSets = new Map([[0, 0]]);
  for (const group of groups) filled = withGroup(filled, group, { hall, worst });
  let best = worst;
  for (const [set, cost] of filled)
    if (cost < best) best = Math.min(best, cost + costAlone(hall, set));
  return best;
}

interface Ask {
  hall: readonly HallPlace[];
  worst: number;
}

/** All of a group or none. */
function withGroup(filled: CostOfSets, group: Group, { hall, worst }: Ask): CostOfSets {
  const own = setsOf(group, { hall, worst });
  const next = new Map<number, number>();
  const offer = (set: number, cost: number) => {
    if (cost < worst && cost < (next.get(set) ?? Infinity)) next.set(set, cost);
  };
  for (const [set, cost] of filled) {
    offer(set, cost + unplacedCost * group.guests.length);
    for (const [more, price] of own) if ((set & more) === 0) offer(set | more, cost + price);
  }
  return next;
}

/** Every set of places for one group, with the cheapest order of its guests. */
function setsOf(group: Group, { hall, worst }: Ask): CostOfSets {
  let sets = new Map([[0, 0]]);
  for (const guest of group.guests) {
    const next = new Map<number, number>();
    const free = hall.flatMap((place, at) =>
      mayTake(guest, group, place) ? [{ bit: 1 << at, price: priceOf(guest, place) }] : [],
    );
    for (const [set, cost] of sets)
      for (const { bit, price } of free) {
        if ((set & bit) !== 0 || cost + price >= (next.get(set | bit) ?? worst)) continue;
        next.set(set | bit, cost + price);
      }
    sets = next;
  }
  const places = new Map(hall.map((place) => [place.label, place]));
  const labelsIn = (set: number) => new Set(placesIn(hall, set).map(({ label }) => label));
  return new Map(
    [...sets]
      .map(
        ([set, cost]) =>
          [set, cost + weights.split * (partsOf(places, labelsIn(set)) - 1)] as const,
      )
      .filter(([, cost]) => cost < worst),
  );
}

function priceOf(guest: Guest, place: HallPlace): number {
  const lower = place.rank! > guest.rank ? weights.lower : 0;
  return lower + Math.max(0, place.distance - guest.distance) * weights.metre;
}

function costAlone(hall: readonly HallPlace[], set: number): number {
  const seats = new Map(placesIn(hall, set).map(({ label }, at) => [String(at), label]));
  return costOf(hall, [], { seats }).total;
}

function placesIn(hall: readonly HallPlace[], set: number): HallPlace[] {
  return hall.filter((_, at) => (set & (1 << at)) !== 0);
}
