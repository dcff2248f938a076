/** One at a time per order: booking, settling and cancelling take turns, in one process or in several, so that outside calls for an order never overlap. */
import { giveLease, takeLease } from '#db/orders.ts';
import type { Ctx } from './context.ts';

/** Longer than the outside calls of one turn can take with all their deadlines; a process that died blocks its order so long at the most. */
const leaseMs = 90_000;
const lookAgainMs = 25;

/** Null: somebody else had the order for the whole of `patienceMs`. What was read before the turn is stale: read the order again inside. */
export async function inTurn<T>(ctx: Ctx, order_id: string, { patienceMs, run }: { patienceMs: number; run: () => Promise<T> }): Promise<T | null> {
  const lease = ctx.newId();
  for (let left = patienceMs; !(await takeLease(ctx.db, order_id, { lease, now: ctx.now(), until: ctx.now() + leaseMs }));) {
    if (left <= 0) return null;
    left -= await ctx.pause(lookAgainMs);
  }
  try {
    return await run();
  } finally {
    await giveLease(ctx.db, order_id, lease);
  }
}
