/** Runs the tasks that have come due: ends sessions, settles charges, decides slow payments, refunds and disputes. */
import { seconds, within, type Desk, type OpenDesk } from './call.ts';
import { settleCharge } from './payment/charges.ts';
import { decideDispute, loseOverdueDispute, openDispute } from './money/disputes.ts';
import { nextDue, takeLater, type Later, type Task } from './statements/later.ts';
import { attempt, isDatabaseError } from './statements/savepoint.ts';
import { finishIntent } from './payment/payment-intents.ts';
import { finishPayout, payOutBalance, reconcilePayout } from './money/payouts.ts';
import { decideWaitingRefunds, failRefund, finishRefund } from './money/refunds.ts';
import { expireDueSession, finishSession } from './checkout/sessions.ts';

const tasks: Record<Task, (desk: Desk, subject: string) => Promise<void>> = {
  expire_session: expireDueSession,
  settle_charge: settleCharge,
  async finish_payment(desk, id) {
    const done = await finishIntent(desk, id);
    if (!done) return;
    await decideWaitingRefunds(desk, done.intent.latest_charge!, done.paid);
    await finishSession(desk, id, done.paid);
  },
  finish_refund: finishRefund,
  fail_refund: (desk, id) => failRefund(desk, id),
  open_dispute: openDispute,
  decide_dispute: decideDispute,
  overdue_dispute: loseOverdueDispute,
  pay_out: finishPayout,
  pay_out_balance: payOutBalance,
  reconcile_payout: reconcilePayout,
};

/** Called by the clock, and before what only reads. `until` in unix seconds: a little ahead, and what is about to happen happens now. */
export async function settle(desk: OpenDesk, until: number = seconds(desk)): Promise<void> {
  // Most of the time nothing is due, and looking costs no write.
  if (await nextDue(desk.store, until))
    await desk.store.write((writer) => settleDue(within(desk, writer), until));
}

/** In the transaction of a call, before it. */
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
    // A task that cannot be done must not stand in the way of all the others.
    console.error('stripe stand-in:', { id, task, subject }, error);
  }
}
