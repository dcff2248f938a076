/**
 * The worker's loop: claims a due task for a lease, runs it, and deletes it or postpones it with
 * a growing backoff.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { beatWithinMs } from '#server/domain/office/version.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { onWorkGiven } from '#db/engine/wake.ts';
import { claimTask, finishTask, nextRunAt, postponeTask, renewTask } from '#db/outbox.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { Ctx } from '#server/services/context.ts';
import { queueDueOrders } from '#server/services/payment/due-orders.ts';
import { watchClock } from '#server/services/kit/clock.ts';
import { keepLease } from '#server/services/kit/lease.ts';
import { endDeadClaims, leaseMs, schedule, type Periodic } from './schedule.ts';
import { taskRuns } from './tasks.ts';

/** The longest pause between two looks: another process's new task does not wake this loop. */
const maxPauseMs = 3_000;
/** Tasks run at the same time, so that a hanging mail server or vendor does not block others. */
const mostAtOnce = 4;

/** Runs every due task, one by one; returns how many. Tests call it after moving the clock. */
export async function runDue(ctx: Ctx): Promise<number> {
  await watchClock(ctx);
  await endDeadClaims(ctx);
  await queueDueOrders(ctx);
  for (let done = 0; ; done += 1) {
    const row = await claimTask(ctx.db, ctx.now(), leaseMs);
    if (!row) return done;
    await runTask(ctx, row);
  }
}

async function runTask(ctx: Ctx, row: OutboxRow): Promise<void> {
  const lease = keepLease(ctx, {
    until: requireValue(row.locked_until, 'lease of a claimed task'),
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

/** Runs a task; null if it is done. */
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
    const about = { err: error, task: row.task, subject: row.subject };
    if (error instanceof Refusal && error.code === 'older_process_runs') {
      ctx.log.warn(about, 'a task waits for the end of an older process');
      return { run_at: ctx.now() + beatWithinMs, last_error: null, attempts: 0 };
    }
    ctx.log.error(about, 'task failed');
    const backoffMs = Math.exp(Math.min(10, row.attempts)) * 1000;
    return {
      run_at: ctx.now() + Math.round(backoffMs),
      last_error: String(error).slice(0, 500),
      attempts: row.attempts,
    };
  }
}

/** The loop. Several processes may each have one, because only one of them can claim a task. */
export class Runner {
  readonly #ctx: Ctx;
  readonly #stopping = new AbortController();
  #ring: () => void = () => {};
  #rung = false;
  readonly #lastRun = new Map<string, number>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #working = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  readonly #stopListening: () => void;

  constructor(ctx: Ctx) {
    this.#ctx = ctx;
    this.#stopListening = onWorkGiven(ctx.db, () => this.#wake());
    this.#running = this.#loop();
  }

  #wake(): void {
    this.#rung = true;
    this.#ring();
  }

  async stop(): Promise<void> {
    this.#stopListening();
    this.#stopping.abort();
    this.#ring();
    await this.#running;
    await Promise.all([...this.#working, ...this.#underWay.values()]);
  }

  async #loop(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        for (const job of schedule) this.#startPeriodic(job);
        await this.#startDue();
        await this.#pause();
      } catch (error) {
        this.#ctx.log.error({ err: error }, 'the worker stumbled and goes on');
        await pause(1000);
      }
    }
  }

  /** Runs beside the tasks, so that a long comparison does not delay a refund. */
  #startPeriodic({ name, everyMs, run }: Periodic): void {
    const now = this.#ctx.elapsed();
    const lastRun = this.#lastRun.get(name) ?? Number.NEGATIVE_INFINITY;
    if (this.#underWay.has(name) || now - lastRun < everyMs) return;
    this.#lastRun.set(name, now);
    this.#underWay.set(
      name,
      run(this.#ctx, this.#stopping.signal)
        .catch((error: unknown) =>
          this.#ctx.log.error({ err: error, job: name }, 'periodic job failed'),
        )
        .finally(() => this.#underWay.delete(name)),
    );
  }

  async #startDue(): Promise<void> {
    while (this.#working.size < mostAtOnce && !this.#stopping.signal.aborted) {
      const row = await claimTask(this.#ctx.db, this.#ctx.now(), leaseMs);
      if (!row) return;
      const work = runTask(this.#ctx, row)
        .catch((error: unknown) =>
          this.#ctx.log.error(
            { err: error, task: row.task },
            'a task could not be put back: its lease will end',
          ),
        )
        .finally(() => {
          this.#working.delete(work);
          this.#wake();
        });
      this.#working.add(work);
    }
  }

  async #pause(): Promise<void> {
    // While all workers are busy no task is claimed; the first that finishes wakes this loop.
    const next = this.#working.size < mostAtOnce ? await nextRunAt(this.#ctx.db) : null;
    const untilNext = (next ?? Number.POSITIVE_INFINITY) - this.#ctx.now();
    await new Promise<void>((resolve) => {
      if (this.#rung || this.#stopping.signal.aborted) return resolve();
      const timer = setTimeout(resolve, Math.min(maxPauseMs, Math.max(50, untilNext)));
      this.#ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#rung = false;
  }
}
