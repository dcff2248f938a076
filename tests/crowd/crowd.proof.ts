/**
 * A larger crowd, one on PostgreSQL, and some planted faults; `npm run test:long` plays a hundred
 * thousand people and every fault.
 */
import { expect, inject, test } from 'vitest';
import { makeDatabase } from '#tests/support/postgres.ts';
import { catchMutant } from './catch.ts';
import { playCrowd } from './play.ts';

test('a thousand people and a script with fifty tries for each: chance before the opening, then by arrival, at the set rate, each once', async () => {
  const address = ':memory:';
  const wish = { address, people: 1_000, per_minute: 1_000, robots: 50, seed: 22 };
  expect((await playCrowd(wish)).problems).toEqual([]);
});

test('two hundred on PostgreSQL, whose connections are cut in the middle of a step', async () => {
  const { address, drop } = await makeDatabase(inject('postgresUrl'));
  const wish = { address, people: 200, per_minute: 150, robots: 0, seed: 22 };
  expect((await playCrowd(wish)).problems).toEqual([]);
  await drop();
});

for (const name of [
  'drawn-by-arrival',
  'expired-pass-books',
  'counter-skips-after-no-shows',
  'elapsed-time-counts-twice',
])
  test(`a crowd catches the mutant ${name}`, () => catchMutant(name));
