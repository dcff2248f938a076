/**
 * The order among buyers in a change of hall: guests who sat nearer the stage than others of
 * their category do so in the new hall (RULES H2).
 */
import { isSeatOnSale, type Group, type Guest, type HallPlace } from './rehousing.ts';

/**
 * The distance from the stage that keeps the order, by the guest's id: the n-th guest of a
 * category aims at its n-th seat. Guests beyond the seats of a category come first in the next
 * one, and beyond the last one behind those of the dearer ones; a guest for whom no seat is left
 * has no aim.
 */
export function aimsOf(
  hall: readonly HallPlace[],
  groups: readonly Pick<Group, 'guests'>[],
): Map<string, number> {
  const guests = groups.flatMap((group) => group.guests.filter(hasOrder)).sort(byDistance);
  const seats = hall
    .filter((place) => isSeatOnSale(place) && !place.accessible && !place.companion)
    .sort((a, b) => a.distance - b.distance);
  const ranks = [...guests, ...seats].map(({ rank }) => rank ?? 0);
  const aims = new Map<string, number>();
  let beyond: Guest[] = [];
  const spare: HallPlace[] = [];
  for (const rank of [...new Set(ranks)].sort((a, b) => a - b)) {
    const near = seats.filter((place) => place.rank === rank);
    const wanting = [...beyond, ...guests.filter((guest) => guest.rank === rank)];
    for (const [nth, { distance }] of near.entries()) {
      const guest = wanting[nth];
      if (guest !== undefined) aims.set(guest.id, distance);
    }
    beyond = wanting.slice(near.length);
    spare.unshift(...near.slice(wanting.length));
  }
  for (const [nth, guest] of beyond.entries()) {
    const seat = spare[nth];
    if (seat !== undefined) aims.set(guest.id, seat.distance);
  }
  return aims;
}

/** Guests at tables, in areas and in wheelchairs have few places, in no order. */
function hasOrder({ kind, party, accessible }: Guest): boolean {
  return kind === 'seat' && party === 0 && !accessible;
}

const byDistance = (a: Guest, b: Guest) => a.distance - b.distance || (a.id < b.id ? -1 : 1);

/** From one row to the next; seats that are less far apart count as one row. */
const rowMetres = 0.9;

/** How many metres beyond half a row a seat is out of the order; without an aim none. */
export function outOfOrder(distance: number, aim: number | null | undefined): number {
  return aim == null ? 0 : Math.max(0, Math.abs(distance - aim) - rowMetres / 2);
}

/**
 * How many pairs of guests of different groups, of one category and side of the hall, sat in one
 * row behind the other, and of how many of them the nearer is not behind the other now.
 */
export function orderKept(
  hall: readonly HallPlace[],
  groups: readonly Pick<Group, 'guests'>[],
  seats: ReadonlyMap<string, string>,
): { pairs: number; kept: number } {
  const places = new Map(hall.map((place) => [place.label, place]));
  const seated = groups.flatMap(({ guests }, group) =>
    guests.filter(hasOrder).flatMap((guest): Seated[] => {
      const place = places.get(seats.get(guest.id) ?? '');
      if (place?.kind !== 'seat' || place.rank !== guest.rank) return [];
      const side = `${guest.rank} ${guest.angle < 0}`;
      return [{ group: `${side} ${group}`, side, before: guest.distance, now: place.distance }];
    }),
  );
  const all = countPairs(seated, ({ side }) => side);
  const own = countPairs(seated, ({ group }) => group);
  return { pairs: all.pairs - own.pairs, kept: all.kept - own.kept };
}

interface Seated {
  group: string;
  side: string;
  before: number;
  now: number;
}

/** The pairs within each set of guests. */
function countPairs(
  seated: readonly Seated[],
  setOf: (one: Seated) => string,
): { pairs: number; kept: number } {
  const sets = new Map<string, Seated[]>();
  for (const one of seated) {
    const set = sets.get(setOf(one));
    if (set) set.push(one);
    else sets.set(setOf(one), [one]);
  }
  const sum = { pairs: 0, kept: 0 };
  for (const set of sets.values()) {
    const { pairs, kept } = pairsIn(set);
    sum.pairs += pairs;
    sum.kept += kept;
  }
  return sum;
}

/** Counts in one pass from the stage to the back, so that a large house takes no longer. */
function pairsIn(seated: readonly Seated[]): { pairs: number; kept: number } {
  const byBefore = [...seated].sort((a, b) => a.before - b.before);
  const nows = seated.map(({ now }) => now).sort((a, b) => a - b);
  const counts = new Int32Array(nows.length + 1);
  const add = (now: number) => {
    for (let at = countUpTo(nows, now); at < counts.length; at += at & -at)
      counts[at] = (counts[at] ?? 0) + 1;
  };
  const sumUpTo = (now: number) => {
    let sum = 0;
    for (let at = countUpTo(nows, now); at > 0; at -= at & -at) sum += counts[at] ?? 0;
    return sum;
  };
  let [pairs, kept, ahead] = [0, 0, 0];
  for (const { before, now } of byBefore) {
    for (let next = byBefore[ahead]; next && next.before <= before - rowMetres;) {
      add(next.now);
      ahead += 1;
      next = byBefore[ahead];
    }
    pairs += ahead;
    kept += sumUpTo(now + rowMetres);
  }
  return { pairs, kept };
}

/** How many of the sorted numbers are no greater. */
function countUpTo(sorted: readonly number[], most: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
