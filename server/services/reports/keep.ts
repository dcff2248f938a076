/**
 * Counts events again in the background when their stored count is outdated, so that a season's
 * report only adds counts up.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { countEvent, keepCount, oldCounts, type OldCount } from '#db/report/kept.ts';
import { claimPeriod, putSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';
import { countAside } from './count-aside.ts';

const claim = 'figures_kept';
/** Shorter than the schedule's pause, so that usually the same process claims the next run. */
const claimedMs = 1_500;

/** An event whose `feed_seq` is at least this is counted in its own thread, and less often. */
const large = 5_000;
/** A large event is counted at most once in this time, because that takes up to a second. */
const largeEveryMs = 60_000;

/** Runs on the schedule; one process counts. If nothing has changed, it only reads. */
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

/** `feed_seq` grows with each scan and each change of a ticket. */
function isLarge({ feed_seq }: OldCount): boolean {
  return feed_seq >= large;
}

function isDue(event: OldCount, now: number): boolean {
  const { counted_at } = event;
  return counted_at === null || !isLarge(event) || Math.abs(now - counted_at) >= largeEveryMs;
}
