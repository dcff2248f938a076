/** Attackers who keep the ends of their bodies back fill no memory, and an ordinary visitor does not notice them. */
import { expect, onTestFinished, test } from 'vitest';
import { makeData, startProduct } from '#tests/support/product.ts';
import { bodyFloods, floodBodies } from './bodies.ts';
import { harmOf } from './victim.ts';

// Without the bounds these take 490, 470 and 340 MB; `npm run attack` prints the figures of a quiet machine.
const heaviest = [0, 3, 4].map((nth) => Object.entries(bodyFloods)[nth]!);

test.each(heaviest)('%s take little memory', async (_, attacks) => {
  const data = await makeData('sqlite', '');
  onTestFinished(() => data.clean());
  await using product = await startProduct(data);
  const answers: Record<string, number>[] = [];
  const harm = await harmOf(product, async () => {
    const floods = attacks.map((attack) => floodBodies(product.url, attack));
    answers.push(...(await Promise.all(floods)));
  });
  expect(harm.memory).toBeLessThan(230);
  expect(harm.health).toBeLessThan(8_000);
  if (attacks[0]!.connections > 900) expect(answers[0]![503]).toBeGreaterThan(900);
});
