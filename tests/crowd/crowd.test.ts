/**
 * The shortest form of `npm run crowd`; crowd.proof.ts plays a larger one on both databases, with
 * planted faults.
 */
import { expect, test } from 'vitest';
import { playCrowd } from './play.ts';
import { tell } from './tell.ts';

test('three hundred people and a script with twenty tries for each: chance before the opening, then by arrival, at the set rate, each once', async () => {
  const crowd = await playCrowd({
    address: ':memory:',
    people: 300,
    per_minute: 300,
    robots: 20,
    seed: 22,
  });
  console.log(tell(crowd));
  expect(crowd.problems).toEqual([]);
});
