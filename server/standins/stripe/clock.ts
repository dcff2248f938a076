/** Runs the tasks that are due: ends sessions, settles charges, decides refunds and disputes. */
import { finishPayout, payOutBalance, reconcilePayout } from './balance/payouts.ts';
import { seconds, within, type Desk, type OpenDesk } from './call.ts';
import { expireDueSession } from './checkout/sessions.ts';
import { decideDispute, loseOverdueDispute, openDispute } from './money/disputes.ts';
import { failRefund, finishRefund } from './money/refunds.ts';
import { settleCharge } from './payment/charges.ts';
import { nextDue, takeLater, type Later, type Task } from './statements/later.ts';
import { attempt, isDatabaseError } from './statements/savepoint.ts';

const tasks: Record<Task, (desk: Desk, subject: string) => Promise<void>> = {
  expire_session: expireDueSession,
  settle_charge: settleCharge,
  finish_refund: finishRefund,
  fail_refund: (desk, id) => failRefund(desk, id),
  open_dispute: openDispute,
  decide_dispute: decideDispute,
  overdue_dispute: loseOverdueDispute,
  pay_out: finishPayout,
  pay_out_balance: payOutBalance,
  reconcile_payout: reconcilePayout,
};

/**
 * Called by the clock and before calls that only read. `until` is in unix seconds; a time in the
 * future runs the next tasks early.
 */
export async function settle(desk: OpenDesk, until: number = seconds(desk)): Promise<void> {
  // Usually nothing is due, and then nothing is written.
  if (await nextDue(desk.store, until))
    await desk.store.write((writer) => settleDue(within(desk, writer), until));
}

/** Called in the transaction of a call, before the call. */
export async function settleDue(desk: Desk, until: number = seconds(desk)): Promise<void> {
  for (let due = await nextDue(desk.store, until); due; due = await nextDue(desk.store, until))
    await run(desk, due);
}

async function run(desk: Desk, { id, task, subject }: Later): Promise<void> {
  await takeLater(desk.store, id);
  try {
    await attempt(desk.store, () => tasks[task](desk, subject));
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    // A failing task must not stop the others.
    console.error('stripe stand-in:', { id, task, subject }, error);
  }
}
