/** Erases buyers' personal data after the time that the privacy policy names: order by order, each in one transaction. */
import { setImmediate as turn } from 'node:timers/promises';
import { fromAbsolute } from '@internationalized/date';
import {
  dropReminderLetters,
  forgetBuyer,
  forgetLooseLetters,
  ordersToForget,
} from '#db/forgetting.ts';
import { claimPeriod } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import { confirmWithinMs } from '#server/domain/mail/reminder.ts';
import { buyerKeptMonths } from '#server/domain/legal.ts';
import { note } from '#server/services/user/audit.ts';
import type { Ctx } from '#server/services/context.ts';

const everyMs = 24 * 3_600_000;
/** One step: between two of them others write. */
const stepSize = 50;
/** A letter with somebody's links is of no use to the office for longer. */
const looseLetterMs = 30 * 24 * 3_600_000;

/** For the schedule, which asks more often than it is due: of all processes one does it, once a day. */
export async function forgetBuyersDaily(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const now = ctx.now();
  if (!(await claimPeriod(ctx.db, 'buyers_forgotten', { now, notSince: now - everyMs }))) return;
  await forgetBuyers(ctx, stopping);
  await dropReminderLetters(ctx.db, now - confirmWithinMs);
  while (
    !stopping.aborted &&
    (await transact(ctx.db, (trx) =>
      forgetLooseLetters(trx, { created_before: now - looseLetterMs, at: now, limit: stepSize }),
    )) > 0
  )
    await turn();
}

async function forgetBuyers(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const over_before = fromAbsolute(ctx.now(), 'Europe/Rome')
    .subtract({ months: buyerKeptMonths })
    .toDate()
    .getTime();
  for (let after = ''; !stopping.aborted;) {
    const ids = await ordersToForget(ctx.db, { over_before, after, limit: stepSize });
    await transact(ctx.db, async (trx) => {
      for (const id of ids)
        if (await forgetBuyer(trx, id, ctx.now()))
          await note(ctx, trx, { actor: 'system', action: 'buyer_forgotten', subject: id });
    });
    ctx.fault('buyers_forgotten');
    if (ids.length < stepSize) return;
    after = ids.at(-1)!;
    await turn();
  }
}
