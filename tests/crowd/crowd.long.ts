/**
 * A hundred thousand people in one waiting room, on both databases, and every planted fault that
 * a crowd must find.
 */
import { expect, inject, test } from 'vitest';
import { makeDatabase } from '#tests/support/postgres.ts';
import { databaseKinds } from '#tests/support/server.ts';
import { catchMutant } from './catch.ts';
import { playCrowd } from './play.ts';
import { crowdMutants } from './mutants.ts';
import { tell } from './tell.ts';

for (const kind of databaseKinds)
  test(`a hundred thousand people, and a script with fifty tries for each (${kind})`, async () => {
    const made = kind === 'sqlite' ? null : await makeDatabase(inject('postgresUrl'));
    const crowd = await playCrowd({
      address: made?.address ?? ':memory:',
      people: 100_000,
      per_minute: 6_000,
      robots: 50,
      seed: 22,
    });
    await made?.drop();
    console.log(tell(crowd));
    expect(crowd.problems).toEqual([]);
  });

for (const name of new Set(crowdMutants.map((mutant) => mutant.name)))
  test(`a crowd catches the mutant ${name}`, () => catchMutant(name));
