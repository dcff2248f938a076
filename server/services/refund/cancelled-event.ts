/**
 * Cancels an event: previews it, ends the sale, and refunds every order in the background; after
 * an interruption the refunds continue.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { countDateAnswers } from '#db/event/date-answers.ts';
import { countOrders, lockEvent, updateEvent, requireEventRow } from '#db/event/events.ts';
import { listOpenOrdersOf } from '#db/order/orders.ts';
import {
  confirmedOrders,
  findRun,
  findRunOfEvent,
  finishRun,
  insertRun,
  isHalted,
  ordersToRefund,
  sumsOfRun,
} from '#db/payment/refunds.ts';
import { ordersPaidByHand } from '#db/payment/payments.ts';
import type { EventRow, RefundRunRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { isAsking, isAskTime } from '#server/domain/event/cancellation.ts';
import { movedBetween } from '#server/domain/mail/announcement.ts';
import { retryAfterMs } from '#server/domain/time/backoff.ts';
import type { Quote } from '#server/domain/payment/refund-quote.ts';
import { hasFailed } from '#server/domain/payment/refund.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Ctx } from '#server/services/context.ts';
import { announce, turnOf, waitingAnnouncement } from '#server/services/event/announcements.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { writeToHolders } from '#server/services/event/news.ts';
import { oweReminders } from '#server/services/event/reminders.ts';
import { cancelOrder } from '#server/services/payment/settle.ts';
import { factsOfOrders, type OrderForRefund } from '#server/services/order/refund-facts.ts';
import { haltedLookMs } from '#server/services/payment/refunds.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { askBuyers } from './cancelled-answers.ts';
import { endCancelledOrder, quoteOfCancelled } from './cancelled-order.ts';
import { handOf, waysBack } from '#server/services/payment/way-back.ts';

/** Orders per query. */
const pageSize = 50;
/** The task lets other tasks run after this time, and continues later. */
const walkMs = 2_000;

/** Sums in cents. `orders`: how many orders have money to refund or a ticket to void. */
interface CancellationSums {
  orders: number;
  tickets: number;
  sum_cents: number;
  fee_cents: number;
  kept_fee_cents: number;
  open_orders: number;
  manual_orders: number;
  manual_cents: number;
  disputed_orders: number;
}

/** What cancelling now would refund; for a cancelled event, what is left to refund. */
export async function previewCancellation(
  ctx: Ctx,
  event_id: string,
  with_fees: boolean | undefined,
) {
  const event = await knownEvent(ctx, event_id);
  const run = await findRunOfEvent(ctx.db, event_id);
  const fees = with_fees ?? event.cancel_keeps_fees === 0;
  return {
    event_id,
    title: event.title,
    starts_at: event.starts_at,
    cancelled: event.status === 'cancelled',
    run_id: run?.id ?? null,
    with_fees: fees,
    ...(await sumCancellation(ctx, event, fees)),
  };
}

async function sumCancellation(
  ctx: Ctx,
  event: EventRow,
  with_fees: boolean,
): Promise<CancellationSums> {
  const sums: CancellationSums = {
    orders: 0,
    tickets: 0,
    sum_cents: 0,
    fee_cents: 0,
    kept_fee_cents: 0,
    open_orders: (await listOpenOrdersOf(ctx.db, event.id)).length,
    manual_orders: 0,
    manual_cents: 0,
    disputed_orders: 0,
  };
  // The terms of a cancellation decide, also before it.
  const cancelled = { ...event, status: 'cancelled' as const };
  for (let after = ''; ;) {
    const orders = await confirmedOrders(ctx.db, event.id, { after, limit: 500 });
    const mixed = await ordersPaidByHand(
      ctx.db,
      orders.map(({ id }) => id),
    );
    for (const found of await factsOfOrders(ctx.db, { event: cancelled, orders, now: ctx.now() })) {
      const quote = quoteOfCancelled(found, with_fees);
      addTo(sums, found, quote);
      const byHand = await handCents(ctx, found.order, { quote, mixed });
      sums.manual_cents += byHand;
      sums.manual_orders += byHand > 0 ? 1 : 0;
    }
    if (orders.length < 500) return sums;
    after = orders.at(-1)?.id ?? after;
    // A sold-out hall takes a second, in which others must be answered.
    await yieldToLoop();
  }
}

