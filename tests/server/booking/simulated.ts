/** Runs of the simulation of the sale that tests ask for: random histories that must hold, and mutants that must be caught. */
import { expect } from 'vitest';
import { simulate } from '#tests/simulation/simulate.ts';

export const seed = ['--seed', '20'];

export async function expectHistoriesHold(count: number, options = seed): Promise<void> {
  const { code, said } = await simulate('run.ts', ['--histories', String(count), ...options]);
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  expect(said).toContain(`${count} histories`);
}

/** What the simulation says when it has caught a mutant; throws when it ends otherwise. */
export async function hunt(name: string, options: readonly string[]): Promise<string> {
  const asked = ['--histories', '2000', ...seed, ...options, '--mutant', name, '--quick'];
  const { code, said } = await simulate('run.ts', asked);
  const after = /broken after \d+ histories/.exec(said);
  expect({ code, said: after ? '' : said.slice(0, 2_000) }).toEqual({ code: 1, said: '' });
  return after![0];
}

/** One history alone, by its number among those of the seed. */
export const theHistory = (number: number) => ['--histories', '1', '--path', String(number - 1)];
