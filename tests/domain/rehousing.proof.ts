/** The proposal at length: 1,000 random houses by priority and order, 1,000 small ones near the best, and its time. */
import { expect, test } from 'vitest';
import { costOf } from '#server/domain/seat/rehousing-cost.ts';
import { solveSeating } from '#server/domain/seat/rehousing-solver.ts';
import { ownHalls, randomOf, sellHouse } from '#tests/support/sold-houses.ts';
import { checkCrowded, type Crowded } from './crowded-house-check.ts';

const threeMinutesMs = 180_000;

test(
  '1,000 random houses keep priority, and 95 % of pairs their order',
  {
    timeout: threeMinutesMs,
  },
  () => {
    const sum: Crowded = { pairs: 0, kept: 0, crowded: 0 };
    for (let seed = 1; seed <= 1_000; seed += 1) checkCrowded(seed, sum);
    expect(sum.crowded).toBeGreaterThan(250);
    expect(sum.kept / sum.pairs).toBeGreaterThan(0.95);
  },
);

test(
  'a plan of 300 takes less than two seconds of work and splits no group',
  {
    timeout: threeMinutesMs,
  },
  () => {
    const halls = ownHalls();
    const hall = halls.get('teatro-dell-opera')!;
    const groups = sellHouse(halls.get('teatro-goldoni')!, { tickets: 300, random: randomOf(7) });
    const begun = process.cpuUsage();
    const answer = solveSeating(hall, groups);
    const { user, system } = process.cpuUsage(begun);
    expect(answer.unplaced).toEqual([]);
    expect(costOf(hall, groups, answer).split).toBe(0);
    // Twice the bar, because other tests run beside it.
    expect((user + system) / 1_000).toBeLessThan(4_000);
  },
);
