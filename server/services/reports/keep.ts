/**
 * Recounts in the background each event whose stored count is outdated, so that reports of a
 * season only add up.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { countEvent, keepCount, oldCounts, type OldCount } from '#db/report/kept.ts';
import { claimPeriod, putSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';
import { countAside } from './count-aside.ts';

const claim = 'figures_kept';
/** Shorter than the schedule's pause, so that the same process usually claims the next run. */
const claimedMs = 1_500;

/** An event with this `feed_seq` or more is counted in a thread of its own, and less often. */
const large = 5_000;
/**
 * A large event is recounted at most this often, because it takes up to a second of processor
 * time.
 */
const largeEveryMs = 60_000;

/** For the schedule: only reads where nothing has changed; one of the processes counts. */
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
