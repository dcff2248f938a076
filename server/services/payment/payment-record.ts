/**
 * Reads the charge, fee, receipt, refunds and disputes of a payment at Stripe and records them in
 * our database, including those made in Stripe's dashboard.
 */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { StripeDispute, StripePayment, StripeRefund } from '#server/adapters/stripe-money.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { exchangedInto, lockOrders } from '#db/order/exchanges.ts';
import { lockOrder, noteOrder } from '#db/order/orders.ts';
import {
  findDispute,
  insertDecline,
  insertPayment,
  notePayment,
  putDispute,
  sumPaid,
} from '#db/payment/payments.ts';
import {
  findRunOfEvent,
  refundableLines,
  refundsAt,
  refundsOf,
  settleTakenOver,
} from '#db/payment/refunds.ts';
import type { OrderRow, RefundRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { retryAfterMs, backoffMs } from '#server/domain/time/backoff.ts';
import {
  blocksRefunds,
  countedRefunds,
  hasFailed,
  isDisputeClosed,
} from '#server/domain/payment/refund.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Ctx } from '#server/services/context.ts';
import { orderOfPayment } from './opened-here.ts';
import {
  bookNews,
  clearAttention,
  dropWish,
  failRefund,
  raiseAttention,
  recountMoney,
  settleWithoutMoney,
  takeOver,
  type TakenPart,
} from './provider-record.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';

const day = 24 * 3_600_000;
/** A receipt number or a fee that is missing after this time will never come. */
const factsWithinMs = day;
/** The office must look at a refund that is pending for longer (RULES R3). */
export const longPendingMs = 10 * day;

/**
 * The task `read_payment`: returns when to run again, or null when Stripe will add nothing.
 * Idempotent by the payment intent.
 */
export async function readPayment(ctx: Ctx, payment_intent: string): Promise<number | null> {
  try {
    const payment = await bookPayment(ctx, payment_intent);
    return payment && nextReading(ctx, payment);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    ctx.log.warn({ err: error, payment_intent }, 'payment not read yet');
    return ctx.now() + retryAfterMs;
  }
}

/**
 * Reads the payment now and records what Stripe says. Null: the payment is not ours, or Stripe
 * does not know it.
 * @throws ProviderUnavailable
 */
export async function bookPayment(ctx: Ctx, payment_intent: string): Promise<StripePayment | null> {
  const payment = await ctx.payments.payment(payment_intent).catch((error: unknown) => {
    if (!(error instanceof ProviderRefused)) throw error;
    ctx.log.error({ err: error, payment_intent }, 'Stripe does not know a payment');
    return null;
  });
  ctx.fault('payment_read');
  if (payment === null) return null;
  const found = await orderOfPayment(ctx, payment);
  if (!found) return null;
  await transact(ctx.db, async (trx) => {
    const order = await lockOrder(trx, found.id);
    await bookCharge(ctx, trx, order, payment);
    await bookRefunds(ctx, trx, order, payment);
    for (const dispute of payment.disputes) await bookDispute(ctx, trx, order, dispute);
    await bookDeclines(trx, order, payment);
    await rejoinRun(ctx, trx, order);
  });
  ctx.fault('payment_booked');
  return payment;
}

/** A null from Stripe never overwrites a stored value. */
async function bookCharge(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  { payment_intent, charge, disputes }: StripePayment,
): Promise<void> {
  if (charge === null || charge.amount === 0) return;
  const made = await insertPayment(trx, {
    id: ctx.newId(),
    order_id: order.id,
    kind: 'stripe',
    method: charge.method,
    payment_intent,
    charge_id: charge.id,
    amount_cents: charge.amount,
    stripe_fee_cents: charge.stripe_fee,
    receipt_number: charge.receipt_number,
    receipt_url: charge.receipt_url,
    actor: 'stripe',
    disputed: 0,
    paid_at: charge.paid_at,
  });
  if (made) await noteOrder(trx, order.id, { paid_cents: await sumPaid(trx, order.id) });
  const facts = {
    charge_id: charge.id,
    method: charge.method,
    stripe_fee_cents: charge.stripe_fee,
    receipt_number: charge.receipt_number,
    receipt_url: charge.receipt_url,
  };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
  await notePayment(trx, payment_intent, {
    ...known,
    disputed: disputes.some((dispute) => blocksRefunds(dispute.status)) ? 1 : 0,
  });
  if (
    order.receipt_number === null &&
    charge.receipt_number !== null &&
    order.payment_intent === payment_intent
  )
    await noteOrder(trx, order.id, { receipt_number: charge.receipt_number });
}

/** Records refused payment attempts, only for the office to read. */
async function bookDeclines(
  trx: Trx,
  order: OrderRow,
  { payment_intent, declines }: StripePayment,
) {
  for (const { amount, ...decline } of declines)
    await insertDecline(trx, {
      ...decline,
      order_id: order.id,
      payment_intent,
      amount_cents: amount,
      code: decline.code.slice(0, 60),
      buyer_email: order.buyer_forgotten_at === null ? decline.buyer_email : null,
    });
}

/** The refunds of the order, and those of other orders that this payment has paid for. */
async function refundsHere(
  trx: Trx,
  { id }: OrderRow,
  payment_intent: string,
): Promise<RefundRow[]> {
  const others = (await refundsAt(trx, payment_intent)).filter(({ order_id }) => order_id !== id);
  return [...(await refundsOf(trx, id)), ...others];
}

/** The order of the refund, locked: tickets of the payment's own order may have been exchanged. */
async function orderOfRefund(trx: Trx, order: OrderRow, { order_id }: RefundRow) {
  return order_id === order.id ? order : lockOrder(trx, order_id);
}

/**
 * Whose money a refund gives back that Stripe made without us: that of the first order which has
 * all of it, the payment's own before those for which its tickets were exchanged; or of several,
 * each up to what it has.
 */
async function ownersOf(
  trx: Trx,
  order: OrderRow,
  { payment_intent, amount }: StripeRefund,
): Promise<TakenPart[]> {
  // Ours that have not reached Stripe give way to it.
  const isUnsent = (refund: RefundRow) =>
    refund.state === 'requested' && refund.payment_intent === payment_intent;
  const leftOf = async ({ id, paid_cents }: OrderRow) =>
    paid_cents -
    (await refundsOf(trx, id))
      .filter((refund) => countedRefunds.includes(refund.state) && !isUnsent(refund))
      .reduce((sum, refund) => sum + refund.amount_cents, 0);
  const family = [order, ...(await livingOn(trx, order))];
  const known = await Promise.all(
    family.map(async (one) => ({ order: one, left: await leftOf(one) })),
  );
  const whole = known.find(({ left }) => left >= amount);
  if (whole) return [{ order: whole.order, amount_cents: amount, first: true }];
  return shareAmong(known, amount);
}

interface HasLeft {
  order: OrderRow;
  left: number;
}

/** What exceeds the money of all is the first one's. */
function shareAmong(known: readonly HasLeft[], amount: number): TakenPart[] {
  const taking = known.filter(({ left }) => left > 0);
  const [first = known[0]] = taking;
  if (first === undefined) return [];
  const all = taking.reduce((sum, { left }) => sum + left, 0);
  let open = amount;
  const parts = [first, ...taking.slice(1)].map(({ order, left }, at) => {
    const excess = at === 0 ? Math.max(0, amount - all) : 0;
    const amount_cents = Math.min(open, Math.max(0, left) + excess);
    open -= amount_cents;
    return { order, amount_cents, first: at === 0 };
  });
  return parts.filter(({ amount_cents }) => amount_cents > 0);
}

/** Several rows are of one refund at Stripe that gives back the money of several orders. */
function isOf(row: RefundRow, { id, refund_id }: StripeRefund): boolean {
  if (row.stripe_refund_id !== null || row.part_of_stripe !== null)
    return row.stripe_refund_id === id || row.part_of_stripe === id;
  return row.id === refund_id && row.kind === 'stripe';
}

async function bookRefunds(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  payment: StripePayment,
): Promise<void> {
  const ours = await refundsHere(trx, order, payment.payment_intent);
  const foreign = new Map<string, OrderRow>();
  for (const news of payment.refunds) {
    const known = ours.filter((row) => isOf(row, news));
    for (const refund of known)
      await bookNews(ctx, trx, { order: await orderOfRefund(trx, order, refund), refund, news });
    for (const part of known.length > 0 ? [] : await ownersOf(trx, order, news)) {
      ours.push(await takeOver(ctx, trx, part, news));
      if (!hasFailed(news.status)) foreign.set(part.order.id, part.order);
    }
  }
  await giveWay(ctx, trx, order, payment);
  await recountMoney(trx, order.id);
  for (const owner of foreign.values()) {
    await recountMoney(trx, owner.id);
    const asksAboutTickets = (await refundableLines(trx, [owner.id])).some(
      (line) => line.ticket_state === 'valid',
    );
    if (asksAboutTickets) await raiseAttention(trx, owner, 'refunded_at_stripe');
    else await settleTakenOver(trx, owner.id, ctx.now());
  }
  const late = payment.refunds.some(
    (news) => isPending(news.status) && ctx.now() - news.created_at >= longPendingMs,
  );
  if (late) await raiseAttention(trx, order, 'refund_pending');
  else await clearAttention(trx, order, ['refund_pending']);
}

/**
 * Ends those of our refunds that Stripe has not seen and that, together with the earlier ones,
 * exceed the money left after refunds in Stripe's dashboard; if nothing is left, a buyer's refund
 * requests too.
 */
async function giveWay(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  { payment_intent, charge, refunds }: StripePayment,
): Promise<void> {
  if (charge === null) return;
  const left = charge.amount - charge.refunded;
  let ofOurs = 0;
  for (const refund of await refundsHere(trx, order, payment_intent)) {
    if (
      refund.payment_intent !== payment_intent ||
      refunds.some((news) => news.refund_id === refund.id)
    )
      continue;
    if (
      refund.state === 'asked' &&
      left === 0 &&
      (await dropWish(ctx, trx, refund.id, 'already_refunded'))
    ) {
      await happened(ctx, trx, {
        actor: 'stripe',
        action: 'refund_done_elsewhere',
        subject: refund.order_id,
        detail: { refund_id: refund.id, amount_cents: refund.amount_cents },
      });
    }
    if (refund.state !== 'requested') continue;
    const owner = await orderOfRefund(trx, order, refund);
    if (ofOurs + refund.amount_cents <= left) ofOurs += refund.amount_cents;
    else if (left === 0) await settleWithoutMoney(ctx, trx, { order: owner, refund });
    else await failRefund(ctx, trx, { order: owner, refund, failure: 'amount_too_large' });
  }
}

async function bookDispute(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  dispute: StripeDispute,
): Promise<void> {
  const known = await findDispute(trx, dispute.id);
  // An older reading may arrive after a newer one, so a closed dispute is not opened again.
  if (known && known.closed_at !== null && !isDisputeClosed(dispute.status)) return;
  if (known && known.status === dispute.status && known.due_by === dispute.due_by) return;
  await putDispute(trx, {
    id: dispute.id,
    order_id: order.id,
    payment_intent: dispute.payment_intent,
    charge_id: dispute.charge_id,
    amount_cents: dispute.amount,
    reason: dispute.reason,
    status: dispute.status,
    due_by: dispute.due_by,
    created_at: dispute.created_at,
    updated_at: ctx.now(),
    closed_at: isDisputeClosed(dispute.status) ? (known?.closed_at ?? ctx.now()) : null,
  });
  await happened(ctx, trx, {
    actor: 'stripe',
    action: known ? 'dispute_changed' : 'dispute_created',
    subject: order.id,
    detail: { dispute_id: dispute.id, status: dispute.status, amount_cents: dispute.amount },
  });
  for (const concerned of [order, ...(await livingOn(trx, order))])
    await tellDispute(trx, concerned, dispute);
}

/** The orders for which tickets of this one were exchanged: they live on its money. */
async function livingOn(trx: Trx, { id }: OrderRow): Promise<OrderRow[]> {
  const ids = await exchangedInto(trx, id);
  const locked = new Map((await lockOrders(trx, ids)).map((order) => [order.id, order]));
  return ids.flatMap((next) => locked.get(next) ?? []);
}

async function tellDispute(trx: Trx, order: OrderRow, { status }: StripeDispute): Promise<void> {
  if (!isDisputeClosed(status)) await raiseAttention(trx, order, 'disputed');
  else await clearAttention(trx, order, ['disputed']);
  if (status === 'lost' || status === 'appeal_lost')
    await raiseAttention(trx, order, 'dispute_lost');
}

/** Adds an order that was paid just before its event was cancelled to the event's refund run. */
async function rejoinRun(ctx: Ctx, trx: Trx, order: OrderRow): Promise<void> {
  if (
    order.state !== 'confirmed' ||
    (await requireEventRow(trx, order.event_id)).status !== 'cancelled'
  )
    return;
  const run = await findRunOfEvent(trx, order.event_id);
  if (run && !(await refundsOf(trx, order.id)).some((refund) => refund.run_id === run.id))
    await queueTask(ctx, trx, { task: 'cancel_event', subject: run.id });
}

function isPending(status: string): boolean {
  return status === 'pending' || status === 'requires_action';
}

/**
 * When to read the payment again. A fee or receipt comes within a day or never; webhooks also
 * tell us of refunds and disputes, but a webhook may get lost.
 */
function nextReading(ctx: Ctx, { charge, refunds, disputes }: StripePayment): number | null {
  const times: number[] = [];
  const look = (since: number, withinMs: number, pace: { leastMs: number; mostMs: number }) => {
    const age = ctx.now() - since;
    if (age < withinMs)
      times.push(
        ctx.now() + Math.min(backoffMs(age, pace), Math.max(pace.leastMs, withinMs - age)),
      );
  };
  if (charge !== null && (charge.stripe_fee === null || charge.receipt_number === null))
    look(charge.paid_at, factsWithinMs, { leastMs: 10_000, mostMs: 6 * 3_600_000 });
  // Stripe gives a refund a receipt number if the payment has one.
  for (const refund of refunds)
    if (refund.receipt_number === null && charge?.receipt_number)
      look(refund.created_at, factsWithinMs, { leastMs: 10_000, mostMs: 6 * 3_600_000 });
  // The last of these readings comes after `longPendingMs`, so the office sees the refund.
  for (const refund of refunds)
    if (isPending(refund.status))
      look(refund.created_at, longPendingMs + day, { leastMs: 60_000, mostMs: day / 2 });
  for (const dispute of disputes)
    if (!isDisputeClosed(dispute.status))
      look(dispute.created_at, 120 * day, { leastMs: 3_600_000, mostMs: day });
  return times.length === 0 ? null : Math.min(...times);
}
