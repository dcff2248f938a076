/**
 * A payment that arrives after its order ended: the seats are booked again if all are still free,
 * otherwise the money is refunded (RULES O5).
 */
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { Session } from '#server/adapters/stripe.ts';
import { isUniqueViolation } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { noteOrder } from '#db/order/orders.ts';
import { findRefundByKey, sumCounted } from '#db/payment/refunds.ts';
import type { OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { judgeSession } from '#server/domain/order/order.ts';
import { retryAfterMs, backoffMs } from '#server/domain/time/backoff.ts';
import { dueOf } from '#server/domain/order/exchange.ts';
import { Refusal, type RefusalCode } from '#server/domain/refusal.ts';
import { happened } from '#server/services/kit/happened.ts';
import { claimCodesAgain } from '#server/services/event/price-codes.ts';
import { retakePlaces } from '#server/services/event/places.ts';
import { buyerOf, confirmOrder, takeSessionMoney, type Confirmation } from './confirmation.ts';
import { isPaidBack, recountMoney } from './provider-record.ts';
import { requestRefund } from './refunds.ts';
import type { LeasedCtx } from './order-lease.ts';
import { channelsOf, missingSeats, releaseSeats } from './seats.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';

/** Why an order cannot be confirmed any more although its seats are free. */
const passing: readonly RefusalCode[] = ['code_used_up', 'exchange_changed'];

/** The pause before the task of retakeOrder(); it grows with the time since the order ended. */
const backoff = { leastMs: retryAfterMs, mostMs: 4 * retryAfterMs };

/** Confirms the ended order again, or queues a refund; the office sees one that fails. */
export async function settleLate(ctx: LeasedCtx, order: OrderRow, session: Session): Promise<null> {
  if (!session.paid || session.status !== 'complete' || session.payment_intent === null)
    return null;
  // The payment may be recorded already, and its refund under way.
  const idempotency_key = `order:${order.id}:latepay:${session.payment_intent}`;
  if (await isPaidBack(ctx.db, order)) return null;
  const forSale =
    (await requireEventRow(ctx.db, order.event_id)).status !== 'cancelled' &&
    judgeSession(session, dueOf(order)) === 'confirm';
  if (
    forSale &&
    !(await findRefundByKey(ctx.db, idempotency_key)) &&
    (await retakeOrder(ctx, order, { paid: { kind: 'stripe', session }, actor: 'stripe' }).catch(
      falseWhenGone,
    ))
  )
    return null;
  await transact(ctx.db, async (trx) => {
    await noteOrder(trx, order.id, {
      ...buyerOf(order, session),
      paid_by: 'stripe',
      paid_cents: session.amount_total,
    });
    await takeSessionMoney(ctx, trx, { order, session });
    const amount_cents = session.amount_total - (await sumCounted(trx, order.id));
    if (amount_cents <= 0 || (await findRefundByKey(trx, idempotency_key))) return;
    await happened(ctx, trx, {
      actor: 'stripe',
      action: 'paid_after_end',
      subject: order.id,
      detail: { amount_cents: session.amount_total },
      mails: [{ order_id: order.id, kind: 'late_refunded' }],
    });
    await requestRefund(ctx, trx, {
      order,
      origin: 'late_payment',
      actor: 'system',
      payment_intent: session.payment_intent,
      amount_cents,
      idempotency_key,
    });
  });
  ctx.fault('late_refund_stored');
  return null;
}

/** A code that others have used up, or an old ticket that has changed, is like a lost seat. */
function falseWhenGone(error: unknown): false {
  if (error instanceof Refusal && passing.includes(error.code)) return false;
  throw error;
}

/**
 * Books the seats of an order that had ended and confirms it; false when one of them is gone.
 * @throws Refusal code_used_up, exchange_changed
 */
export async function retakeOrder(
  ctx: LeasedCtx,
  order: OrderRow,
  confirmation: Pick<Confirmation, 'paid' | 'actor' | 'alongside'>,
): Promise<boolean> {
  // If this process dies after booking the seats, this task frees them. It is not due now,
  // because it may be the task that is running, which would start itself for ever.
  if (order.state === 'deleted') {
    const run_at = ctx.now() + backoffMs(ctx.now() - (order.deleted_at ?? 0), backoff);
    await transact(ctx.db, (trx) =>
      queueTask(ctx, trx, { task: 'settle_order', subject: order.id, run_at }),
    );
  }
  if (!(await takeSeatsAgain(ctx, order))) return false;
  ctx.fault('seats_retaken');
  try {
    return await confirmOrder(ctx, order, {
      ...confirmation,
      ...(order.state === 'deleted' && {
        retake: async (trx) => {
          await claimCodesAgain(ctx, trx, order);
          await retakePlaces(trx, order);
        },
      }),
      async alongside(trx) {
        // Its earlier refunds are shared by what it costs now.
        await recountMoney(trx, order.id);
        await confirmation.alongside?.(trx);
      },
    });
  } catch (error) {
    // A seat has another buyer by now, or the standing area is full.
    const code = error instanceof Refusal ? error.code : null;
    const passes = passing.some((one) => one === code);
    if (!isUniqueViolation(error) && code !== 'seats_taken' && !passes) throw error;
    await releaseSeats(ctx, order);
    if (passes) throw error;
    return false;
  }
}

/** True if all seats of the order are booked for it now; false if one of them is not free. */
export async function takeSeatsAgain(ctx: LeasedCtx, order: OrderRow): Promise<boolean> {
  const { seatsio_event_key, missing, areFree } = await missingSeats(ctx, order);
  if (missing.length === 0 && areFree) return true;
  // Without a token the seat map would also book a seat that a visitor holds now.
  if (!areFree) return false;
  try {
    await ctx.seats.book(seatsio_event_key, missing, {
      orderId: order.id,
      holdToken: null,
      channels: await channelsOf(ctx, order),
    });
    return true;
  } catch (error) {
    if (error instanceof ProviderRefused) return false;
    throw error;
  }
}
