/** Random histories of visitors, vendors and dying processes against the product's own services; and proof that the simulation sees faults: each named mutant is caught. */
import { expect, test } from 'vitest';
import { mutants } from '#tests/simulation/mutants.ts';
import { simulate } from '#tests/simulation/simulate.ts';

/** The product passes the very histories in which each mutant is caught. */
const sameHistories = ['--histories', '2000', '--seed', '20'];

test(
  'two thousand histories with faults at every step: nothing lost, nothing sold twice, every cent accounted for',
  { timeout: 300_000 },
  async () => {
    const { code, said } = await simulate('run.ts', sameHistories);
    expect(said).toContain('2000 histories');
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  },
);

test('histories on PostgreSQL with two processes hold as well', { timeout: 300_000 }, async () => {
  const { code, said } = await simulate('run.ts', [
    '--histories',
    '30',
    '--seed',
    '20261121',
    '--postgres',
  ]);
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
});

for (const name of new Set(mutants.map((mutant) => mutant.name))) {
  test(`the simulation catches the mutant ${name}`, { timeout: 300_000 }, async () => {
    const { code, said } = await simulate('run.ts', [
      ...sameHistories,
      '--mutant',
      name,
      '--quick',
    ]);
    const after = /broken after (\d+) histories/.exec(said);
    expect({ code, said: after ? '' : said.slice(0, 2_000) }).toEqual({ code: 1, said: '' });
    console.log(`mutant ${name}: caught after ${after![1]} histories`);
  });
}