/** What of an order's refund goes back by hand; `mixed`: orders with a payment by hand. */
async function handCents(
  ctx: Ctx,
  order: OrderForRefund['order'],
  { quote, mixed }: { quote: Quote; mixed: ReadonlySet<string> },
): Promise<number> {
  if (quote.obstacle !== null) return 0;
  if (order.exchange_credit_cents === null && !mixed.has(order.id)) return 0;
  return handOf(await waysBack(ctx.db, order, quote.amount_cents))?.amount_cents ?? 0;
}

function addTo(sums: CancellationSums, { facts }: OrderForRefund, quote: Quote): void {
  if (quote.obstacle !== null) return;
  sums.orders += 1;
  sums.tickets += quote.lines.filter((line) => line.chosen).length;
  sums.sum_cents += quote.amount_cents;
  sums.fee_cents += quote.fee_cents;
  sums.kept_fee_cents += quote.kept_fee_cents;
  if (facts.disputed) sums.disputed_orders += 1;
}

interface CancelAsk {
  user_id: string;
  expected_cents: number;
  expected_orders: number;
  reason: string;
  with_fees?: boolean;
  /** Until when the buyers may say what they prefer; left out: all are refunded at once. */
  ask_until?: number;
}

/**
 * Ends the sale; the worker refunds after a minute (RULES N4). If the event is cancelled already,
 * returns the refund run that exists.
 */
export async function cancelEvent(ctx: Ctx, event_id: string, ask: CancelAsk) {
  const event = await knownEvent(ctx, event_id);
  const known = await findRunOfEvent(ctx.db, event_id);
  if (known) return refundRun(ctx, known.id);
  const with_fees = ask.with_fees ?? event.cancel_keeps_fees === 0;
  if (ask.ask_until !== undefined && !isAskTime(ask.ask_until, ctx.now()))
    throw new Refusal('event_times_wrong', { fields: ['ask_until'] });
  const sums = await sumCancellation(ctx, event, with_fees);
  if (sums.sum_cents !== ask.expected_cents || sums.orders !== ask.expected_orders)
    throw new Refusal('cancellation_changed', { sum_cents: sums.sum_cents, orders: sums.orders });
  const run: RefundRunRow = {
    id: ctx.newId(),
    event_id,
    actor: `user:${ask.user_id}`,
    reason: ask.reason.trim(),
    with_fees: with_fees ? 1 : 0,
    orders: sums.orders,
    sum_cents: sums.sum_cents,
    created_at: ctx.now(),
    finished_at: null,
    halted_at: null,
    asks_until: ask.ask_until ?? null,
  };
  const id = await transact(ctx.db, async (trx) => {
    // If two people cancel at the same time, there is one run; a booking that has begun is stored
    // before this lock, or refused.
    const locked = requireValue(await lockEvent(trx, event_id), 'event');
    const first = await findRunOfEvent(trx, event_id);
    if (first) return first.id;
    const changes = { status: 'cancelled', cancelled_at: ctx.now() } as const;
    await updateEvent(trx, event_id, changes);
    // An earlier version would refund at once.
    if (run.asks_until !== null) await raiseFloor(ctx, trx, '1.7.0');
    await insertRun(trx, run);
    await oweReminders(ctx, trx, event_id);
    await announce(ctx, trx, {
      id: run.id,
      event_id,
      act: 'event_cancelled',
      task: 'cancel_event',
      subject: run.id,
      buyers: (await countOrders(trx, event_id)).buyers,
      moved: { event: movedBetween(locked, changes) },
      actor: `user:${ask.user_id}`,
    });
    await happened(ctx, trx, {
      actor: run.actor,
      action: 'event_cancelled',
      subject: event_id,
      detail: { run_id: run.id, reason: run.reason, asks_until: run.asks_until, ...sums },
    });
    return run.id;
  });
  ctx.fault('event_cancelled');
  return refundRun(ctx, id);
}

/**
 * The task: closes open checkouts, then refunds every paid order, after the deadline where the
 * buyers are asked first. Idempotent by the run and the order; returns when to continue.
 */
export async function refundEvent(ctx: Ctx, run_id: string): Promise<number | null> {
  const turn = await turnOf(ctx, 'cancel_event', run_id);
  if (turn !== 'now') return turn;
  const run = await findRun(ctx.db, run_id);
  if (!run) return null;
  const event = await requireEventRow(ctx.db, run.event_id);
  const stillOpen = await endOpenOrders(ctx, event.id);
  if (isAsking(run, ctx.now())) await askBuyers(ctx, run);
  const waiting = await refundPaidOrders(ctx, event, run);
  if (waiting === null) return ctx.now();
  if (stillOpen > 0) return ctx.now() + retryAfterMs;
  if (await isHalted(ctx.db, run_id)) return ctx.now() + haltedLookMs;
  if (isAsking(run, ctx.now())) return requireValue(run.asks_until, 'deadline') + 1;
  if (waiting > 0) return ctx.now() + retryAfterMs;
  // Tickets that stayed valid after an earlier refund have nothing left to refund.
  const news = { act: 'event_cancelled', kind: 'event_cancelled', key: '' } as const;
  await writeToHolders(ctx, event.id, news);
  await transact(ctx.db, (trx) => finishRun(trx, run_id, ctx.now()));
  return null;
}

