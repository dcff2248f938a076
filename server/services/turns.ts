/** One at a time per order: booking, settling and cancelling take turns, in one process or in several, so that outside calls for an order never overlap. */
import { giveLease, takeLease } from '#db/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import type { Ctx } from './context.ts';

/** Longer than the outside calls of one turn can take with all their deadlines; a process that died blocks its order so long at the most. */
const leaseMs = 90_000;
const lookAgainMs = 25;

/** For an order that is stored now: its first turn is taken with the row, so nobody comes between. */
export function firstTurn(ctx: Ctx): { lease: string; lease_until: number } {
  return { lease: ctx.newId(), lease_until: ctx.now() + leaseMs };
}

/** What ends a turn, for who writes it with his last change of the order. */
export const turnOver = { lease: null, lease_until: null } as const;

/** The turn that an order was stored with. `run` may end it with its own last change, and says so by a true `over`. */
export async function inFirstTurn<T>(ctx: Ctx, order: OrderRow, run: (turn: { over: boolean }) => Promise<T>): Promise<T> {
  const turn = { over: false };
  try {
    return await run(turn);
  } finally {
    if (!turn.over) await giveLease(ctx.db, order.id, order.lease!);
  }
}

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
