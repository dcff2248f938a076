/** The loop that does waiting work: claims a due row for a lease, runs it, removes it or puts it back with growing patience. */
import { claimTask, finishTask, nextRunAt, postponeTask } from '#db/outbox.ts';
import type { Ctx } from '#server/services/context.ts';
import { schedule } from './schedule.ts';
import { taskRuns } from './tasks.ts';

/** A process that dies loses nothing: its lease ends. */
const leaseMs = 60_000;
/** Even if a wake-up call is lost, somebody looks this often. */
const maxPauseMs = 5_000;

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
    try {
      const again = await taskRuns[row.task](ctx, row.subject);
      if (again === null) await finishTask(ctx.db, row);
      else await postponeTask(ctx.db, row, { run_at: Math.max(again, ctx.now() + 1), last_error: null, attempts: 0 });
    } catch (error) {
      ctx.log.error({ err: error, task: row.task, subject: row.subject }, 'task failed');
      const patienceMs = Math.exp(Math.min(10, row.attempts)) * 1000;
      await postponeTask(ctx.db, row, { run_at: ctx.now() + Math.round(patienceMs), last_error: String(error).slice(0, 500), attempts: row.attempts });
    }
  }
}

/** Several processes may each have one: rows are claimed by a guarded update. */
export function startRunner(ctx: Ctx): Runner {
  const stopping = new AbortController();
  let ring: () => void = () => {};
  let rung = false;
  const lastRun = new Map<string, number>();

  const pause = async () => {
    const next = await nextRunAt(ctx.db);
    const ms = Math.min(maxPauseMs, Math.max(50, (next ?? Number.POSITIVE_INFINITY) - ctx.now()));
    await new Promise<void>((resolve) => {
      if (rung || stopping.signal.aborted) return resolve();
      const timer = setTimeout(resolve, ms);
      ring = () => { clearTimeout(timer); resolve(); };
    });
    rung = false;
  };
  const periodic = async () => {
    for (const job of schedule) {
      if (ctx.now() - (lastRun.get(job.name) ?? Number.NEGATIVE_INFINITY) < job.everyMs) continue;
      lastRun.set(job.name, ctx.now());
      await job.run(ctx, stopping.signal).catch((error: unknown) => ctx.log.error({ err: error, job: job.name }, 'periodic job failed'));
    }
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        await runDue(ctx, stopping.signal);
        await periodic();
        await pause();
      } catch (error) {
        ctx.log.error({ err: error }, 'the worker stumbled and goes on');
        await new Promise((resolve) => { setTimeout(resolve, 1000); });
      }
    }
  };
  const running = loop();
  return {
    wake() { rung = true; ring(); },
    async stop() { stopping.abort(); ring(); await running; },
  };
}
