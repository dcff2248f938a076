/** A small crowd must find a named fault that we planted. */
import { expect } from 'vitest';
import { simulate } from '#tests/simulation/simulate.ts';

export async function catchMutant(name: string): Promise<void> {
  const robots = name === 'neighbours-not-counted' ? '50' : '0';
  const wish = ['--people', '300', '--robots', robots, '--seed', '5', '--mutant', name];
  const { code, said } = await simulate('../crowd/run.ts', wish);
  expect({ code, caught: /\d+ things are wrong/.test(said) }).toEqual({ code: 1, caught: true });
}
