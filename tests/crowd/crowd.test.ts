/** The short form of `npm run crowd`, and faults of ours that it must find; `npm run test:long` plays a hundred thousand people and every fault. */
import { expect, inject, test } from 'vitest';
import { simulate } from '#tests/simulation/simulate.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { playCrowd } from './crowd.ts';
import { tell } from './tell.ts';

test('two thousand people and a script with fifty tries for each: chance before the opening, then by arrival, at the set rate, each once', async () => {
  const crowd = await playCrowd({
    address: ':memory:',
    people: 2_000,
    per_minute: 1_000,
    robots: 50,
    seed: 22,
  });
  console.log(tell(crowd));
  expect(crowd.problems).toEqual([]);
});

test('three hundred on PostgreSQL, whose connections are cut in the middle of a step', async () => {
  const { address, drop } = await makeDatabase(inject('postgresUrl'));
  const { problems } = await playCrowd({
    address,
    people: 300,
    per_minute: 300,
    robots: 0,
    seed: 22,
  });
  await drop();
  expect(problems).toEqual([]);
});

const quick = [
  'drawn-by-arrival',
  'expired-pass-books',
  'counter-skips-after-no-shows',
  'elapsed-time-counts-twice',
];

for (const name of quick)
  test(`a crowd catches the mutant ${name}`, async () => {
    const options = ['--people', '300', '--robots', '0', '--seed', '5', '--mutant', name];
    const { code, said } = await simulate('../crowd/run.ts', options);
    expect({ code, caught: /\d+ things are wrong/.test(said) }).toEqual({ code: 1, caught: true });
  });
