/** The short form of backup.proof.ts. */
import { test } from 'vitest';
import { breakRestore } from './broken-backup.ts';

test('a restore that is killed while rows are filled in is no house until it is repeated', () =>
  breakRestore('sqlite', ['restore_filled']));
