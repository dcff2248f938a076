/**
 * Records what Stripe says about a refund; calls may be repeated and come in any order. Every
 * function runs in the caller’s transaction, which has locked the order.
 */
import type { StripeRefund } from '#server/adapters/stripe-money.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { noteOrder, requireOrderRow } from '#db/order/orders.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import {
  countedRefundsOf,
  insertRefund,
  moveRefund,
  noteRefund,
  refundLinesOf,
  refundsOf,
  setFeesBack,
  setRefundLine,
  setRefundLines,
  sumCounted,
  sumWithRests,
} from '#db/payment/refunds.ts';
import type { OrderRow, RefundRow } from '#db/rows.ts';
import type { AttentionReason } from '#server/domain/order/order.ts';
import { noFees } from '#server/domain/price/fees.ts';
import { feesBackByTurn, linesWithin, paidParts } from '#server/domain/payment/presale-part.ts';
import { freeingStates, hasFailed, statesBefore } from '#server/domain/payment/refund.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Ctx } from '#server/services/context.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { endingMail } from './ended-tickets.ts';

/**
 * Stores and returns the sum of the refunds that are under way or have arrived, and shares it
 * anew between tickets and surcharges, because one may have come, failed or come back.
 */
export async function recountMoney(trx: Trx, order_id: string): Promise<number> {
  const refunds = await countedRefundsOf(trx, order_id);
  if (refunds.length > 0) await shareAnew(trx, order_id, refunds);
  const refunded_cents = refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  await noteOrder(trx, order_id, { refunded_cents });
  return refunded_cents;
}

/** Stores which part of each refund pays back surcharges (RULES R5). */
async function shareAnew(
  trx: Trx,
  order_id: string,
  refunds: Awaited<ReturnType<typeof countedRefundsOf>>,
): Promise<void> {
  const parts = feesBackByTurn(paidParts(await requireOrderRow(trx, order_id)), refunds);
  for (const [nth, refund] of refunds.entries()) {
    const back = requireValue(parts[nth], 'part of a refund');
    if (back.fee_cents !== refund.fee_cents || back.service_cents !== refund.service_cents)
      await setFeesBack(trx, refund, back);
  }
}

/** True if money came in and all of it is refunded or on its way back. */
export async function isPaidBack(
  db: Db,
  order: Pick<OrderRow, 'id' | 'paid_cents'>,
): Promise<boolean> {
  return order.paid_cents > 0 && order.paid_cents <= (await sumCounted(db, order.id));
}

/**
 * Marks the order for the office. An earlier reason stays, because it may be more serious; only
 * `too_many_for_address`, which is not about money, is replaced.
 */
export async function raiseAttention(
  trx: Trx,
  order: OrderRow,
  reason: AttentionReason,
): Promise<void> {
  if (order.needs_attention !== null && order.needs_attention !== 'too_many_for_address') return;
  order.needs_attention = reason;
  await noteOrder(trx, order.id, { needs_attention: reason });
}

export async function clearAttention(
  trx: Trx,
  order: OrderRow,
  reasons: readonly AttentionReason[],
): Promise<void> {
  if (!reasons.some((reason) => reason === order.needs_attention)) return;
  order.needs_attention = null;
  await noteOrder(trx, order.id, { needs_attention: null });
}

/**
 * Records the refund's state at Stripe. This reading may be older than the row, so a state never
 * moves backward. A refund that a person pays by hand does not change.
 */
export async function bookNews(
  ctx: Ctx,
  trx: Trx,
  { order, refund, news }: { order: OrderRow; refund: RefundRow; news: StripeRefund },
): Promise<void> {
  if (refund.kind !== 'stripe') return;
  const known = {
    ...(refund.part_of_stripe === null && { stripe_refund_id: news.id }),
    failure: news.failure,
    ...(news.receipt_number === null ? {} : { receipt_number: news.receipt_number }),
  };
  const ended =
    news.status === 'succeeded' && refund.origin !== 'stripe' ? { settled_at: ctx.now() } : {};
  const reopened = hasFailed(news.status) ? { settled_at: null } : {};
  if (
    !(await moveRefund(trx, refund.id, statesBefore(news.status), {
      ...known,
      state: news.status,
      ...ended,
      ...reopened,
    }))
  ) {
    if (news.receipt_number !== null && refund.receipt_number === null)
      await noteRefund(trx, refund.id, { receipt_number: news.receipt_number });
    return;
  }
  const toldElsewhere = refund.origin === 'stripe' || refund.origin === 'late_payment';
  await happened(ctx, trx, {
    actor: 'stripe',
    action: `refund_${news.status}`,
    subject: order.id,
    detail: { refund_id: refund.id, amount_cents: refund.amount_cents, failure: news.failure },
    mails: hasFailed(news.status)
      ? endingMail(order, refund)
      : toldElsewhere
        ? []
        : [{ order_id: order.id, kind: 'refunded', key: refund.id }],
  });
  if (hasFailed(news.status)) await bookFailure(trx, order, refund);
  if (refund.frees_seats === 1 && freeingStates.includes(news.status))
    await queueTask(ctx, trx, { task: 'run_refund', subject: refund.id });
  await recountMoney(trx, order.id);
}

