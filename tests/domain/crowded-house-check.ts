/** A random sold house into a random hall, often too small: who is left out, and who sits behind whom. */
import { expect } from 'vitest';
import type { Group, HallPlace } from '#server/domain/seat/rehousing.ts';
import { orderKept } from '#server/domain/seat/rehousing-order.ts';
import { comparePriority, dearestOf, placedFirst } from '#server/domain/seat/rehousing-priority.ts';
import { solveSeating } from '#server/domain/seat/rehousing-solver.ts';
import { bigHall, faultsOf, randomOf, sellHouse } from '#tests/support/sold-houses.ts';

/** Far less than a proposal may take: who is left out must not hang on luck. */
const looks = 60_000;

/** What the houses add up to. */
export interface Crowded {
  pairs: number;
  kept: number;
  /** Houses in which a group is left out. */ crowded: number;
}

export function checkCrowded(seed: number, sum: Crowded): void {
  const random = randomOf(seed * 104_729);
  const [old, hall] = [bigHall(random), bigHall(random)];
  const groups = sellHouse(old, { tickets: 15 + Math.floor(random() * 70), random });
  const first = placedFirst[seed % placedFirst.length]!;
  const { seats, unplaced } = solveSeating(hall, groups, { first, looks });
  expect(faultsOf(hall, groups, { seats, unplaced }), `seed ${seed}`).toEqual([]);
  const out = new Set(unplaced.map(({ group_id }) => group_id));
  for (const group of groups.filter(({ id }) => out.has(id))) {
    const isAfter = (other: Group) => comparePriority(group, other, first) < 0;
    const room = roomFor(hall, { seats, others: groups.filter(isAfter) });
    expect(room, `seed ${seed}: ${group.id} could sit`).toBeLessThan(group.guests.length);
    if (first === 'dearer') expectNoCheaper(group, hall, { seats, groups });
  }
  const { pairs, kept } = orderKept(hall, groups, seats);
  sum.pairs += pairs;
  sum.kept += kept;
  sum.crowded += out.size > 0 ? 1 : 0;
}

interface Around {
  seats: ReadonlyMap<string, string>;
}

/** The seats that are free, or that groups of less priority have. */
function roomFor(
  hall: readonly HallPlace[],
  { seats, others }: Around & { others: readonly Group[] },
): number {
  const taken = new Set(seats.values());
  const free = hall.filter(({ open, rank, label }) => open && rank !== null && !taken.has(label));
  const theirs = others.flatMap(({ guests }) => guests.filter(({ id }) => seats.has(id)));
  return free.length + theirs.length;
}

/** Cheaper tickets have fewer seats of its category than the group would need. */
function expectNoCheaper(
  group: Group,
  hall: readonly HallPlace[],
  { seats, groups }: Around & { groups: readonly Group[] },
): void {
  const dearest = dearestOf(group);
  const own = new Set(hall.filter(({ rank }) => rank === dearest).map(({ label }) => label));
  const cheaper = groups
    .filter((other) => dearestOf(other) > dearest)
    .flatMap(({ guests }) => guests.filter(({ id }) => own.has(seats.get(id) ?? '')));
  expect(cheaper.length, group.id).toBeLessThan(group.guests.length);
}
