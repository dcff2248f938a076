/**
 * Opens, settles and cancels an order's checkout at Stripe, and decides what happens when Stripe
 * does not answer. All callers (webhook, return page, worker, cancellation) settle one order one
 * after another.
 */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { Session } from '#server/adapters/stripe.ts';
import {
  findOrder,
  linesOf,
  listOpenOrders,
  moveOrder,
  noteOrder,
  noteSession,
  releaseLines,
  requireOrderRow,
} from '#db/order/orders.ts';
import type { OrderLineRow, OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { judgeSession, openStates, type EndReason } from '#server/domain/order/order.ts';
import { retryAfterMs } from '#server/domain/time/backoff.ts';
import { dueOf } from '#server/domain/order/exchange.ts';
import { asRefusal, Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { giveCodesBack } from '#server/services/event/price-codes.ts';
import { happened } from '#server/services/kit/happened.ts';
import {
  adoptSession,
  closeSession,
  sessionFacts,
  findSession,
  openSession,
  requireAgreed,
} from './checkout.ts';
import { awaitsClick } from './click.ts';
import { buyerOf, confirmOrder, takeSessionMoney } from './confirmation.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { requireOrder } from '#server/services/order/find-order.ts';
import { endDeposit } from './deposit.ts';
import { dropExchange } from './exchange.ts';
import { settleLate } from './late-payments.ts';
import { noteReleased } from './guest-places.ts';
import { queueInReserve } from '#server/services/kit/queue-task.ts';
import { isPaidBack } from './provider-record.ts';
import { bookHeldSeats, holdsItsSeats, releaseSeats } from './seats.ts';
import { withdrawnTypes } from './withdrawn-prices.ts';
import { leaseGiven, withLease, withLeaseOrRefuse, type LeasedCtx } from './order-lease.ts';

/** After this time we look again at a completed session whose slow method has not paid yet. */
const slowMethodMs = 15 * 60_000;
/** reconcile() leaves younger orders to the webhook and the return page. */
const youngMs = 60_000;

/**
 * Books a stored order's seats at the seat map; if the seat map refuses, the order ends.
 * @throws Refusal seats_taken, hold_expired: the order has ended; provider_silent: the order
 * stays, and the call may be repeated
 */
export async function takeSeats(
  ctx: LeasedCtx,
  seatsio_event_key: string,
  stored: { order: OrderRow; lines: readonly OrderLineRow[] },
): Promise<void> {
  const lost = await bookHeldSeats(ctx, seatsio_event_key, stored);
  if (lost === null) return;
  await endOrder(ctx, stored.order, { reason: 'seats_lost' });
  throw lost;
}

/**
 * Opens the checkout of a booked order and gives the order's lease back. If Stripe refuses, the
 * order ends. Null: the order has changed meanwhile.
 */
export async function openCheckout(ctx: LeasedCtx, order: OrderRow): Promise<Session | null> {
  try {
    const session = await openSession(ctx, order);
    ctx.fault('session_opened');
    await requireAgreed(ctx, order, session);
    return (await adoptSession(ctx, order, session, leaseGiven)) ? session : null;
  } catch (error) {
    if (error instanceof ProviderUnavailable)
      throw new Refusal('provider_silent', undefined, error);
    if (!(error instanceof ProviderRefused)) throw error;
    ctx.log.error({ err: error, order_id: order.id }, 'Stripe refused to open the checkout');
    const ticket_types = await withdrawnTypes(ctx, order);
    await endOrder(ctx, order, { reason: 'checkout_refused' });
    throw ticket_types.length > 0
      ? new Refusal('price_withdrawn', { ticket_types })
      : new Refusal('checkout_refused');
  }
}

/** `remark`: a text that a person typed. */
interface Ending {
  reason: EndReason;
  session?: Session;
  actor?: Actor;
  remark?: string;
  /** Also queues a task that frees the seats. */ owesSeats?: boolean;
}

/** If the seat map refuses to free seats, we try again later, as if it did not answer. */
function likeSilence(error: unknown): never {
  throw error instanceof ProviderRefused ? new Refusal('provider_silent', undefined, error) : error;
}

/**
 * Frees the seats first, then ends the row: a repeat after a crash finds nothing left to free.
 * Call it only when Stripe has said that the order's session is over.
 */
export async function endOrder(ctx: LeasedCtx, order: OrderRow, ending: Ending): Promise<void> {
  await releaseSeats(ctx, order).catch(likeSilence);
  ctx.fault('seats_released');
  await storeEnd(ctx, order, ending);
}

/**
 * Ends the row first, then frees the seats: while the row is open the counter may take money, and
 * then its seats must not be free. A task frees the seats if this process dies or the seat map
 * fails.
 */
async function endReservation(ctx: LeasedCtx, order: OrderRow, ending: Ending): Promise<void> {
  await storeEnd(ctx, order, { ...ending, owesSeats: true });
  await releaseSeats(ctx, order).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    ctx.log.warn({ err: error, order_id: order.id }, 'seats of a reservation not freed yet');
  });
}

