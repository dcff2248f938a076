/** The end of an order: what Stripe says about its session decides, and every caller (webhook, return page, worker, cancel) runs the same function. */
import { ProviderRefused, ProviderSilent } from '#server/adapters/provider.ts';
import type { SeatRequest } from '#server/adapters/seatsio.ts';
import type { Session, SessionParams } from '#server/adapters/stripe.ts';
import { noteWebhook } from '#db/audit.ts';
import { isUniqueViolation, type Trx } from '#db/dialect.ts';
import { findEvent, nextFeedSeq } from '#db/events.ts';
import { findOrder, findOrderBySession, linesOf, listStuckOrders, moveOrder, noteOrder, reclaimLines, releaseLines } from '#db/orders.ts';
import { addTask } from '#db/outbox.ts';
import type { EventRow, OrderRow, TicketRow } from '#db/rows.ts';
import { issueRevision } from '#db/seats.ts';
import { insertTickets } from '#db/tickets.ts';
import { judgeSession } from '#server/domain/order.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { foldText } from '#server/domain/search.ts';
import { note } from './audit.ts';
import type { Actor, Ctx } from './context.ts';
import { silent } from './events.ts';

/** When Stripe or the seat map cannot be asked, the worker comes back after this. */
const againMs = 30_000;
/** A completed session that is not paid is a slow method: nobody waits for it at the till. */
const slowMethodMs = 15 * 60_000;
/** A booking in flight is left alone for so long. */
const inFlightMs = 60_000;

/** What the seat map is asked for: seats one by one, a standing area with the number of its places. */
export async function seatRequestsOf(ctx: Ctx, order_id: string): Promise<SeatRequest[]> {
  const requests = new Map<string, SeatRequest>();
  for (const line of await linesOf(ctx.db, order_id)) {
    const isArea = line.place !== line.object_label;
    const known = requests.get(`${line.object_label}\n${line.ticket_type}`);
    if (known) known.quantity = (known.quantity ?? 0) + 1;
    else requests.set(`${line.object_label}\n${line.ticket_type}`, { label: line.object_label, quantity: isArea ? 1 : null, ticket_type: line.ticket_type });
  }
  return [...requests.values()];
}

/** Reads at the seat map whether every seat is booked for this order. A standing area does not tell whose its places are: there our own note counts. */
export async function holdsItsSeats(ctx: Ctx, event: EventRow, order: OrderRow): Promise<boolean> {
  const requests = await seatRequestsOf(ctx, order.id);
  const seats = requests.filter((request) => request.quantity === null).map((request) => request.label);
  if (requests.length > seats.length && order.seats_booked_at === null) return false;
  const objects = seats.length === 0 ? new Map() : await ctx.seats.read(event.seatsio_event_key, seats);
  return seats.every((label) => objects.get(label)?.order_id === order.id && objects.get(label)?.status === 'booked');
}

/** Gives back what is booked for this order, and nothing else. */
async function releaseSeats(ctx: Ctx, event: EventRow, order: OrderRow): Promise<void> {
  const requests = await seatRequestsOf(ctx, order.id);
  const seats = requests.filter((request) => request.quantity === null);
  const objects = seats.length === 0 ? new Map() : await ctx.seats.read(event.seatsio_event_key, seats.map((request) => request.label));
  const ours = requests.filter((request) => (request.quantity === null ? objects.get(request.label)?.order_id === order.id && objects.get(request.label)?.status === 'booked' : order.seats_booked_at !== null));
  if (ours.length > 0) await ctx.seats.release(event.seatsio_event_key, ours, order.id);
  if (order.seats_booked_at !== null) await noteOrder(ctx.db, order.id, { seats_booked_at: null });
}

