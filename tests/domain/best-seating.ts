/** The cheapest seating of a small house, from every set of its places: an independent measure for the proposal. */
import { aimsOf, outOfOrder } from '#server/domain/seat/rehousing-order.ts';
import { costOf, partsOf } from '#server/domain/seat/rehousing-cost.ts';
import {
  mayTake,
  weights,
  type Group,
  type Guest,
  type HallPlace,
} from '#server/domain/seat/rehousing.ts';

/** What a seating costs: what the groups left out weigh, then all else. */
export interface Measured {
  /** Sum of 2 to the power of each left out group's place in the order, from the last. */
  outside: number;
  cost: number;
}

/**
 * What the cheapest way to fill each set of places costs, by who is outside and the set, which is
 * a number with a bit for each place.
 */
type CostOfSets = ReadonlyMap<string, number>;

/**
 * `groups`: first those that get their places first; no group is left out for the comfort of
 * those after it. `atMost`: what is known to be possible; every place takes one guest.
 */
export function leastCost(
  hall: readonly HallPlace[],
  groups: readonly Group[],
  atMost: Measured,
): Measured {
  const aims = aimsOf(hall, groups);
  const asked = { hall, aims };
  let filled: CostOfSets = new Map([['0 0', 0]]);
  for (const [at, group] of groups.entries())
    filled = withGroup(filled, group, { ...asked, weight: 2 ** (groups.length - 1 - at) });
  let best = atMost;
  for (const [key, cost] of filled) {
    const [outside = 0, set = 0] = key.split(' ').map(Number);
    const found = { outside, cost: cost + costAlone(hall, set) };
    if (isBetter(found, best)) best = found;
  }
  return best;
}

function isBetter(a: Measured, b: Measured): boolean {
  return a.outside < b.outside || (a.outside === b.outside && a.cost < b.cost);
}

interface Ask {
  hall: readonly HallPlace[];
  aims: ReadonlyMap<string, number>;
}

/** All of a group or none. */
function withGroup(
  filled: CostOfSets,
  group: Group,
  { weight, ...ask }: Ask & { weight: number },
): CostOfSets {
  const own = setsOf(group, ask);
  const next = new Map<string, number>();
  const least = Math.min(...[...filled.keys()].map(outsideOf));
  const offer = (key: string, cost: number) => {
    if (cost < (next.get(key) ?? Infinity)) next.set(key, cost);
  };
  for (const [key, cost] of filled) {
    const [outside = 0, set = 0] = key.split(' ').map(Number);
    // Earlier groups weigh more than all later ones together.
    if (outside > least) continue;
    for (const [more, price] of own)
      if ((set & more) === 0) offer(`${outside} ${set | more}`, cost + price);
    offer(`${outside + weight} ${set}`, cost);
  }
  return next;
}

const outsideOf = (key: string) => Number(key.split(' ')[0]);

/** Every set of places for one group, with the cheapest order of its guests. */
function setsOf(group: Group, { hall, aims }: Ask): Map<number, number> {
  let sets = new Map([[0, 0]]);
  for (const guest of group.guests) {
    const next = new Map<number, number>();
    const free = hall.flatMap((place, at) =>
      mayTake(guest, group, place) ? [{ bit: 1 << at, price: priceOf(guest, place, aims) }] : [],
    );
    for (const [set, cost] of sets)
      for (const { bit, price } of free) {
        if ((set & bit) !== 0 || cost + price >= (next.get(set | bit) ?? Infinity)) continue;
        next.set(set | bit, cost + price);
      }
    sets = next;
  }
  const places = new Map(hall.map((place) => [place.label, place]));
  const labelsIn = (set: number) => new Set(placesIn(hall, set).map(({ label }) => label));
  return new Map(
    [...sets].map(([set, cost]) => [
      set,
      cost + weights.split * (partsOf(places, labelsIn(set)) - 1),
    ]),
  );
}

function priceOf(guest: Guest, place: HallPlace, aims: Ask['aims']): number {
  const lower = place.rank! > guest.rank ? weights.lower : 0;
  const order = outOfOrder(place.distance, aims.get(guest.id)) * weights.order;
  return lower + Math.max(0, place.distance - guest.distance) * weights.metre + order;
}

function costAlone(hall: readonly HallPlace[], set: number): number {
  const seats = new Map(placesIn(hall, set).map(({ label }, at) => [String(at), label]));
  return costOf(hall, [], { seats }).total;
}

function placesIn(hall: readonly HallPlace[], set: number): HallPlace[] {
  return hall.filter((_, at) => (set & (1 << at)) !== 0);
}
