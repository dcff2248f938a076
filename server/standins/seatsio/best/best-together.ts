/**
 * Seats side by side for a party: the nearest group that leaves no single seat beside it, or just
 * the nearest group.
 */
import { entryAt } from '#server/drawing/model/entry.ts';

/** A seat with the facts on which the choice depends. */
export interface Candidate {
  label: string;
  section?: string;
  category: string | null;
  distance: number;
  accessible: boolean;
  /** Free, for sale and open to the caller; only such a neighbour can be left single. */
  open: boolean;
  /** Open, and one that the caller asked for. */
  wanted: boolean;
}

/** Seats side by side without an aisle, in physical order. */
export interface Bench {
  seats: Candidate[];
  isTable: boolean;
}

export interface Party {
  number: number;
  accessible: number;
}

/** Sums that differ by less are equal, because the order of adding changes the last digits. */
const SAME = 1e-9;

/** Seats side by side with the least mean distance; `tidy` refuses to leave a single seat. */
export function findTogether(benches: Bench[], party: Party, tidy: boolean): Candidate[] | null {
  const { number } = party;
  let best: { seats: Candidate[]; start: number; sum: number } | null = null;
  for (const bench of benches) {
    const { seats } = bench;
    let run = 0;
    for (const [last, seat] of seats.entries()) {
      run = seat.wanted ? run + 1 : 0;
      if (run < number) continue;
      const start = last + 1 - number;
      let sum = 0;
      let accessible = 0;
      for (let index = start; index <= last; index += 1) {
        const one = entryAt(seats, index);
        sum += one.distance;
        if (one.accessible) accessible += 1;
      }
      if (accessible !== party.accessible || (best && sum >= best.sum - SAME)) continue;
      if (tidy && !bench.isTable && (leavesAlone(seats, start, -1) || leavesAlone(seats, last, 1)))
        continue;
      best = { seats, start, sum };
    }
  }
  return best && best.seats.slice(best.start, best.start + number);
}

/**
 * Whether the group leaves a single free seat beyond one of its ends. Seats of another category
 * count as the row's end, as in the chart's rule.
 */
function leavesAlone(seats: Candidate[], end: number, step: 1 | -1): boolean {
  const own = entryAt(seats, end);
  const next = seats[end + step];
  const beyond = seats[end + 2 * step];
  return (
    next !== undefined &&
    next.open &&
    next.category === own.category &&
    !(beyond?.open && beyond.category === own.category)
  );
}
