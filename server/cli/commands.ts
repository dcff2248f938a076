/** The list of all verbs, in the order in which `help` shows them. */
import type { Command } from './command.ts';
import { invariantsCommand } from './invariants.ts';
import { makeAdmin } from './make-admin.ts';
import { resetFactor } from './reset-factor.ts';

export const commands: readonly Command[] = [makeAdmin, resetFactor, invariantsCommand];