async function storeEnd(
  ctx: LeasedCtx,
  order: OrderRow,
  { reason, session, actor = 'system', remark, owesSeats }: Ending,
): Promise<void> {
  const known = session && {
    session_status: session.status,
    ...(session.buyer_email === null ? {} : buyerOf(order, session)),
  };
  // If the office's refund has failed meanwhile, the order stays marked for the office.
  const settled = reason === 'refunded_by_office' ? {} : { needs_attention: null };
  const changes = { ...known, ...settled, end_reason: reason, checkout_url: null };
  await transact(ctx.db, async (trx) => {
    const deleted_at = ctx.now();
    const end = { ...changes, deleted_at };
    if (!(await moveOrder(trx, order.id, [order.state], 'deleted', end))) return;
    // Before its places, for which a new order with the same code may wait.
    await giveCodesBack(ctx, trx, order);
    await dropExchange(ctx, trx, order, reason === 'exchange_changed' ? 'changed' : 'unpaid');
    await endDeposit(ctx, trx, order, { reason, actor });
    await releaseLines(trx, order.id, deleted_at);
    const places = (await linesOf(trx, order.id)).map(({ place }) => place);
    await noteReleased(ctx, trx, { event_id: order.event_id, order_id: order.id, places });
    if (session)
      await noteSession(trx, { id: session.id, order_id: order.id }, sessionFacts(ctx, session));
    await happened(ctx, trx, {
      actor,
      action: 'order_deleted',
      subject: order.id,
      detail: { reason, remark },
      // A buyer whose payment failed waits for an answer; one who cancelled does not.
      mails:
        reason === 'payment_failed' && session?.buyer_email
          ? [{ order_id: order.id, kind: 'cancelled' }]
          : [],
    });
    if (owesSeats) await queueInReserve(ctx, trx, { task: 'settle_order', subject: order.id });
  });
  ctx.fault('order_ended');
}

/**
 * Reads an order's session and does what its state demands; expires a session before freeing its
 * seats. Idempotent by order id; returns when to look again, or null when nothing is left to do.
 */
export async function settleOrder(ctx: Ctx, order_id: string): Promise<number | null> {
  const done = await withLease(ctx, order_id, {
    waitMs: 0,
    run: settleLeased,
  });
  if (done !== null) return done.value;
  return (await findOrder(ctx.db, order_id)) ? ctx.now() + retryAfterMs : null;
}

async function settleLeased(ctx: LeasedCtx, order: OrderRow): Promise<number | null> {
  const { id: order_id } = order;
  try {
    if (order.state === 'booking') return await settleBooking(ctx, order);
    if (order.state === 'deleted') return await settleEnded(ctx, order);
    // An order that waits for a person is not read again; `read_payment` watches a confirmed one.
    if (isReserved(order)) return await settleReservation(ctx, order);
    if (
      order.session_id === null ||
      order.state === 'confirmed' ||
      order.needs_attention === 'amount_differs'
    )
      return null;
    return await settlePayment(ctx, order, { session: await ctx.payments.read(order.session_id) });
  } catch (error) {
    if (error instanceof ProviderRefused) {
      if (isOfTestMoney(ctx, order)) return endTestOrder(ctx, order);
      // The Stripe key has changed or the account is lost: only a person can help.
      ctx.log.error({ err: error, order_id }, 'a provider does not know what the order says');
      await noteOrder(ctx.db, order_id, { needs_attention: 'provider_refused' });
      return ctx.now() + slowMethodMs;
    }
    if (!(error instanceof ProviderUnavailable) && !(error instanceof Refusal)) throw error;
    ctx.log.warn({ err: error, order_id }, 'order not settled yet');
    return ctx.now() + retryAfterMs;
  }
}

