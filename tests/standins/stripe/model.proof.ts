/** Random histories of the account, as many as a rare order of things needs. */
import { expect, test } from 'vitest';
import { playHistories } from './model.ts';

test('whatever happens in whatever order, the books agree', async () => {
  const reached = await playHistories(60);
  // The histories are long enough to get somewhere.
  for (const state of ['open', 'expired']) expect([...reached]).toContain(`${state} unpaid`);
  for (const state of ['complete paid', 'succeeded']) expect([...reached]).toContain(state);
});
