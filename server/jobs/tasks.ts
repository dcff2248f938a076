/** What each waiting row does when its time comes: names to use cases, nothing more. */
import type { Task } from '#db/rows.ts';
import type { Ctx } from '#server/services/context.ts';
import { settleOrder } from '#server/services/payments.ts';

/** Returns when to run again, or null when done. At least once: each is idempotent by its subject. */
export type TaskRun = (ctx: Ctx, subject: string) => Promise<number | null>;

export const taskRuns: Record<Task, TaskRun> = {
  settle_order: settleOrder,
};
