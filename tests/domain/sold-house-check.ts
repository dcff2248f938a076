/** One random sold house into one random hall, with everything that must be true of the proposal. */
import { expect } from 'vitest';
import type { Group, HallPlace } from '#server/domain/seat/rehousing.ts';
import { comparePriority } from '#server/domain/seat/rehousing-priority.ts';
import { costOf } from '#server/domain/seat/rehousing-cost.ts';
import { solveSeating } from '#server/domain/seat/rehousing-solver.ts';
import {
  faultsOf,
  randomOf,
  sellHouse,
  smallHall,
  type Random,
} from '#tests/support/sold-houses.ts';
import { leastCost } from './best-seating.ts';

/** What the proposal does not care about, in metres of the whole house. */
const aHand = 0.1;

/** Small enough that every set of its places can be tried. */
export function checkHouse(seed: number): void {
  const random = randomOf(seed * 7919);
  const old = smallHall(random, { rows: 2 + Math.floor(random() * 3), width: 6 });
  const hall = smallHall(random, { rows: 2 + Math.floor(random() * 2), width: 6 });
  const open = hall.filter((place) => place.open).length;
  const tickets = Math.min(7, 2 + Math.floor(random() * open));
  const groups = withLock(sellHouse(old, { tickets, random }), hall, random);
  const answer = solveSeating(hall, groups);
  expect(faultsOf(hall, groups, answer), `seed ${seed}`).toEqual([]);
  const inTurn = [...groups].sort((a, b) => comparePriority(a, b, 'dearer'));
  const isOut = new Set(answer.unplaced.map(({ group_id }) => group_id));
  const weigh = (sum: number, { id }: Group) => sum * 2 + Number(isOut.has(id));
  const found = {
    outside: inTurn.reduce(weigh, 0),
    cost: costOf(hall, groups, answer).total,
  };
  const isLocked = groups.some(({ fixed }) => fixed !== null);
  const best = isLocked ? found : leastCost(hall, inTurn, found);
  expect(found.outside, `seed ${seed}`).toBe(best.outside);
  const message = `seed ${seed}: the best is ${best.cost}`;
  expect(found.cost, message).toBeLessThanOrEqual(best.cost * 1.03 + aHand);
}

/** Now and then one of them has been seated by hand. */
function withLock(groups: Group[], hall: readonly HallPlace[], random: Random): Group[] {
  const [first, ...others] = groups;
  const open = hall.filter(({ open }) => open);
  if (!first || random() < 0.8 || open.length < first.guests.length) return groups;
  const fixed = open.slice(0, first.guests.length).map(({ label }) => label);
  return [{ ...first, fixed }, ...others];
}
