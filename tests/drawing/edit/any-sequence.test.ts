/** Acts of the designer in any order, a few times; more are in any-sequence.proof.ts. */
import { test } from 'vitest';
import { drawAnything } from './any-sequence.ts';

test('an empty drawing, and a theatre that stands already', () => {
  drawAnything({ empty: 50, theatre: 3 });
});
