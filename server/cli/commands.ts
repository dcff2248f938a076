/** All commands, in the order in which `help` shows them. */
import { backupCommand } from './backup.ts';
import { bounceCommand } from './bounce.ts';
import type { Command } from './command.ts';
import { configCommand } from './settings-told.ts';
import { doctor } from './doctor.ts';
import { eventCommand } from './event.ts';
import { invariantsCommand } from './invariants.ts';
import { makeAdmin } from './make-admin.ts';
import { maintenanceCommand } from './maintenance.ts';
import { moveTo } from './move-to.ts';
import { orderCommand } from './order.ts';
import { phoneCommand } from './phone.ts';
import { resetDemoCommand } from './reset-demo.ts';
import { resetFactor } from './reset-factor.ts';
import { restoreCommand } from './restore.ts';
import { verifyBackupCommand } from './verify-backup.ts';
import { rotate } from './rotate.ts';
import { whyCommand } from './why.ts';

export const commands: readonly Command[] = [
  makeAdmin,
  resetFactor,
  orderCommand,
  eventCommand,
  phoneCommand,
  whyCommand,
  bounceCommand,
  maintenanceCommand,
  backupCommand,
  verifyBackupCommand,
  restoreCommand,
  moveTo,
  rotate,
  resetDemoCommand,
  invariantsCommand,
  configCommand,
  doctor,
];
