/** The use case that each kind of task runs. */
import type { Task } from '#db/tasks.ts';
import type { Ctx } from '#server/services/context.ts';
import { followChart } from '#server/services/chart/follow.ts';
import { printWaiting } from '#server/services/counter/printing.ts';
import { refundEvent } from '#server/services/refund/cancelled-event.ts';
import { tellBuyers } from '#server/services/event/news.ts';
import { tellPostponed } from '#server/services/event/postponement.ts';
import { closeWhenDue } from '#server/services/refund/postponed.ts';
import { settleMove } from '#server/services/move/settle.ts';
import { settleBlock } from '#server/services/seat-map/blocks.ts';
import { settleContingent } from '#server/services/seat-map/contingents.ts';
import { makeDemo } from '#server/services/event/demo.ts';
import { dropHall } from '#server/services/event/deletion.ts';
import { settlePrice } from '#server/services/event/made-prices.ts';
import { namePrice } from '#server/services/event/price-names.ts';
import { tellReminders } from '#server/services/event/reminders.ts';
import { runRehousing } from '#server/services/rehousing/run.ts';
import { sendMessage } from '#server/services/mail/messages.ts';
import { sendMail } from '#server/services/mail/send.ts';
import { watchPrices } from '#server/services/reconcile/price-watch.ts';
import { readPayoutOrAll } from '#server/services/reconcile/payouts.ts';
import { letGo } from '#server/services/payment/let-go.ts';
import { readPayment } from '#server/services/payment/payment-record.ts';
import { settleOrder } from '#server/services/payment/settle.ts';
import { sendNamesAsked } from '#server/services/event/met-tickets.ts';
import { transferOrders } from '#server/services/transfer/run.ts';
import { runRefund } from '#server/services/payment/refunds.ts';

/**
 * Returns when to run again, or null when done. A task may run more than once, so each is
 * idempotent by its subject.
 */
type TaskRun = (ctx: Ctx, subject: string) => Promise<number | null>;

export const taskRuns: Record<Task, TaskRun> = {
  settle_order: settleOrder,
  read_payment: readPayment,
  read_payout: readPayoutOrAll,
  run_refund: runRefund,
  send_mail: sendMail,
  cancel_event: refundEvent,
  tell_buyers: tellBuyers,
  print: printWaiting,
  tell_postponed: tellPostponed,
  close_postponement: closeWhenDue,
  tell_reminders: tellReminders,
  settle_block: settleBlock,
  settle_contingent: settleContingent,
  settle_move: settleMove,
  send_message: sendMessage,
  settle_price: settlePrice,
  name_price: namePrice,
  watch_prices: watchPrices,
  drop_hall: dropHall,
  follow_chart: followChart,
  make_demo: makeDemo,
  let_go: letGo,
  run_rehousing: runRehousing,
  ask_names: sendNamesAsked,
  transfer_orders: transferOrders,
};
