/** Ten seasons of chance, each with the numbers of a slow count: what takes too long for every change. */
import { testOnBoth as test } from '#tests/support/both.ts';
import { expectSeason } from '#tests/support/report-numbers.ts';

for (let seed = 1; seed <= 10; seed += 1)
  test(`season ${seed} has the numbers of a slow count`, (server) => expectSeason(server, seed));
