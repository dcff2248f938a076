/** Reads an order and its payment at Stripe again in the background; says when that is done. */
import { tasksAbout } from '#db/outbox.ts';
import type { OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { happened } from '#server/services/kit/happened.ts';

interface Settling {
  subjects: readonly string[];
  /** The time of the request; tasks that are due later are repeats. */ asked_at: number;
}

export async function askToSettle(ctx: Ctx, order: OrderRow, actor: Actor): Promise<Settling> {
  const asked_at = ctx.now();
  const { id, payment_intent } = order;
  await transact(ctx.db, async (trx) => {
    await queueTask(ctx, trx, { task: 'settle_order', subject: id });
    if (payment_intent !== null)
      await queueTask(ctx, trx, { task: 'read_payment', subject: payment_intent });
    await happened(ctx, trx, { actor, action: 'order_read_again', subject: id });
  });
  return { subjects: payment_intent === null ? [id] : [id, payment_intent], asked_at };
}

/** True while a task waits or runs; a task that was put off counts as done. */
export async function isSettling(ctx: Ctx, { subjects, asked_at }: Settling): Promise<boolean> {
  const rows = await tasksAbout(ctx.db, subjects);
  return rows.some(({ run_at, locked_until }) => run_at <= asked_at || locked_until !== null);
}
