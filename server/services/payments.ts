/** The end of an order: what Stripe says about its session decides, and every caller (webhook, return page, worker, cancel) runs the same function in the order's turn. */
import { ProviderRefused, ProviderSilent } from '#server/adapters/provider.ts';
import type { Session, SessionParams } from '#server/adapters/stripe.ts';
import { noteWebhook } from '#db/audit.ts';
import { isUniqueViolation, type Trx } from '#db/dialect.ts';
import { findEvent, nextFeedSeq } from '#db/events.ts';
import { findOrder, findOrderBySession, linesOf, listOpenOrders, moveOrder, noteOrder, reclaimLines, releaseLines } from '#db/orders.ts';
import { addTask } from '#db/outbox.ts';
import type { OrderRow, TicketRow } from '#db/rows.ts';
import { issueRevision } from '#db/seats.ts';
import { insertTickets } from '#db/tickets.ts';
import { judgeSession, openStates } from '#server/domain/order.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { searchTextOf } from '#server/domain/search.ts';
import { note } from './audit.ts';
import type { Actor, Ctx } from './context.ts';
import { holdsItsSeats, releaseSeats, seatRequestsOf } from './seats.ts';
import { silent } from './silent.ts';
import { inTurn } from './turns.ts';

/** When Stripe or the seat map cannot be asked, or somebody else works on the order, the worker comes back after this. */
const againMs = 30_000;
/** A completed session that is not paid is a slow method: nobody waits for it at the till. */
const slowMethodMs = 15 * 60_000;
/** Orders younger than this are left to the webhook and the return page. */
const youngMs = 60_000;

/** Opens the checkout with the stored key and parameters: after a crash the same session comes back if it exists already. */
export async function openCheckout(ctx: Ctx, order: OrderRow): Promise<void> {
  try {
    const session = await ctx.payments.open(paramsOf(order), order.idempotency_key);
    ctx.fault('session_opened');
    await adoptSession(ctx, order, session);
  } catch (error) {
    if (error instanceof ProviderSilent) throw new Refusal('provider_silent', { order_id: order.id });
    if (!(error instanceof ProviderRefused)) throw error;
    ctx.log.error({ err: error, order_id: order.id }, 'Stripe refused to open the checkout');
    await endOrder(ctx, order, { reason: 'checkout_refused' });
    throw new Refusal('checkout_refused');
  }
}

function paramsOf(order: OrderRow): SessionParams {
  return JSON.parse(order.stripe_params!) as SessionParams;
}

async function adoptSession(ctx: Ctx, order: OrderRow, session: Session): Promise<void> {
  await ctx.db.transaction(async (trx) => {
    await moveOrder(trx, order.id, ['booking'], 'awaiting_payment', { session_id: session.id, session_status: session.status, checkout_url: session.url });
    await note(ctx, trx, { actor: 'system', action: 'checkout_opened', subject: order.id, detail: { session_id: session.id } });
  });
}

/** Seats first, then the row: a crash between the two is repeated, and finds nothing left to give back. */
export async function endOrder(ctx: Ctx, order: OrderRow, { reason, session }: { reason: string; session?: Session }): Promise<void> {
  await releaseSeats(ctx, order).catch(silent);
  ctx.fault('seats_released');
  await ctx.db.transaction(async (trx) => {
    const changes = { deleted_at: ctx.now(), checkout_url: null, ...(session ? { session_status: session.status } : {}) };
    if (!(await moveOrder(trx, order.id, [order.state], 'deleted', changes))) return;
    await releaseLines(trx, order.id, ctx.now());
    await note(ctx, trx, { actor: 'system', action: 'order_deleted', subject: order.id, detail: { reason } });
  });
}

export interface Confirmation { session: Session | null; actor: Actor }

/** State, tickets and the door's news in one transaction. */
export async function confirmOrder(ctx: Ctx, order: OrderRow, { session, actor }: Confirmation): Promise<void> {
  await ctx.db.transaction(async (trx) => {
    if (await moveOrder(trx, order.id, openStates, 'confirmed', confirmedBy(ctx, order, session))) await issueTickets(ctx, trx, order, actor);
  });
  ctx.fault('confirmed');
}

function confirmedBy(ctx: Ctx, order: OrderRow, session: Session | null): Partial<OrderRow> {
  const paid = session && {
    session_status: session.status, payment_intent: session.payment_intent, receipt_number: session.receipt_number,
    buyer_name: session.buyer_name?.slice(0, 200) ?? null, buyer_email: session.buyer_email?.slice(0, 254) ?? null, buyer_phone: session.buyer_phone?.slice(0, 40) ?? null,
    search_text: searchTextOf(order.number, session.buyer_name, session.buyer_email),
  };
  return { confirmed_at: ctx.now(), deleted_at: null, checkout_url: null, ...paid };
}

