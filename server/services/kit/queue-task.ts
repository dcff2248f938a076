/** Queues background work in the transaction that makes it necessary. */
import type { Trx } from '#db/engine/dialect.ts';
import { addTask, type NewTask } from '#db/outbox.ts';
import type { Ctx } from '#server/services/context.ts';

/** Queues a task that is due now, or at `run_at`; the commit wakes the worker. */
export async function queueTask(
  ctx: Ctx,
  trx: Trx,
  { run_at = ctx.now(), ...wish }: Pick<NewTask, 'task' | 'subject'> & { run_at?: number },
): Promise<void> {
  await addTask(trx, { ...wish, run_at });
}

/**
 * Queues work that the caller does itself right after the commit. The worker is not woken, and
 * does the work only if this process dies.
 */
export async function queueInReserve(
  ctx: Ctx,
  trx: Trx,
  wish: Pick<NewTask, 'task' | 'subject'>,
): Promise<void> {
  await addTask(trx, { ...wish, run_at: ctx.now() }, { wakes: false });
}
