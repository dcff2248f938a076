/**
 * Seats for a party that cannot sit side by side: the nearest of one section, else of all
 * sections, with as few people alone as possible.
 */
import type { Bench, Candidate, Party } from './best-together.ts';

/** Larger than any sum of distances, so that fewer people alone always wins. */
const ALONE = 1e12;
/** The most bytes that one search may use; if it needs more, people are seated one by one. */
const MOST_MEMORY = 20_000_000;

interface Seating {
  seats: Candidate[];
  cost: number;
}

/** Null when there are not enough seats. The seats come in bench order. */
export function findScattered(benches: Bench[], party: Party): Candidate[] | null {
  const bySection = Map.groupBy(benches, ({ seats }) => seats[0]?.section);
  let best: Seating | null = null;
  for (const section of bySection.values()) {
    const seating = seatParty(section, party);
    if (seating && (!best || seating.cost < best.cost)) best = seating;
  }
  return (best ?? (bySection.size > 1 ? seatParty(benches, party) : null))?.seats ?? null;
}

function seatParty(benches: Bench[], party: Party): Seating | null {
  const seats: Candidate[] = [];
  const joined: boolean[] = [];
  for (const bench of benches) {
    for (const [index, seat] of bench.seats.entries()) {
      if (!seat.wanted) continue;
      seats.push(seat);
      joined.push(bench.seats[index - 1]?.wanted === true);
    }
  }
  const accessible = seats.filter((seat) => seat.accessible).length;
  if (accessible < party.accessible || seats.length - accessible < party.number - party.accessible)
    return null;
  const states = (party.number + 1) * (party.accessible + 1) * 3;
  return states * seats.length > MOST_MEMORY
    ? seatOneByOne(seats, party)
    : seatTogether(seats, joined, party);
}

function seatOneByOne(seats: Candidate[], party: Party): Seating {
  const byDistance = seats.toSorted((a, b) => a.distance - b.distance);
  const chosen = new Set([
    ...byDistance.filter((seat) => seat.accessible).slice(0, party.accessible),
    ...byDistance.filter((seat) => !seat.accessible).slice(0, party.number - party.accessible),
  ]);
  return {
    seats: seats.filter((seat) => chosen.has(seat)),
    cost: byDistance.reduce((sum, seat) => (chosen.has(seat) ? sum + seat.distance : sum), 0),
  };
}

/** The last seat is left free, taken without a neighbour so far, or taken beside a taken one. */
const LEFT = 0;
const SINGLE = 1;
const PAIRED = 2;

/**
 * Exact dynamic programming: for each seat it computes the least cost of seating a number of
 * people, a number of them in wheelchairs, if that seat is left, single or paired. `from` holds
 * the previous seat's state, from which the cheapest way is read backwards.
 */
function seatTogether(
  seats: Candidate[],
  joined: boolean[],
  { number, accessible }: Party,
): Seating {
  const person = (accessible + 1) * 3;
  const width = (number + 1) * person;
  const from = new Uint8Array(seats.length * width);
  let before = new Float64Array(width).fill(Infinity);
  let after = new Float64Array(width);
  before[LEFT] = 0;
  for (const [index, seat] of seats.entries()) {
    after.fill(Infinity);
    const row = index * width;
    const step = seat.accessible ? person + 3 : person;
    const most = Math.min(number, index) * person + accessible * 3;
    for (let at = 0; at <= most; at += 3) {
      const left = before[at] ?? Infinity;
      const single = before[at + SINGLE] ?? Infinity;
      const paired = before[at + PAIRED] ?? Infinity;
      const apart = cheapest(left, single + ALONE, paired);
      const cost = (before[at + apart] ?? Infinity) + (apart === SINGLE ? ALONE : 0);
      after[at] = cost;
      from[row + at] = apart;
      const to = at + step;
      if (to >= width || (seat.accessible && (at / 3) % (accessible + 1) === accessible)) continue;
      after[to + SINGLE] = (joined[index] ? left : cost) + seat.distance;
      from[row + to + SINGLE] = joined[index] ? LEFT : apart;
      if (!joined[index]) continue;
      after[to + PAIRED] = Math.min(single, paired) + seat.distance;
      from[row + to + PAIRED] = single <= paired ? SINGLE : PAIRED;
    }
    [before, after] = [after, before];
  }
  return walkBack(seats, { from, width, person, last: before });
}

function cheapest(left: number, single: number, paired: number): number {
  if (left <= single && left <= paired) return LEFT;
  return single < paired ? SINGLE : PAIRED;
}

function walkBack(
  seats: Candidate[],
  {
    from,
    width,
    person,
    last,
  }: { from: Uint8Array; width: number; person: number; last: Float64Array },
): Seating {
  const end = width - 3;
  const [left = Infinity, single = Infinity, paired = Infinity] = last.subarray(end);
  const costs = [left, single + ALONE, paired];
  const cost = Math.min(...costs);
  const chosen: Candidate[] = [];
  let at = end;
  let how = costs.indexOf(cost);
  for (const [index, seat] of [...seats.entries()].toReversed()) {
    const was = from[index * width + at + how] ?? LEFT;
    if (how !== LEFT) {
      chosen.push(seat);
      at -= seat.accessible ? person + 3 : person;
    }
    how = was;
  }
  return { seats: chosen.reverse(), cost };
}