/** True for an unpaid order of before the house took real money: its session can bring none. */
function isOfTestMoney({ payments }: Ctx, { state, session_id }: OrderRow): boolean {
  return (
    payments.live && state === 'awaiting_payment' && session_id?.startsWith('cs_test_') === true
  );
}

async function endTestOrder(ctx: LeasedCtx, order: OrderRow): Promise<null> {
  await endOrder(ctx, order, { reason: 'session_expired' });
  return null;
}

/** True for an order that waits without a session at Stripe (RULES K5, O6). */
function isReserved(order: OrderRow): boolean {
  const isCounters = order.state === 'awaiting_payment' && order.channel === 'counter';
  return isCounters || awaitsClick(order);
}

async function settleReservation(ctx: LeasedCtx, order: OrderRow): Promise<number | null> {
  if (ctx.now() < order.pay_by) return order.pay_by;
  const reason = awaitsClick(order) ? 'click_expired' : 'reservation_expired';
  await endReservation(ctx, order, { reason });
  return null;
}

/**
 * Handles money that came after the order ended, and frees seats that stayed booked when a
 * process died while confirming the order again.
 */
async function settleEnded(ctx: LeasedCtx, order: OrderRow): Promise<null> {
  if (order.session_id !== null && order.needs_attention !== 'amount_differs')
    await settleLate(ctx, order, await ctx.payments.read(order.session_id));
  const now = await requireOrderRow(ctx.db, order.id);
  if (now.state === 'deleted') await releaseSeats(ctx, now);
  return null;
}

/** Settles an unfinished booking: until `pay_by` the call may be repeated, then it ends. */
async function settleBooking(ctx: LeasedCtx, order: OrderRow): Promise<number | null> {
  if (ctx.now() < order.pay_by) return order.pay_by;
  await finishBooking(ctx, order, { reason: 'never_finished' });
  const now = await requireOrderRow(ctx.db, order.id);
  return now.state === 'awaiting_payment' ? settleLeased(ctx, now) : null;
}

/**
 * Finds, with the stored key, a session whose answer from Stripe never reached us, so that it can
 * be closed. Without one the order ends.
 */
async function finishBooking(ctx: LeasedCtx, order: OrderRow, ending: Ending): Promise<void> {
  const paysAtStripe = order.channel === 'web' && dueOf(order) > 0;
  if (paysAtStripe && (await holdsItsSeats(ctx, order))) {
    const session = await findSession(ctx, order);
    // No buyer has the session's address; it is adopted only to be closed.
    if (session) return void (await adoptSession(ctx, order, { ...session, url: null }));
  }
  await endOrder(ctx, order, ending);
}

interface Look {
  session: Session;
  /** Set when the order must end before its `pay_by`. */ ending?: Ending;
}

async function settlePayment(
  ctx: LeasedCtx,
  order: OrderRow,
  { session, ending }: Look,
): Promise<number | null> {
  switch (judgeSession(session, dueOf(order))) {
    case 'confirm':
      return confirmPaid(ctx, order, session);
    case 'release':
      await endOrder(ctx, order, {
        ...(ending ?? {
          reason: session.status === 'expired' ? 'session_expired' : 'payment_failed',
        }),
        session,
      });
      return null;
    case 'amount_differs':
      // The office or Stripe's dashboard has refunded the money; only the order's end is left.
      if (await isPaidBack(ctx.db, order))
        await endOrder(ctx, order, { reason: 'refunded_by_office', session });
      else await holdMoney(ctx, order, session);
      return null;
    case 'wait':
      if (session.status === 'complete') return waitForSlowMethod(ctx, order, session);
      if (ending === undefined && ctx.now() < order.pay_by) return order.pay_by;
      return settlePayment(ctx, order, {
        session: await closeSession(ctx, session.id),
        ...(ending && { ending }),
      });
  }
}

/**
 * Confirms a paid order. If the tickets that it replaces have changed meanwhile, it ends, and its
 * money goes back in full (RULES M7).
 */
