/** A few random histories; more are in model.proof.ts. */
import { test } from 'vitest';
import { playHistories } from './model.ts';

test('whatever happens in whatever order, the books agree', async () => {
  await playHistories(8);
});