/**
 * The refund failed, and the money stays with us: the order's lines may be refunded again, and
 * the tickets stay ended until the office decides.
 */
async function bookFailure(trx: Trx, order: OrderRow, refund: RefundRow): Promise<void> {
  await setRefundLines(trx, refund.id, { live: 0 });
  await raiseAttention(trx, order, 'refund_failed');
}

/**
 * Ends a refund request that needs no decision any more; the buyer may ask again for its tickets.
 * False: the request was decided before.
 */
export async function dropWish(
  ctx: Ctx,
  trx: Trx,
  refund_id: string,
  failure: string,
): Promise<boolean> {
  const dropped = await moveRefund(trx, refund_id, ['asked'], {
    state: 'canceled',
    failure,
    settled_at: ctx.now(),
  });
  if (dropped) await setRefundLines(trx, refund_id, { live: 0 });
  return dropped;
}

/** Ends all open refund requests of the order, because something else replaces them. */
export async function dropWishes(
  ctx: Ctx,
  trx: Trx,
  order_id: string,
  failure: string,
): Promise<void> {
  for (const { id, state } of await refundsOf(trx, order_id))
    if (state === 'asked') await dropWish(ctx, trx, id, failure);
}

/** Ends a refund that was refused before Stripe had made it. */
export async function failRefund(
  ctx: Ctx,
  trx: Trx,
  { order, refund, failure }: { order: OrderRow; refund: RefundRow; failure: string },
): Promise<void> {
  if (!(await moveRefund(trx, refund.id, ['requested'], { state: 'failed', failure }))) return;
  await bookFailure(trx, order, refund);
  await recountMoney(trx, order.id);
  await happened(ctx, trx, {
    actor: 'stripe',
    action: 'refund_failed',
    subject: order.id,
    detail: { refund_id: refund.id, amount_cents: refund.amount_cents, failure },
    mails: endingMail(order, refund),
  });
}

/** The money was already refunded in Stripe's dashboard: our refund only ends its tickets. */
export async function settleWithoutMoney(
  ctx: Ctx,
  trx: Trx,
  { order, refund }: { order: OrderRow; refund: RefundRow },
): Promise<void> {
  if (
    !(await moveRefund(trx, refund.id, ['requested'], {
      state: 'succeeded',
      amount_cents: 0,
      ...noFees,
      failure: 'already_refunded',
      settled_at: ctx.now(),
    }))
  )
    return;
  await nameWhatIsGiven(trx, refund.rest_of ?? refund.id);
  await recountMoney(trx, order.id);
  await happened(ctx, trx, {
    actor: 'stripe',
    action: 'refund_done_elsewhere',
    subject: order.id,
    detail: { refund_id: refund.id, amount_cents: refund.amount_cents },
    mails: endingMail(order, refund),
  });
  if (refund.frees_seats === 1)
    await queueTask(ctx, trx, { task: 'run_refund', subject: refund.id });
}

/** The tickets of a refund in several parts name no more than these give together. */
async function nameWhatIsGiven(trx: Trx, refund_id: string): Promise<void> {
  const lines = await refundLinesOf(trx, refund_id);
  for (const line of linesWithin(lines, await sumWithRests(trx, refund_id)))
    await setRefundLine(trx, line);
}

/** What of a refund at Stripe counts for one order; `first`: this row has Stripe's id. */
export interface TakenPart {
  order: OrderRow;
  amount_cents: number;
  first: boolean;
}

/**
 * Records a refund made in Stripe's dashboard, or the part of it that is an order's; call it only
 * for one that is not recorded yet.
 */
export async function takeOver(
  ctx: Ctx,
  trx: Trx,
  { order, amount_cents, first }: TakenPart,
  news: StripeRefund,
): Promise<RefundRow> {
  // An earlier version would not see the further parts.
  if (!first) await raiseFloor(ctx, trx, '1.8.0');
  const payments = await paymentsOf(trx, order.id);
  const paid = payments.find(({ payment_intent }) => payment_intent === news.payment_intent);
  const refund: RefundRow = {
    shift_id: null,
    method: null,
    id: ctx.newId(),
    order_id: order.id,
    state: news.status,
    origin: 'stripe',
    kind: 'stripe',
    amount_cents,
    ...noFees,
    voids_tickets: 0,
    frees_seats: 0,
    payment_intent: news.payment_intent,
    stripe_refund_id: first ? news.id : null,
    part_of_stripe: first ? null : news.id,
    idempotency_key: first ? `stripe:${news.id}` : `stripe:${news.id}:${order.id}`,
    reason: null,
    actor: 'stripe',
    failure: news.failure,
    receipt_number: news.receipt_number,
    run_id: null,
    rest_of: null,
    created_at: news.created_at,
    // After an outage its payment may be booked later; no day gives back what came in after it.
    decided_at: Math.max(news.created_at, paid?.paid_at ?? 0),
    settled_at: null,
  };
  await insertRefund(trx, refund, []);
  await happened(ctx, trx, {
    actor: 'stripe',
    action: 'refund_taken_over',
    subject: order.id,
    detail: {
      refund_id: refund.id,
      stripe_refund_id: news.id,
      amount_cents,
      state: news.status,
    },
  });
  return refund;
}