/** Opens the checkout with the stored key and parameters: after a crash the same session comes back if it exists already. */
export async function openCheckout(ctx: Ctx, order: OrderRow): Promise<void> {
  try {
    const session = await ctx.payments.open(JSON.parse(order.stripe_params!) as SessionParams, order.idempotency_key);
    ctx.fault('session_opened');
    const moved = await moveOrder(ctx.db, order.id, ['booking'], 'awaiting_payment', { session_id: session.id, session_status: session.status, checkout_url: session.url });
    if (moved) await note(ctx, ctx.db, { actor: 'system', action: 'checkout_opened', subject: order.id, detail: { session_id: session.id } });
  } catch (error) {
    if (error instanceof ProviderSilent) throw new Refusal('provider_silent', { order_id: order.id });
    if (!(error instanceof ProviderRefused)) throw error;
    ctx.log.error({ err: error, order_id: order.id }, 'Stripe refused to open the checkout');
    await abandonOrder(ctx, order, 'checkout_refused');
    throw new Refusal('checkout_refused');
  }
}

/** An order that never got a session: its seats go back, then it ends. */
export async function abandonOrder(ctx: Ctx, order: OrderRow, reason: string): Promise<void> {
  const event = (await findEvent(ctx.db, order.event_id))!;
  await releaseSeats(ctx, event, order).catch(silent);
  await deleteOrder(ctx, order, reason);
}

async function deleteOrder(ctx: Ctx, order: OrderRow, reason: string, session: Session | null = null): Promise<void> {
  await ctx.db.transaction(async (trx) => {
    const changes = { deleted_at: ctx.now(), checkout_url: null, ...(session ? { session_status: session.status } : {}) };
    if (!(await moveOrder(trx, order.id, ['booking', 'awaiting_payment'], 'deleted', changes))) return;
    await releaseLines(trx, order.id, ctx.now());
    await note(ctx, trx, { actor: 'system', action: 'order_deleted', subject: order.id, detail: { reason } });
  });
}

export interface Confirmation { session: Session | null; actor: Actor }

/** State, tickets and the door's news in one transaction; of several callers one wins, the others find it done. */
export async function confirmOrder(ctx: Ctx, order: OrderRow, { session, actor }: Confirmation): Promise<void> {
  await ctx.db.transaction(async (trx) => {
    if (await moveOrder(trx, order.id, ['booking', 'awaiting_payment'], 'confirmed', confirmedBy(ctx, order, session))) await issueTickets(ctx, trx, order, actor);
  });
  ctx.fault('confirmed');
}