/**
 * Null: the task's time was over before all orders were done. The query leaves out finished
 * orders, so the next call continues here. Else how many orders wait for another payment.
 */
async function refundPaidOrders(
  ctx: Ctx,
  event: EventRow,
  run: RefundRunRow,
): Promise<number | null> {
  let waiting = 0;
  const asking = isAsking(run, ctx.now());
  const until = ctx.now() + walkMs;
  for (let after = ''; ;) {
    const orders = await ordersToRefund(ctx.db, run, { after, limit: pageSize, asking });
    for (const { id } of orders) {
      if (ctx.now() > until) return null;
      if (!(await endCancelledOrder(ctx, { event, run, order_id: id }))) waiting += 1;
    }
    ctx.fault('cancellation_page');
    if (orders.length < pageSize) return waiting;
    after = orders.at(-1)?.id ?? after;
  }
}

/**
 * Closes each open order at Stripe first; if its buyer has paid meanwhile, it is confirmed and
 * refunded with the others. Returns how many orders are still open.
 */
async function endOpenOrders(ctx: Ctx, event_id: string): Promise<number> {
  const until = ctx.now() + walkMs;
  for (const { id } of await listOpenOrdersOf(ctx.db, event_id)) {
    if (ctx.now() > until) break;
    await cancelOrder(ctx, id, { reason: 'event_cancelled', actor: 'system' }).catch(
      (error: unknown) =>
        ctx.log.warn({ err: error, order_id: id }, 'open order of a cancelled event not ended yet'),
    );
  }
  return (await listOpenOrdersOf(ctx.db, event_id)).length;
}

/** The progress of a refund run, with each of its failed refunds for the office. */
export async function refundRun(ctx: Ctx, run_id: string) {
  const run = await findRun(ctx.db, run_id);
  if (!run) throw new Refusal('refund_run_not_found');
  const event = await requireEventRow(ctx.db, run.event_id);
  const sums = await sumsOfRun(ctx.db, run_id);
  const nameOf = await namesOf(ctx.db, [run.actor]);
  const of = (belongs: (row: (typeof sums)[number]) => boolean) =>
    sums
      .filter(belongs)
      .reduce(
        (sum, row) => ({ refunds: sum.refunds + row.refunds, cents: sum.cents + row.cents }),
        { refunds: 0, cents: 0 },
      );
  const isFailed = (row: (typeof sums)[number]) => hasFailed(row.state);
  const byHand = (row: (typeof sums)[number]) => row.kind === 'manual' && row.state === 'requested';
  const isLeft = (row: (typeof sums)[number]) => row.kind === 'gift';
  const [all, done, failed, hand] = [
    of((row) => !isFailed(row) && !isLeft(row)),
    of((row) => row.state === 'succeeded' && !isLeft(row)),
    of(isFailed),
    of(byHand),
  ];
  const unsent = of((row) => row.kind === 'stripe' && row.state === 'requested');
  const pending = of((row) => !isFailed(row) && !byHand(row) && row.state !== 'succeeded');
  const { begins_at } = (await waitingAnnouncement(ctx, run_id)) ?? { begins_at: null };
  return {
    ...run,
    run_id,
    begins_at,
    event_title: event.title,
    event_starts_at: event.starts_at,
    actor: nameOf(run.actor),
    open_orders: (await listOpenOrdersOf(ctx.db, event.id)).length,
    refunds: all.refunds,
    refunds_cents: all.cents,
    done: done.refunds,
    done_cents: done.cents,
    pending: pending.refunds,
    pending_cents: pending.cents,
    unsent: unsent.refunds,
    to_hand_back: hand.refunds,
    to_hand_back_cents: hand.cents,
    failed: failed.refunds,
    failed_cents: failed.cents,
    asking: isAsking(run, ctx.now()),
    left: of(isLeft).refunds,
    left_cents: of(isLeft).cents,
    answers:
      run.asks_until === null
        ? null
        : await countDateAnswers(ctx.db, { kind: 'cancelled', ...run }),
  };
}
