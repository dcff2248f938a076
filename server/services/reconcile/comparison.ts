/**
 * The nightly comparison of the providers' data with ours. One process at a time runs it, and a
 * later run continues with the next part.
 */
import { fromAbsolute } from '@internationalized/date';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { claimSetting, readSetting } from '#db/settings.ts';
import { clockStepMs } from '#server/domain/time/clock-step.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { partsOf } from './comparison-parts.ts';
import type { Ctx } from '#server/services/context.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The hour in Rome at which the nightly comparison is due. */
const hourOfNight = 4;
/** Sessions are compared for two days, because they may be paid after the last comparison. */
const overlapMs = 2 * dayMs;
/**
 * The process that runs the comparison renews this lease; if it ends, another process continues.
 * It is longer than one call may take with all its tries.
 */
const leaseMs = 10 * 60_000;

/**
 * Stored as JSON in one setting. `last`: the start of the last complete run; everything before it
 * has been compared.
 */
interface ComparisonState {
  last: number;
  finished_at: number | null;
  found: number;
  asked_at: number | null;
  run: {
    started_at: number;
    since: number;
    lease_until: number;
    done: string[];
    found: number;
  } | null;
}

const key = 'comparison';

async function readState(ctx: Ctx): Promise<{ text: string | null; state: ComparisonState }> {
  const text = await readSetting(ctx.db, key);
  return {
    text,
    state:
      text === null
        ? { last: ctx.now(), finished_at: null, found: 0, asked_at: null, run: null }
        : (JSON.parse(text) as ComparisonState),
  };
}

/** Returns the new text; null if another process has written first. */
async function writeState(
  ctx: Ctx,
  before: string | null,
  state: ComparisonState,
): Promise<string | null> {
  const text = JSON.stringify(state);
  return (await claimSetting(ctx.db, key, { from: before, to: text })) ? text : null;
}

/** The last time that it was four at night in Rome, whether summer or winter time. */
export function lastNight(now: number): number {
  const day = fromAbsolute(now, 'Europe/Rome');
  const at = day
    .set({ hour: hourOfNight, minute: 0, second: 0, millisecond: 0 })
    .toDate()
    .getTime();
  return at <= now
    ? at
    : day
        .subtract({ days: 1 })
        .set({ hour: hourOfNight, minute: 0, second: 0, millisecond: 0 })
        .toDate()
        .getTime();
}

/** A lease that ends later than a full lease from now was written before the clock was set back. */
function isLeased({ run }: ComparisonState, now: number): boolean {
  return run !== null && run.lease_until > now && run.lease_until <= now + leaseMs + clockStepMs;
}

function isDue(state: ComparisonState, now: number): boolean {
  if (state.run) return !isLeased(state, now);
  // A time in the future was written before the clock was set back.
  return state.asked_at !== null || state.last < lastNight(now) || state.last > now + clockStepMs;
}

/** Runs on the schedule. A new installation has nothing to compare; it only stores the state. */
export async function compareWhenDue(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const { text, state } = await readState(ctx);
  if (text === null) await writeState(ctx, text, state);
  else if (isDue(state, ctx.now())) await compareBooks(ctx, stopping);
}

/**
 * If a write fails, another process has changed the state; three failures in a row mean that the
 * database is in trouble.
 */
const mostAsks = 3;

/**
 * Asks the worker for a run, which starts within seconds; if one has been asked for already, both
 * get the same run.
 */
export async function askComparison(ctx: Ctx) {
  for (let attempt = 1; ; attempt += 1) {
    const { text, state } = await readState(ctx);
    const isOnItsWay = state.run !== null || state.asked_at !== null;
    if (isOnItsWay || (await writeState(ctx, text, { ...state, asked_at: ctx.now() }))) break;
    if (attempt === mostAsks) throw new Refusal('try_again');
  }
  return comparisonReport(ctx);
}

export async function comparisonReport(ctx: Ctx) {
  const { text, state } = await readState(ctx);
  return {
    running: state.run !== null || state.asked_at !== null,
    started_at: state.run?.started_at ?? null,
    finished_at: state.finished_at,
    compared_until: text === null ? null : state.last,
    found: state.run?.found ?? state.found,
  };
}

/** The run stops in the middle of a part: the server stops, or another process has taken over. */
class BrokenOff extends Error {}

/**
 * Starts a run, or continues an interrupted one. If a provider does not answer, the run stops,
 * and the part is tried again after the lease. Returns the number of new breaks; null: another
 * process runs it, or it stopped.
 */
export async function compareBooks(ctx: Ctx, stopping: AbortSignal): Promise<number | null> {
  let { text, state } = await readState(ctx);
  if (isLeased(state, ctx.now())) return null;
  const run = state.run ?? {
    started_at: ctx.now(),
    since: Math.min(state.last, ctx.now()) - overlapMs,
    lease_until: 0,
    done: [],
    found: 0,
  };
  const keep = async (next: ComparisonState) => {
    const written = await writeState(ctx, text, next);
    if (written !== null) [text, state] = [written, next];
    return written !== null;
  };
  const hold = (lease_until: number) =>
    keep({ ...state, asked_at: null, run: { ...run, lease_until } });
  const renew = async () => {
    if (!(await hold(ctx.now() + leaseMs))) throw new BrokenOff('another process goes on');
  };
  const step = async () => {
    if (stopping.aborted) throw new BrokenOff('the server stops');
    if (requireValue(state.run, 'run').lease_until - ctx.now() < leaseMs / 2) await renew();
  };
  let under_way = '';
  try {
    await renew();
    for (const part of await partsOf(ctx, run.since, step)) {
      if (run.done.includes(part.name)) continue;
      under_way = part.name;
      await step();
      run.found += await part.run();
      run.done.push(part.name);
      await renew();
      ctx.fault('part_compared');
    }
  } catch (error) {
    if (error instanceof BrokenOff) {
      // Ends the lease now, so that the next process continues with this part.
      if (stopping.aborted) await hold(0);
    } else if (
      error instanceof ProviderUnavailable ||
      error instanceof ProviderRefused ||
      error instanceof Refusal
    )
      ctx.log.warn({ err: error, part: under_way }, 'comparison broken off, goes on later');
    else throw error;
    return null;
  }
  await keep({
    last: run.started_at,
    finished_at: ctx.now(),
    found: run.found,
    asked_at: null,
    run: null,
  });
  return run.found;
}
