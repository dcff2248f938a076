/** Backup and restore killed in the middle, and on a full disk: nothing half has the name of something whole, and a repeat brings it to its end. */
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
