/** Whatever a stranger sends, the server keeps to its contract: the short form of `npm run fuzz`; tests/fuzz/fuzz.proof.ts asks more. */
import { expect } from 'vitest';
import { fuzz } from '#tests/fuzz/fuzz.ts';
import { testOnce as test } from '#tests/support/both.ts';

test('no request of a stranger breaks the contract, gets in where it may not, or changes what it may not', async (server) => {
  const { faults, statuses } = await fuzz(server, { requests: 300, seed: 917_302 });
  expect(faults).toEqual([]);
  // It does get somewhere.
  expect(statuses.get(200)).toBeGreaterThan(50);
});