/** One ticket per line, each with the next revision of its place. */
async function issueTickets(ctx: Ctx, trx: Trx, order: OrderRow, actor: Actor): Promise<void> {
  const feed_seq = await nextFeedSeq(trx, order.event_id);
  const tickets: TicketRow[] = [];
  for (const line of await linesOf(trx, order.id)) {
    tickets.push({
      id: ctx.newId(), order_id: order.id, event_id: order.event_id, place: line.place, revision: await issueRevision(trx, order.event_id, line.place, feed_seq),
      state: 'valid', ticket_type: line.ticket_type, type_label: line.type_label, price_cents: line.price_cents, holder: null, issued_at: ctx.now(),
    });
  }
  await insertTickets(trx, tickets);
  await note(ctx, trx, { actor, action: 'order_confirmed', subject: order.id, detail: { tickets: tickets.length } });
}

/**
 * Looks at an order's session and does what it says. Idempotent by order id; returns when to look again, or null when it has ended.
 * Stripe first, seats second: a session is expired before its seats are given back.
 */
export async function settleOrder(ctx: Ctx, order_id: string): Promise<number | null> {
  // The answer of run() may be null, too: it is wrapped, so that a turn that never came is told apart.
  const turn = await inTurn(ctx, order_id, { patienceMs: 0, run: async () => ({ again: await settleInTurn(ctx, order_id) }) });
  if (turn !== null) return turn.again;
  return (await findOrder(ctx.db, order_id)) ? ctx.now() + againMs : null;
}

async function settleInTurn(ctx: Ctx, order_id: string): Promise<number | null> {
  const order = (await findOrder(ctx.db, order_id))!;
  try {
    if (order.state === 'booking') return await settleBooking(ctx, order);
    if (order.session_id === null) return null;
    if (order.state === 'confirmed') return await fillReceipt(ctx, order);
    const session = await ctx.payments.read(order.session_id);
    return order.state === 'deleted' ? await settleLate(ctx, order, session) : await settlePayment(ctx, order, session);
  } catch (error) {
    if (error instanceof ProviderRefused) {
      // Another key, a lost account: no repetition helps, a person must look.
      ctx.log.error({ err: error, order_id }, 'a provider does not know what the order says');
      await noteOrder(ctx.db, order_id, { needs_attention: 'provider_refused' });
      return ctx.now() + slowMethodMs;
    }
    if (!(error instanceof ProviderSilent) && !(error instanceof Refusal)) throw error;
    ctx.log.warn({ err: error, order_id }, 'order not settled yet');
    return ctx.now() + againMs;
  }
}

/** Stripe gives the receipt number when it has written to the buyer: after the payment, if at all. */
async function fillReceipt(ctx: Ctx, order: OrderRow): Promise<null> {
  if (order.receipt_number !== null) return null;
  const { receipt_number } = await ctx.payments.read(order.session_id!);
  if (receipt_number !== null) await noteOrder(ctx.db, order.id, { receipt_number });
  return null;
}

/** A booking that was left half done: until `pay_by` the same visitor may still repeat his call, after it the order ends. */
async function settleBooking(ctx: Ctx, order: OrderRow): Promise<number | null> {
  if (ctx.now() < order.pay_by) return order.pay_by;
  // A session may exist whose answer never reached us: the stored key brings it back, so that it can be closed.
  if (order.total_cents > 0 && await holdsItsSeats(ctx, order)) {
    const session = await ctx.payments.open(paramsOf(order), order.idempotency_key).catch((error: unknown) => {
      if (error instanceof ProviderRefused) return null;
      throw error;
    });
    if (session) {
      await adoptSession(ctx, order, session);
      return settleInTurn(ctx, order.id);
    }
  }
  await endOrder(ctx, order, { reason: 'never_finished' });
  return null;
}

async function settlePayment(ctx: Ctx, order: OrderRow, session: Session): Promise<number | null> {
  switch (judgeSession(session, order.total_cents)) {
    case 'confirm':
      await confirmOrder(ctx, order, { session, actor: 'stripe' });
      return null;
    case 'release':
      await endOrder(ctx, order, { reason: session.status === 'expired' ? 'session_expired' : 'payment_failed', session });
      return null;
    case 'amount_differs':
      await noteOrder(ctx.db, order.id, { needs_attention: 'amount_differs', session_status: session.status });
      return null;
    case 'wait':
      if (session.status !== order.session_status) await noteOrder(ctx.db, order.id, { session_status: session.status });
      if (session.status === 'complete') return ctx.now() + slowMethodMs;
      if (ctx.now() < order.pay_by) return order.pay_by;
      return settlePayment(ctx, order, await closedSession(ctx, session.id));
  }
}

/** `expire` answers with an open session only if Stripe would not close it: then it is asked again later. */
async function closedSession(ctx: Ctx, session_id: string): Promise<Session> {
  const session = await ctx.payments.expire(session_id);
  if (session.status === 'open') throw new ProviderSilent('Stripe', 'the session would not close', null);
  return session;
}

