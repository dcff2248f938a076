/** Writes to the buyers of free bookings the day before their evening. */
import { transact } from '#db/engine/transact.ts';
import { eveningsToRemind, ordersToRemind } from '#db/order/kept-tickets.ts';
import { reminderDue } from '#server/domain/mail/day-before.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { oweMail } from '#server/services/kit/happened.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';

/** Orders per run and event; the next run takes the rest. */
const mostAtOnce = 200;
const dayMs = 24 * 3_600_000;

/** Nothing is sent while a process of an earlier release runs; an order gets one such mail. */
export async function remindWhenDue(ctx: Ctx): Promise<void> {
  await remindFree(ctx).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    ctx.log.warn({ err: error }, 'no mails of the day before while an older process runs');
  });
}

export async function remindFree(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  for (const { id, starts_at } of await eveningsToRemind(ctx.db, {
    from: now,
    to: now + 2 * dayMs,
  })) {
    const due = reminderDue(starts_at);
    if (now < due) continue;
    const ids = await ordersToRemind(ctx.db, { event_id: id, before: due, limit: mostAtOnce });
    if (ids.length === 0) continue;
    await transact(ctx.db, async (trx) => {
      // A process of an earlier release knows no such mail.
      await raiseFloor(ctx, trx, '1.2.0');
      for (const order_id of ids)
        await oweMail(ctx, trx, { act: 'order_confirmed', order_id, kind: 'day_before' });
    });
  }
}