function confirmedBy(ctx: Ctx, order: OrderRow, session: Session | null): Partial<OrderRow> {
  const paid = session && {
    session_status: session.status, payment_intent: session.payment_intent, receipt_number: session.receipt_number,
    buyer_name: session.buyer_name?.slice(0, 200) ?? null, buyer_email: session.buyer_email?.slice(0, 254) ?? null, buyer_phone: session.buyer_phone?.slice(0, 40) ?? null,
    search_text: foldText([order.number, session.buyer_name, session.buyer_email].filter((part) => part !== null).join(' ')),
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
  const order = await findOrder(ctx.db, order_id);
  if (!order) return null;
  try {
    if (order.state === 'confirmed') return await fillReceipt(ctx, order);
    if (order.state === 'booking') return await settleBooking(ctx, order);
    if (order.session_id === null) return null;
    const session = await ctx.payments.read(order.session_id);
    return order.state === 'deleted' ? await settleLate(ctx, order, session) : await settlePayment(ctx, order, session);
  } catch (error) {
    if (!(error instanceof ProviderSilent) && !(error instanceof Refusal)) throw error;
    ctx.log.warn({ err: error, order_id }, 'order not settled yet');
    return ctx.now() + againMs;
  }
}

/** Stripe gives the receipt number when it has written to the buyer: after the payment, if at all. */
async function fillReceipt(ctx: Ctx, order: OrderRow): Promise<null> {
  if (order.session_id === null || order.receipt_number !== null) return null;
  const { receipt_number } = await ctx.payments.read(order.session_id);
  if (receipt_number !== null) await noteOrder(ctx.db, order.id, { receipt_number });
  return null;
}

/** A booking that was left half done: until `pay_by` the same visitor may still repeat his call, after it the order ends. */
async function settleBooking(ctx: Ctx, order: OrderRow): Promise<number | null> {
  if (ctx.now() < order.pay_by) return ctx.now() < order.created_at + inFlightMs ? order.created_at + inFlightMs : order.pay_by;
  // A session may exist whose answer never reached us: the stored key brings it back, so that it can be closed.
  if (order.total_cents > 0 && await holdsItsSeats(ctx, (await findEvent(ctx.db, order.event_id))!, order)) {
    const session = await ctx.payments.open(JSON.parse(order.stripe_params!) as SessionParams, order.idempotency_key).catch((error: unknown) => {
      if (error instanceof ProviderRefused) return null;
      throw error;
    });
    if (session) {
      await moveOrder(ctx.db, order.id, ['booking'], 'awaiting_payment', { session_id: session.id, session_status: session.status, checkout_url: session.url });
      return settleOrder(ctx, order.id);
    }
  }
  await abandonOrder(ctx, order, 'never_finished');
  return null;
}

async function settlePayment(ctx: Ctx, order: OrderRow, session: Session): Promise<number | null> {
  switch (judgeSession(session, order.total_cents)) {
    case 'confirm':
      await confirmOrder(ctx, order, { session, actor: 'stripe' });
      return null;
    case 'release':
      await releaseSeats(ctx, (await findEvent(ctx.db, order.event_id))!, order);
      await deleteOrder(ctx, order, 'session_expired', session);
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

/** Paid after the end: the seats again if they are all still free, else the money back (decisions §3). */
async function settleLate(ctx: Ctx, order: OrderRow, session: Session): Promise<null> {
  if (judgeSession(session, order.total_cents) !== 'confirm' || order.needs_attention !== null) return null;
  if (await takeBack(ctx, order, session)) return null;
  if (session.payment_intent !== null) await ctx.payments.refund(session.payment_intent, `order:${order.id}:latepay`);
  await noteOrder(ctx.db, order.id, { needs_attention: 'paid_after_end_refunded', payment_intent: session.payment_intent, session_status: session.status });
  await note(ctx, ctx.db, { actor: 'system', action: 'late_payment_refunded', subject: order.id });
  return null;
}

async function takeBack(ctx: Ctx, order: OrderRow, session: Session): Promise<boolean> {
  const event = (await findEvent(ctx.db, order.event_id))!;
  const requests = await seatRequestsOf(ctx, order.id);
  const objects = await ctx.seats.read(event.seatsio_event_key, requests.map((request) => request.label));
  // Without a token the vendor would also take a seat that somebody else holds just now.
  if (requests.some((request) => request.quantity === null && objects.get(request.label)?.status !== 'free' && objects.get(request.label)?.order_id !== order.id)) return false;
  try {
    if (!(await holdsItsSeats(ctx, event, order))) await ctx.seats.book(event.seatsio_event_key, requests, { orderId: order.id, holdToken: null });
    await ctx.db.transaction(async (trx) => {
      if (!(await moveOrder(trx, order.id, ['deleted'], 'confirmed', { ...confirmedBy(ctx, order, session), seats_booked_at: ctx.now() }))) return;
      await reclaimLines(trx, order.id);
      await issueTickets(ctx, trx, order, 'stripe');
    });
    return true;
  } catch (error) {
    if (error instanceof ProviderRefused) return false;
    if (!isUniqueViolation(error)) throw error;
    await releaseSeats(ctx, event, order);
    return false;
  }
}

/** The visitor gives his seats back; on a paid order nothing changes and the status says so. May be repeated. */
export async function cancelOrder(ctx: Ctx, order_id: string): Promise<void> {
  const order = await findOrder(ctx.db, order_id);
  if (!order) throw new Refusal('order_not_found');
  if (order.state === 'booking') await abandonOrder(ctx, order, 'cancelled_by_visitor');
  if (order.state === 'awaiting_payment') {
    await note(ctx, ctx.db, { actor: 'visitor', action: 'cancel_asked', subject: order.id });
    await settlePayment(ctx, order, await closedSession(ctx, order.session_id!).catch(silent)).catch(silent);
  }
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

/** Webhooks get lost: every open order that is older than a minute is looked at, too. */
export async function reconcile(ctx: Ctx): Promise<void> {
  for (const order of await listStuckOrders(ctx.db, ctx.now() - inFlightMs, 100)) await settleOrder(ctx, order.id);
}
