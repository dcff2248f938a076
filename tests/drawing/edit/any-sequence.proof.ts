/** Acts of the designer in any order, as many times as a rare order needs. */
import { test } from 'vitest';
import { drawAnything } from './any-sequence.ts';

test('an empty drawing, and a theatre that stands already', () => {
  drawAnything({ empty: 250, theatre: 15 });
});
