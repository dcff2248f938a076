/** The list of all verbs, in the order in which `help` shows them. */
import { backupCommand } from './backup.ts';
import type { Command } from './command.ts';
import { invariantsCommand } from './invariants.ts';
import { makeAdmin } from './make-admin.ts';
import { moveTo } from './move-to.ts';
import { resetFactor } from './reset-factor.ts';
import { restoreCommand } from './restore.ts';
import { verifyBackupCommand } from './verify-backup.ts';

export const commands: readonly Command[] = [
  makeAdmin,
  resetFactor,
  backupCommand,
  verifyBackupCommand,
  restoreCommand,
  moveTo,
  invariantsCommand,
];
