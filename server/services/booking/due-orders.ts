/** Ends orders that nobody has paid in time: until its `pay_by` an open order waits by its own row, and gets its task only then. */
import { dueOrders } from '#db/order/orders.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';

/** As many at a time; the next look takes the next ones. */
const mostAtOnce = 500;

export async function queueDueOrders(ctx: Ctx): Promise<void> {
  const due: string[] = await dueOrders(ctx.db, ctx.now())
    .orderBy('pay_by')
    .limit(mostAtOnce)
    .pluck('id');
  if (due.length === 0) return;
  await transact(
    ctx.db,
    async (trx) => {
      for (const subject of due) await queueTask(ctx, trx, { task: 'settle_order', subject });
    },
    { repeatable: true },
  );
  ctx.wake();
}
