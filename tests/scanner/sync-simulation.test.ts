/** A few random evenings of phones without signal, lost answers, deaths and clocks that are wrong, and proof that they see a fault; by the dozen in sync-simulation.proof.ts. */
import { expect, test } from 'vitest';
import { simulate } from '#tests/simulation/simulate.ts';

test('in evenings with faults at every step no scan is lost, each counts once and all phones end equal to the server; a server that takes scans twice is caught in the first of them', async () => {
  const sound = await simulate('door-run.ts', ['--evenings', '2', '--seed', '7']);
  expect(sound).toEqual({ code: 0, said: expect.stringContaining('2 evenings') as string });
  const mutant = ['--mutant', 'no-dedupe-on-the-server', '--quick'];
  const broken = await simulate('door-run.ts', ['--evenings', '1', '--seed', '7', ...mutant]);
  expect(broken.said).toMatch(/broken after 1 evenings/);
  expect(broken.code).toBe(1);
});
