/**
 * An order's Checkout Session at Stripe: opened once, replaced only when the earlier one is known
 * to be dead, closed before money or seats are given back.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { burntKey } from '#server/adapters/stripe-call.ts';
import type { Session, SessionParams } from '#server/adapters/stripe.ts';
import { adoptCheckout, insertSession, noteOrder, noteSession } from '#db/order/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';
import type { LeasedCtx } from './order-lease.ts';

/**
 * Stripe's own end of a session: the safety net behind our `pay_by`; exactly 30 minutes fails at
 * the boundary (RULES O4).
 */
const sessionMs = 35 * 60_000;
/** Tries at one order's session; more than that is an outage. */
const mostAttempts = 3;

export function sessionKeyOf(order_id: string, attempt: number): string {
  return `order:${order_id}:cs:${attempt}`;
}

export function newSessionParams(
  ctx: Ctx,
  about: Omit<SessionParams, 'public_url' | 'expires_at'>,
): SessionParams {
  return { ...about, public_url: ctx.publicUrl, expires_at: ctx.now() + sessionMs };
}

/**
 * The session of a booking, with the stored key and parameters: after a crash the same one comes
 * back if it exists already. Throws ProviderUnavailable (the outcome is unknown; ask again with
 * the same key) and ProviderRefused.
 */
export async function openSession(ctx: LeasedCtx, order: OrderRow): Promise<Session> {
  for (let current = order; ;) {
    try {
      return await askSession(ctx, current);
    } catch (error) {
      if (!(error instanceof ProviderRefused) || !isDead(error)) throw error;
      if (current.attempt >= mostAttempts)
        throw new ProviderUnavailable('Stripe', 'no session after several tries', error);
      current = await nextAttempt(ctx, current);
    }
  }
}

/**
 * What the present try has come to, for an order that ends: no new one is made. Null after any
 * refusal: there is no session, or none whose address anybody has seen.
 */
export async function findSession(ctx: LeasedCtx, order: OrderRow): Promise<Session | null> {
  return askSession(ctx, order).catch((error: unknown) => {
    if (error instanceof ProviderRefused) return null;
    throw error;
  });
}

function paramsOf({ stripe_params }: OrderRow): SessionParams {
  return JSON.parse(requireValue(stripe_params, 'session')) as SessionParams;
}

function askSession(ctx: LeasedCtx, order: OrderRow): Promise<Session> {
  return ctx.payments.open(paramsOf(order), order.idempotency_key);
}

/**
 * Under a burnt key Stripe repeats its own failure for ever; parameters that have grown old were
 * never executed, or Stripe would have answered with the session.
 */
function isDead(error: ProviderRefused): boolean {
  return (
    error.vendorCode === burntKey ||
    (error.data as { param?: unknown } | undefined)?.param === 'expires_at'
  );
}

/** Stored before it is used, like the first. */
async function nextAttempt(ctx: LeasedCtx, order: OrderRow): Promise<OrderRow> {
  const attempt = order.attempt + 1;
  const params: SessionParams = {
    ...paramsOf(order),
    expires_at: ctx.now() + sessionMs,
  };
  const changes = {
    attempt,
    idempotency_key: sessionKeyOf(order.id, attempt),
    stripe_params: JSON.stringify(params),
  };
  await noteOrder(ctx.db, order.id, changes);
  ctx.fault('attempt_stored');
  return { ...order, ...changes };
}

/**
 * True: the order waits for its payment from now on. A session that came for an order which has
 * moved on meanwhile is closed, since its address was shown to no one.
 */
export async function adoptSession(
  ctx: LeasedCtx,
  order: OrderRow,
  session: Session,
  changes: Partial<OrderRow> = {},
): Promise<boolean> {
  const row = sessionRowOf(ctx, order, session);
  const adopted = await adoptCheckout(ctx.db, {
    session: row,
    changes: { session_status: session.status, checkout_url: session.url, ...changes },
  });
  ctx.fault('session_adopted');
  if (!adopted) await closeSession(ctx, session.id);
  return adopted;
}

/**
 * A session that asks for another sum than was agreed on (a price edited at Stripe, a tax rule)
 * never reaches its buyer: it is closed, and kept in the book. Throws ProviderRefused.
 */
export async function requireAgreed(
  ctx: LeasedCtx,
  order: OrderRow,
  session: Session,
): Promise<void> {
  if (session.amount_total === order.total_cents && session.currency === 'eur') return;
  const row = sessionRowOf(ctx, order, await closeSession(ctx, session.id));
  await transact(ctx.db, (trx) => insertSession(trx, row));
  throw new ProviderRefused(
    'Stripe',
    'amount_differs',
    `the session asks for ${session.amount_total} ${session.currency}, agreed were ${order.total_cents} eur`,
  );
}

function sessionRowOf(ctx: Ctx, order: OrderRow, session: Session) {
  return {
    id: session.id,
    order_id: order.id,
    attempt: order.attempt,
    ...readingOf(session),
    created_at: ctx.now(),
    expires_at: session.expires_at,
    paid_at: null,
  };
}

/**
 * Stripe's answer to our wish to end it: expired, or complete when the buyer was faster. Only
 * that word frees seats.
 */
export async function closeSession(ctx: Ctx, session_id: string): Promise<Session> {
  const session = await ctx.payments.expire(session_id);
  ctx.fault('session_closed');
  // `expire` answers with an open session only if Stripe would not close it: then it is asked
  // again later.
  if (session.status === 'open')
    throw new ProviderUnavailable('Stripe', 'the session would not close', null);
  await noteSession(ctx.db, session, sessionFacts(ctx, session));
  return session;
}

/** What is kept of a session's last reading. */
export function sessionFacts(ctx: Ctx, session: Session) {
  return {
    ...readingOf(session),
    ...(session.paid && session.status === 'complete' ? { paid_at: ctx.now() } : {}),
  };
}

function readingOf({ status, payment_status, amount_total, payment_intent }: Session) {
  return { status, payment_status, amount_total, payment_intent };
}
