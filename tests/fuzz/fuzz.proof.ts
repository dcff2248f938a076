/** Hundreds of requests of strangers and of everybody else, thousands in CI. */
import { expect } from 'vitest';
import { testOnce as test } from '#tests/support/both.ts';
import { fuzz } from './fuzz.ts';

const requests = process.env['CI'] ? 5_000 : 800;

test(`${requests} requests break no contract and change nothing that they may not`, async (server) => {
  const { faults, statuses } = await fuzz(server, { requests, seed: 917_303 });
  expect(faults.join('\n')).toBe('');
  // It does get somewhere.
  expect(statuses.get(200)).toBeGreaterThan(requests / 8);
});
