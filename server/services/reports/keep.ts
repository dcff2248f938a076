/** Counts anew, beside the sales, each event whose kept count is old: reports of a season only add up what is kept. */
import { setImmediate as turn } from 'node:timers/promises';
import { countEvent, keepCount, oldCounts } from '#db/reports/kept.ts';
import { claimPeriod, putSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';

const claim = 'figures_kept';
/** Shorter than the pause of the schedule, so that whoever did it last does it again. */
const claimedMs = 1_500;

/** For the schedule. Where nothing has changed it only reads; of several processes one counts. */
export async function keepFigures(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const old = await oldCounts(ctx.db);
  if (old.length === 0) return;
  let claimed_at = ctx.now();
  if (!(await claimPeriod(ctx.db, claim, { now: claimed_at, notSince: claimed_at - claimedMs })))
    return;
  for (const event of old) {
    if (stopping.aborted) return;
    const counted_at = ctx.now();
    if (counted_at > claimed_at + claimedMs / 2) {
      claimed_at = counted_at;
      await putSetting(ctx.db, claim, String(counted_at));
    }
    const count = await countEvent(ctx.db, event);
    await transact(ctx.db, (trx) => keepCount(trx, event, { count, counted_at }));
    ctx.fault('figures_kept');
    await turn();
  }
}
