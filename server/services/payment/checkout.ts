/**
 * An order's Checkout Session at Stripe: opened once, replaced only when the earlier session
 * cannot be used, and closed before money or seats are given back.
 */
import { dueOf } from '#server/domain/order/exchange.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { burntKey } from '#server/adapters/stripe-call.ts';
import type { Session, StoredParams } from '#server/adapters/stripe.ts';
import { adoptCheckout, insertSession, noteOrder, noteSession } from '#db/order/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';
import type { LeasedCtx } from './order-lease.ts';

/**
 * Stripe ends a session by itself after this time, in case we do not close it at `pay_by`.
 * Stripe's minimum is 30 minutes, and a request for exactly that fails (RULES O4).
 */
const sessionMs = 35 * 60_000;
/**
 * The same if Stripe refuses that twice: our clock may be wrong by hours. Stripe's maximum is 24
 * hours.
 */
const longSessionMs = 12 * 3_600_000;
/** After this many sessions for one order we treat Stripe as unavailable. */
const mostAttempts = 3;

export function sessionKeyOf(order_id: string, attempt: number): string {
  return `order:${order_id}:cs:${attempt}`;
}

export function newSessionParams(
  ctx: Ctx,
  about: Omit<StoredParams, 'public_url' | 'expires_at'>,
): StoredParams {
  return { ...about, public_url: ctx.publicUrl, expires_at: ctx.now() + sessionMs };
}

/**
 * Opens the session of a booking with the stored key and parameters, so that a repeated call gets
 * the session that exists already.
 * @throws ProviderUnavailable when the outcome is unknown; the call may be repeated
 * @throws ProviderRefused
 */
export async function openSession(ctx: LeasedCtx, order: OrderRow): Promise<Session> {
  for (let current = order; ;) {
    try {
      return await askSession(ctx, current);
    } catch (error) {
      if (!(error instanceof ProviderRefused) || !isDead(error)) throw error;
      if (current.attempt >= mostAttempts)
        throw new ProviderUnavailable('Stripe', 'no session after several tries', error);
      const isClockWrong = current.attempt > 1 && isAboutEnd(error);
      current = await nextAttempt(ctx, current, isClockWrong ? longSessionMs : sessionMs);
    }
  }
}

/**
 * Finds the session of the present attempt for an order that ends. Null after any refusal: then
 * no buyer has a session's address.
 */
export async function findSession(ctx: LeasedCtx, order: OrderRow): Promise<Session | null> {
  return askSession(ctx, order).catch((error: unknown) => {
    if (error instanceof ProviderRefused) return null;
    throw error;
  });
}

function paramsOf({ stripe_params }: OrderRow): StoredParams {
  return JSON.parse(requireValue(stripe_params, 'session')) as StoredParams;
}

function askSession(ctx: LeasedCtx, order: OrderRow): Promise<Session> {
  const { link_key, idempotency_key } = order;
  return ctx.payments.open({ ...paramsOf(order), link_key }, idempotency_key);
}

/**
 * True if this key can never open a session. Stripe repeats its own failure for a burnt key, and
 * it answers about `expires_at` only if it has made no session.
 */
function isDead(error: ProviderRefused): boolean {
  return error.vendorCode === burntKey || isAboutEnd(error);
}

function isAboutEnd({ data }: ProviderRefused): boolean {
  return (data as { param?: unknown } | undefined)?.param === 'expires_at';
}

/** Stores the next attempt, with a session of this length, before its key is used. */
async function nextAttempt(ctx: LeasedCtx, order: OrderRow, ms: number): Promise<OrderRow> {
  const attempt = order.attempt + 1;
  const params: StoredParams = { ...paramsOf(order), expires_at: ctx.now() + ms };
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
 * True: the order now waits for its payment. False: the order has changed meanwhile, and the
 * session is closed; no buyer has its address.
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
 * Closes and stores a session whose sum is not the agreed one (a price edited at Stripe, a tax
 * rule), so that no buyer sees it.
 * @throws ProviderRefused for such a session
 */
export async function requireAgreed(
  ctx: LeasedCtx,
  order: OrderRow,
  session: Session,
): Promise<void> {
  const due_cents = dueOf(order);
  if (session.amount_total === due_cents && session.currency === 'eur') return;
  const row = sessionRowOf(ctx, order, await closeSession(ctx, session.id));
  await transact(ctx.db, (trx) => insertSession(trx, row));
  throw new ProviderRefused(
    'Stripe',
    'amount_differs',
    `the session asks for ${session.amount_total} ${session.currency}, agreed were ${due_cents} eur`,
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
 * Closes the session and returns it as Stripe then has it: expired, or complete when the buyer
 * was faster. Only after this answer may seats be freed.
 * @throws ProviderUnavailable
 */
export async function closeSession(ctx: Ctx, session_id: string): Promise<Session> {
  const session = await ctx.payments.expire(session_id);
  ctx.fault('session_closed');
  // Stripe would not close the session now; we try again later.
  if (session.status === 'open')
    throw new ProviderUnavailable('Stripe', 'the session would not close', null);
  await noteSession(ctx.db, session, sessionFacts(ctx, session));
  return session;
}

/** The columns that we store of a session that was just read. */
export function sessionFacts(ctx: Ctx, session: Session) {
  return {
    ...readingOf(session),
    ...(session.paid && session.status === 'complete' ? { paid_at: ctx.now() } : {}),
  };
}

function readingOf({ status, payment_status, amount_total, payment_intent }: Session) {
  return { status, payment_status, amount_total, payment_intent };
}
