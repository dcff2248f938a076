/** The long form: the five halls pairwise, full houses, 1,000 random ones, and 2,000 tickets within five seconds. */
import { describe, expect, test } from 'vitest';
import { solveSeating } from '#server/domain/seat/rehousing-solver.ts';
import { faultsOf, ownHalls, randomOf, sellHouse } from '#tests/support/sold-houses.ts';
import { checkHouse } from './sold-house-check.ts';

/** Ten times what it takes alone on the machine. */
const fiveMinutesMs = 300_000;

describe('each of the five halls, nearly sold out, into each other', () => {
  const halls = [...ownHalls()];
  test.each(halls)('from %s', { timeout: fiveMinutesMs }, (from, old) => {
    for (const [to, hall] of halls) {
      const groups = sellHouse(old, { tickets: 2_000, random: randomOf(from.length + to.length) });
      expect(faultsOf(hall, groups, solveSeating(hall, groups)), `${from} → ${to}`).toEqual([]);
    }
  });
});

test('2,000 tickets are seated within five seconds of work', { timeout: fiveMinutesMs }, () => {
  const arena = ownHalls().get('arena')!;
  const groups = sellHouse(arena, { tickets: 2_000, random: randomOf(3) });
  const begun = process.cpuUsage();
  solveSeating(arena, groups);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1_000).toBeLessThan(5_000);
});

test('1,000 random small houses are within 3 % of the best', { timeout: fiveMinutesMs }, () => {
  for (let seed = 1; seed <= 1_000; seed += 1) checkHouse(seed);
});
