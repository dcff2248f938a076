/** Thousands of requests of strangers and of everybody else, on both databases. */
import { expect } from 'vitest';
import { testOnBoth as test } from '#tests/support/both.ts';
import { fuzz } from './fuzz.ts';

test('five thousand requests break no contract and change nothing that they may not', async (server) => {
  const { faults, statuses } = await fuzz(server, { requests: 5_000, seed: 917_302 });
  expect(faults).toEqual([]);
  // It does get somewhere.
  expect(statuses.get(200)).toBeGreaterThan(500);
});
