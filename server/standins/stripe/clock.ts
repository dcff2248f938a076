/** Does what time has brought about: ends sessions, settles charges, decides slow payments, refunds and disputes, each for itself, all in one commit. */
import { seconds, type Desk } from './call.ts';
import { settleCharge } from './payment/charges.ts';
import { decideDispute, loseOverdueDispute, openDispute } from './money/disputes.ts';
import { nextDue, takeLater, type Later, type Task } from './later.ts';
import { finishIntent } from './payment/payment-intents.ts';
import { finishPayout } from './money/payouts.ts';
import { decideWaitingRefunds, failRefund, finishRefund } from './money/refunds.ts';
import { expireDueSession, finishSession } from './checkout/sessions.ts';

const tasks: Record<Task, (desk: Desk, subject: string) => void> = {
  expire_session: expireDueSession,
  settle_charge: settleCharge,
  finish_payment(desk, id) {
    const done = finishIntent(desk, id);
    if (!done) return;
    decideWaitingRefunds(desk, done.intent.latest_charge!, done.paid);
    finishSession(desk, id, done.paid);
  },
  finish_refund: finishRefund,
  fail_refund: (desk, id) => failRefund(desk, id),
  open_dispute: openDispute,
  decide_dispute: decideDispute,
  overdue_dispute: loseOverdueDispute,
  pay_out: finishPayout,
};

/** Called before each request and by the clock. `until` in unix seconds: a little ahead, and what is about to happen happens now. */
export function settleDue(desk: Desk, until: number = seconds(desk)): void {
  if (!nextDue(desk.store, until)) return;
  desk.store
    .transaction(() => {
      for (let due = nextDue(desk.store, until); due; due = nextDue(desk.store, until))
        run(desk, due);
    })
    .immediate();
}

function run(desk: Desk, due: Later): void {
  try {
    desk.store.transaction(() => {
      takeLater(desk.store, due.id);
      tasks[due.task](desk, due.subject);
    })();
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))
      throw error;
    // A task that cannot be done must not stand in the way of all the others.
    console.error('stripe stand-in:', due, error);
    takeLater(desk.store, due.id);
  }
}
