/** Whatever a stranger sends, the server keeps to its contract: the short form of `npm run fuzz`; tests/fuzz/fuzz.proof.ts asks more. */
import { expect, test } from 'vitest';
import { fuzz } from '#tests/fuzz/fuzz.ts';
import { startServer } from '#tests/support/server.ts';

test('no request of a stranger breaks the contract, gets in where it may not, or changes what it may not', async () => {
  await using server = await startServer();
  const { faults, statuses } = await fuzz(server, { requests: 300, seed: 917_302 });
  expect(faults).toEqual([]);
  // It does get somewhere.
  expect(statuses.get(200)).toBeGreaterThan(50);
});
