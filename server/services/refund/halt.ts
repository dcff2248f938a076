/**
 * Stops the refunds of a cancelled event, and goes on with them. What Stripe was asked for stays on
 * its way, and no ticket that has ended comes back.
 */
import { hurryTasks, putOffTasks } from '#db/outbox.ts';
import { continueRun, findRun, haltRun, unsentOfRun } from '#db/payment/refunds.ts';
import type { RefundRunRow } from '#db/rows.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { haltedLookMs } from '#server/services/payment/refunds.ts';
import { refundRun } from './cancelled-event.ts';

/** @throws Refusal refund_run_not_found, work_not_running, older_process_runs */
export async function stopRefunds(ctx: Ctx, run_id: string, actor: Actor) {
  await change(ctx, run_id, async (trx, run) => {
    if (!(await haltRun(trx, run_id, ctx.now()))) throw new Refusal('work_not_running');
    // A process of an older version does not know that the run is stopped.
    const run_at = ctx.now() + haltedLookMs;
    await putOffTasks(trx, { task: 'cancel_event', subjects: [run_id], run_at });
    await putOffTasks(trx, { task: 'run_refund', subjects: unsentOfRun(trx, run_id), run_at });
    const detail = { run_id };
    await happened(ctx, trx, { actor, action: 'refunds_stopped', subject: run.event_id, detail });
  });
  return refundRun(ctx, run_id);
}

/** @throws Refusal refund_run_not_found, work_not_stopped, older_process_runs */
export async function resumeRefunds(ctx: Ctx, run_id: string, actor: Actor) {
  await change(ctx, run_id, async (trx, run) => {
    if (!(await continueRun(trx, run_id))) throw new Refusal('work_not_stopped');
    const run_at = ctx.now();
    await queueTask(ctx, trx, { task: 'cancel_event', subject: run_id });
    await hurryTasks(trx, { task: 'run_refund', subjects: unsentOfRun(trx, run_id), run_at });
    const detail = { run_id };
    await happened(ctx, trx, { actor, action: 'refunds_resumed', subject: run.event_id, detail });
  });
  return refundRun(ctx, run_id);
}

async function change(
  ctx: Ctx,
  run_id: string,
  act: (trx: Trx, run: RefundRunRow) => Promise<void>,
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    // An older process that is at the run now would go on with it.
    await raiseFloor(ctx, trx, '1.1.0');
    const run = await findRun(trx, run_id);
    if (!run) throw new Refusal('refund_run_not_found');
    await act(trx, run);
  });
}