/** Paid after the end: the seats again if they are all still free, else the money back; what cannot be done is put before the office's eyes (decisions §3). */
async function settleLate(ctx: Ctx, order: OrderRow, session: Session): Promise<null> {
  if (order.needs_attention !== null || !session.paid || session.status !== 'complete') return null;
  if (judgeSession(session, order.total_cents) === 'amount_differs') {
    await noteOrder(ctx.db, order.id, { needs_attention: 'amount_differs', payment_intent: session.payment_intent, session_status: session.status });
    return null;
  }
  if (await takeBack(ctx, order, session)) return null;
  const refunded = session.payment_intent === null || await ctx.payments.refund(session.payment_intent, `order:${order.id}:latepay`).then(() => true, (error: unknown) => {
    if (!(error instanceof ProviderRefused)) throw error;
    ctx.log.error({ err: error, order_id: order.id }, 'Stripe refused a refund');
    return false;
  });
  await noteOrder(ctx.db, order.id, { needs_attention: refunded ? 'paid_after_end_refunded' : 'refund_failed', payment_intent: session.payment_intent, session_status: session.status });
  await note(ctx, ctx.db, { actor: 'system', action: refunded ? 'late_payment_refunded' : 'late_payment_not_refunded', subject: order.id });
  return null;
}

async function takeBack(ctx: Ctx, order: OrderRow, session: Session): Promise<boolean> {
  const { seatsio_event_key } = (await findEvent(ctx.db, order.event_id))!;
  const requests = await seatRequestsOf(ctx, order.id);
  const objects = await ctx.seats.read(seatsio_event_key, requests.map((request) => request.label));
  // Without a token the vendor would also take a seat that somebody else holds just now.
  if (requests.some((request) => request.quantity === null && objects.get(request.label)?.status !== 'free' && objects.get(request.label)?.order_id !== order.id)) return false;
  try {
    if (!(await holdsItsSeats(ctx, order))) await ctx.seats.book(seatsio_event_key, requests, { orderId: order.id, holdToken: null });
    await ctx.db.transaction(async (trx) => {
      if (!(await moveOrder(trx, order.id, ['deleted'], 'confirmed', confirmedBy(ctx, order, session)))) return;
      await reclaimLines(trx, order.id);
      await issueTickets(ctx, trx, order, 'stripe');
    });
    return true;
  } catch (error) {
    if (error instanceof ProviderRefused) return false;
    if (!isUniqueViolation(error)) throw error;
    await releaseSeats(ctx, order);
    return false;
  }
}

/** The visitor gives his seats back; on a paid order nothing changes and the status says so. May be repeated. */
export async function cancelOrder(ctx: Ctx, order_id: string): Promise<void> {
  if (!(await findOrder(ctx.db, order_id))) throw new Refusal('order_not_found');
  const turn = await inTurn(ctx, order_id, { patienceMs: 20_000, run: async () => { await cancelInTurn(ctx, order_id); return true; } });
  if (turn === null) throw new Refusal('try_again');
}

async function cancelInTurn(ctx: Ctx, order_id: string): Promise<void> {
  const order = (await findOrder(ctx.db, order_id))!;
  if (!openStates.includes(order.state)) return;
  await note(ctx, ctx.db, { actor: 'visitor', action: 'cancel_asked', subject: order.id });
  if (order.state === 'booking') return endOrder(ctx, order, { reason: 'cancelled_by_visitor' });
  await settlePayment(ctx, order, await closedSession(ctx, order.session_id!).catch(silent)).catch(silent);
}

/** A Stripe event is only a hint: it is remembered once and its order looked at; the payload decides nothing. */
export async function takeWebhook(ctx: Ctx, body: Buffer, signature: string): Promise<void> {
  const hint = await ctx.payments.verify(body, signature).catch(() => { throw new Refusal('webhook_signature'); });
  if (hint.livemode !== ctx.payments.live) throw new Refusal('webhook_signature', { reason: 'livemode' });
  const order = (hint.order_id === null ? undefined : await findOrder(ctx.db, hint.order_id)) ?? (hint.session_id === null ? undefined : await findOrderBySession(ctx.db, hint.session_id));
  await ctx.db.transaction(async (trx) => {
    if (!(await noteWebhook(trx, { id: hint.id, type: hint.type, received_at: ctx.now() }))) return;
    if (order) await addTask(trx, { id: ctx.newId(), task: 'settle_order', subject: order.id, run_at: ctx.now() });
  }).catch((error: unknown) => {
    // The same event twice at once: the other delivery has stored it.
    if (!isUniqueViolation(error)) throw error;
  });
  ctx.wake();
}

/** Webhooks get lost: every open order that is older than a minute is looked at, too. One that cannot be settled does not keep the others waiting. */
export async function reconcile(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const created_before = ctx.now() - youngMs;
  for (let after: { created_at: number; id: string } | null = null; ;) {
    const orders: { created_at: number; id: string }[] = await listOpenOrders(ctx.db, { created_before, after, limit: 100 });
    for (const order of orders) {
      if (stopping.aborted) return;
      await settleOrder(ctx, order.id).catch((error: unknown) => ctx.log.error({ err: error, order_id: order.id }, 'order not reconciled'));
    }
    after = orders.at(-1) ?? null;
    if (orders.length < 100) return;
  }
}
