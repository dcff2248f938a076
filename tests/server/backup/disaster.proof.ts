/** The rehearsed disaster on PostgreSQL. */
import { test } from 'vitest';
import { rehearse } from './disaster.ts';

test('lost at the height of a sale, it goes on from the last backup with two commands (postgres)', () =>
  rehearse('postgres'));
