/** Queues a task that ends each order that was not paid before its `pay_by`. */
import { addTasks } from '#db/outbox.ts';
import { dueOrders } from '#db/order/orders.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';

/** Orders per run; the next run takes the rest. */
const mostAtOnce = 500;

export async function queueDueOrders(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const due: string[] = await dueOrders(ctx.db, now)
    .orderBy(['pay_by', 'id'])
    .limit(mostAtOnce)
    .pluck('id');
  if (due.length === 0) return;
  const tasks = due.map((subject) => ({ task: 'settle_order' as const, subject, run_at: now }));
  await transact(ctx.db, (trx) => addTasks(trx, tasks), { repeatable: true });
}
