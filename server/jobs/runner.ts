/** The loop that does waiting work: claims a due row for a lease, runs it, removes it or puts it back with a growing backoff. */
import { claimTask, finishTask, nextRunAt, postponeTask, renewTask } from '#db/outbox.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { Ctx } from '#server/services/context.ts';
import { keepLease } from '#server/services/kit/lease.ts';
import { schedule, type Periodic } from './schedule.ts';
import { taskRuns } from './tasks.ts';

/** A process that dies loses nothing: its lease ends. Who lives and needs longer renews it. */
const leaseMs = 60_000;
/** Even if a wake-up call is lost, somebody looks this often. */
const maxPauseMs = 5_000;
/** A mail server or a vendor that lets one task hang must not keep the others waiting. */
const mostAtOnce = 4;

export interface Runner {
  /** Something may be due now. */
  wake: () => void;
  stop: () => Promise<void>;
}

/** Runs every row that is due now, one after the other; returns how many. Tests call it with a clock that they moved. */
export async function runDue(ctx: Ctx, stopping?: AbortSignal): Promise<number> {
  for (let done = 0; ; done += 1) {
    if (stopping?.aborted) return done;
    const row = await claimTask(ctx.db, ctx.now(), leaseMs);
    if (!row) return done;
    await runTask(ctx, row);
  }
}

async function runTask(ctx: Ctx, row: OutboxRow): Promise<void> {
  const lease = keepLease(ctx, {
    until: row.locked_until!,
    leaseMs,
    renew: (until) => renewTask(ctx.db, { ...row, locked_until: lease.until() }, until),
  });
  const again = await outcomeOf(ctx, row);
  await lease.end();
  const claim = { ...row, locked_until: lease.until() };
  const isOurs =
    again === null ? await finishTask(ctx.db, claim) : await postponeTask(ctx.db, claim, again);
  if (!isOurs)
    ctx.log.warn(
      { task: row.task, subject: row.subject },
      'a task took longer than its claim: somebody else has its row now',
    );
}

/** Null: it is done. */
async function outcomeOf(
  ctx: Ctx,
  row: OutboxRow,
): Promise<Parameters<typeof postponeTask>[2] | null> {
  try {
    const again = await taskRuns[row.task](ctx, row.subject);
    return again === null
      ? null
      : { run_at: Math.max(again, ctx.now() + 1), last_error: null, attempts: 0 };
  } catch (error) {
    ctx.log.error({ err: error, task: row.task, subject: row.subject }, 'task failed');
    const backoffMs = Math.exp(Math.min(10, row.attempts)) * 1000;
    return {
      run_at: ctx.now() + Math.round(backoffMs),
      last_error: String(error).slice(0, 500),
      attempts: row.attempts,
    };
  }
}

/** Several processes may each have one: rows are claimed by a guarded update. */
export function startRunner(ctx: Ctx): Runner {
  const stopping = new AbortController();
  let ring: () => void = () => {};
  let rung = false;
  const lastRun = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();
  const working = new Set<Promise<void>>();

  const pause = async () => {
    // With all hands busy there is nothing to take: whoever is done rings.
    const next = working.size < mostAtOnce ? await nextRunAt(ctx.db) : null;
    const ms = Math.min(maxPauseMs, Math.max(50, (next ?? Number.POSITIVE_INFINITY) - ctx.now()));
    await new Promise<void>((resolve) => {
      if (rung || stopping.signal.aborted) return resolve();
      const timer = setTimeout(resolve, ms);
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    rung = false;
  };
  /** Beside the waiting rows, never before them: a long comparison must not hold up a refund. */
  const startPeriodic = (job: Periodic) => {
    if (
      underWay.has(job.name) ||
      ctx.now() - (lastRun.get(job.name) ?? Number.NEGATIVE_INFINITY) < job.everyMs
    )
      return;
    lastRun.set(job.name, ctx.now());
    underWay.set(
      job.name,
      job
        .run(ctx, stopping.signal)
        .catch((error: unknown) =>
          ctx.log.error({ err: error, job: job.name }, 'periodic job failed'),
        )
        .finally(() => underWay.delete(job.name)),
    );
  };
  const wake = () => {
    rung = true;
    ring();
  };
  const startDue = async () => {
    while (working.size < mostAtOnce && !stopping.signal.aborted) {
      const row = await claimTask(ctx.db, ctx.now(), leaseMs);
      if (!row) return;
      const work = runTask(ctx, row)
        .catch((error: unknown) =>
          ctx.log.error(
            { err: error, task: row.task },
            'a task could not be put back: its lease will end',
          ),
        )
        .finally(() => {
          working.delete(work);
          wake();
        });
      working.add(work);
    }
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        schedule.forEach(startPeriodic);
        await startDue();
        await pause();
      } catch (error) {
        ctx.log.error({ err: error }, 'the worker stumbled and goes on');
        await new Promise((resolve) => {
          setTimeout(resolve, 1000);
        });
      }
    }
  };
  const running = loop();
  return {
    wake,
    async stop() {
      stopping.abort();
      ring();
      await running;
      await Promise.all([...working, ...underWay.values()]);
    },
  };
}
