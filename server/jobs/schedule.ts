/** What is truly periodic. An order's end is not swept for: it is a waiting row with its own time. */
import type { Ctx } from '#server/services/context.ts';
import { reconcile } from '#server/services/payments.ts';
import { forgetOldSessions } from '#server/services/users.ts';

export interface Periodic { name: string; everyMs: number; run: (ctx: Ctx, stopping: AbortSignal) => Promise<void> }

export const schedule: readonly Periodic[] = [
  { name: 'reconcile', everyMs: 30_000, run: reconcile },
  { name: 'forget_old_sessions', everyMs: 3_600_000, run: forgetOldSessions },
];
