/**
 * Kills backup and restore in the middle and on a full disk: no incomplete file has a final name,
 * and a repeat completes the work.
 */
import { test } from 'vitest';
import { databaseKinds } from '#tests/support/server.ts';
import { breakBackup, breakRestore } from './broken-backup.ts';

const steps = [
  'restore_unpacked',
  'restore_prepared',
  'restore_marked',
  'restore_filled',
  'restore_moved',
];

test('a backup that is killed or finds no room leaves no file that looks like one', breakBackup);

for (const database of databaseKinds)
  test(`a restore that is killed at any of its steps is no house until it is repeated (${database})`, () =>
    breakRestore(database, steps));
