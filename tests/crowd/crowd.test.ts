/** The short form of `npm run crowd`, and faults of ours that it must find; `npm run test:long` plays a hundred thousand people and every fault. */
import { expect, inject, test } from 'vitest';
import { simulate } from '#tests/simulation/simulate.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { playCrowd } from './play.ts';
import { tell } from './tell.ts';

const patient = { timeout: 300_000 };

test(
  'a thousand people and a script with fifty tries for each: chance before the opening, then by arrival, at the set rate, each once',
  patient,
  async () => {
    const crowd = await playCrowd({
      address: ':memory:',
      people: 1_000,
      per_minute: 1_000,
      robots: 50,
      seed: 22,
    });
    console.log(tell(crowd));
    expect(crowd.problems).toEqual([]);
  },
);

test(
  'two hundred on PostgreSQL, whose connections are cut in the middle of a step',
  patient,
  async () => {
    const { address, drop } = await makeDatabase(inject('postgresUrl'));
    const { problems } = await playCrowd({
      address,
      people: 200,
      per_minute: 150,
      robots: 0,
      seed: 22,
    });
    await drop();
    expect(problems).toEqual([]);
  },
);

const quick = [
  'drawn-by-arrival',
  'expired-pass-books',
  'counter-skips-after-no-shows',
  'elapsed-time-counts-twice',
];

for (const name of quick)
  test(`a crowd catches the mutant ${name}`, patient, async () => {
    const options = ['--people', '300', '--robots', '0', '--seed', '5', '--mutant', name];
    const { code, said } = await simulate('../crowd/run.ts', options);
    expect({ code, caught: /\d+ things are wrong/.test(said) }).toEqual({ code: 1, caught: true });
  });
