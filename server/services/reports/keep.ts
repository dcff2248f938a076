/**
 * Counts anew, beside the sales, each event whose kept count is old: reports of a season only add
 * up what is kept.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { countEvent, keepCount, oldCounts, type OldCount } from '#db/report/kept.ts';
import { claimPeriod, putSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';
import { countAside } from './count-aside.ts';

const claim = 'figures_kept';
/** Shorter than the pause of the schedule, so that the process that did it last does it again. */
const claimedMs = 1_500;

/**
 * Places, sales and scans together: from so many on an evening is counted beside the house, and
 * less often.
 */
const large = 5_000;
/**
 * A thread and its count take up to a second of processor; reports count a few old events
 * themselves (counts.ts).
 */
const largeEveryMs = 60_000;

/** For the schedule. Where nothing has changed it only reads; of several processes one counts. */
export async function keepFigures(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  let claimed_at = ctx.now();
  const old = (await oldCounts(ctx.db)).filter((event) => isDue(event, claimed_at));
  if (old.length === 0) return;
  if (!(await claimPeriod(ctx.db, claim, { now: claimed_at, notSince: claimed_at - claimedMs })))
    return;
  for (const event of old) {
    if (stopping.aborted) return;
    const counted_at = ctx.now();
    if (counted_at > claimed_at + claimedMs / 2) {
      claimed_at = counted_at;
      await putSetting(ctx.db, claim, String(counted_at));
    }
    const count = await (isLarge(event) ? countAside(ctx, event) : countEvent(ctx.db, event));
    await transact(ctx.db, (trx) => keepCount(trx, event, { count, counted_at }));
    ctx.fault('figures_kept');
    await yieldToLoop();
  }
}

/** The door's number grows with each of them. */
function isLarge({ feed_seq }: OldCount): boolean {
  return feed_seq >= large;
}

function isDue(event: OldCount, now: number): boolean {
  const { counted_at } = event;
  return counted_at === null || !isLarge(event) || Math.abs(now - counted_at) >= largeEveryMs;
}