async function confirmPaid(ctx: LeasedCtx, order: OrderRow, session: Session): Promise<null> {
  const paid = { kind: 'stripe', session } as const;
  const refused = await confirmOrder(ctx, order, { paid, actor: 'stripe' }).catch(asRefusal);
  if (!(refused instanceof Refusal)) return null;
  if (refused.code !== 'exchange_changed') throw refused;
  await endOrder(ctx, order, { reason: 'exchange_changed', session });
  const ended = await requireOrderRow(ctx.db, order.id);
  return ended.state === 'deleted' ? settleLate(ctx, ended, session) : null;
}

/**
 * The session is complete but the bank has not paid yet: the seats stay booked without a
 * deadline, and the buyer gets a mail.
 */
async function waitForSlowMethod(
  ctx: LeasedCtx,
  order: OrderRow,
  session: Session,
): Promise<number> {
  if (order.session_status !== 'complete') {
    await transact(ctx.db, async (trx) => {
      await noteOrder(trx, order.id, { ...buyerOf(order, session), checkout_url: null });
      await noteSession(trx, { id: session.id, order_id: order.id }, sessionFacts(ctx, session));
      await happened(ctx, trx, {
        actor: 'stripe',
        action: 'payment_processing',
        subject: order.id,
        mails: session.buyer_email === null ? [] : [{ order_id: order.id, kind: 'awaiting' }],
      });
    });
  }
  return ctx.now() + slowMethodMs;
}

/** The sum that came in is not the agreed one: the seats stay booked, and a person decides. */
async function holdMoney(ctx: LeasedCtx, order: OrderRow, session: Session): Promise<void> {
  await transact(ctx.db, async (trx) => {
    await noteOrder(trx, order.id, {
      ...buyerOf(order, session),
      checkout_url: null,
      needs_attention: 'amount_differs',
      paid_by: 'stripe',
      paid_cents: session.amount_total,
    });
    await takeSessionMoney(ctx, trx, { order, session });
    await happened(ctx, trx, {
      actor: 'stripe',
      action: 'amount_differs',
      subject: order.id,
      detail: { amount_cents: session.amount_total, currency: session.currency },
    });
  });
}

/** Cancels an unpaid order; a confirmed one does not change. The call may be repeated. */
export async function cancelOrder(
  ctx: Ctx,
  order_id: string,
  ending: Ending = { reason: 'cancelled_by_visitor', actor: 'visitor' },
): Promise<void> {
  await requireOrder(ctx, order_id);
  await withLeaseOrRefuse(ctx, order_id, (leased, order) => cancelLeased(leased, order, ending));
}

async function cancelLeased(ctx: LeasedCtx, order: OrderRow, ending: Ending): Promise<void> {
  // An order whose money came in is never cancelled here; a person decides about it.
  if (!openStates.includes(order.state) || order.needs_attention === 'amount_differs') return;
  await happened(ctx, ctx.db, {
    actor: ending.actor ?? 'system',
    action: 'cancel_asked',
    subject: order.id,
  });
  if (order.state === 'booking') await finishBooking(ctx, order, ending);
  const now = order.state === 'booking' ? await requireOrderRow(ctx.db, order.id) : order;
  if (now.state !== 'awaiting_payment') return;
  if (isReserved(now)) return endReservation(ctx, now, ending);
  await settlePayment(ctx, now, {
    session: await closeSession(ctx, requireValue(now.session_id, 'session')),
    ending,
  });
}

/**
 * Settles every open order that is older than a minute, because webhooks get lost. A failure of
 * one order does not stop the others.
 */
export async function reconcile(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const created_before = ctx.now() - youngMs;
  for (let after: { created_at: number; id: string } | null = null; ;) {
    const orders: { created_at: number; id: string }[] = await listOpenOrders(ctx.db, {
      created_before,
      after,
      limit: 100,
    });
    for (const order of orders) {
      if (stopping.aborted) return;
      await settleOrder(ctx, order.id).catch((error: unknown) =>
        ctx.log.error({ err: error, order_id: order.id }, 'order not reconciled'),
      );
    }
    after = orders.at(-1) ?? null;
    if (orders.length < 100) return;
  }
}
