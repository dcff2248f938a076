/**
 * Finds our order of a session or payment at Stripe. Our own record decides; our mark alone counts
 * only for an order that asked for a session and has none on record, because a mark can be copied
 * (RULES O18).
 */
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { StripePayment } from '#server/adapters/stripe-money.ts';
import type { Session, WebhookHint } from '#server/adapters/stripe.ts';
import type { Db } from '#db/engine/dialect.ts';
import { findOrder, findOrderBySession, sessionsOf } from '#db/order/orders.ts';
import { findOrderOfIntent } from '#db/payment/payments.ts';
import { dueOf } from '#server/domain/order/exchange.ts';
import type { OrderRow } from '#db/rows.ts';
import type { Ctx } from '#server/services/context.ts';

export async function orderOfSession(
  db: Db,
  { id, order_id }: Pick<Session, 'id' | 'order_id'>,
): Promise<OrderRow | undefined> {
  if (order_id === null) return findOrderBySession(db, id);
  const sessions = await sessionsOf(db, order_id);
  if (sessions.length === 0) return findAsking(db, order_id);
  return sessions.some((session) => session.id === id)
    ? findOrder(db, order_id)
    : findOrderBySession(db, id);
}

/** The order, if it asked Stripe for a session; Stripe's answer may have been lost. */
async function findAsking(db: Db, order_id: string): Promise<OrderRow | undefined> {
  const order = await findOrder(db, order_id);
  return order && order.stripe_params !== null && dueOf(order) > 0 ? order : undefined;
}

/** @throws ProviderUnavailable */
export async function orderOfPayment(
  ctx: Ctx,
  payment: Pick<StripePayment, 'payment_intent' | 'order_id'>,
): Promise<OrderRow | undefined> {
  return findPaid(ctx.db, payment, (session_id) => intentAtStripe(ctx, session_id));
}

/** Asks nothing at Stripe: news of a payment may be of a session whose payment we do not know. */
export async function orderOfNews(db: Db, news: News): Promise<OrderRow | undefined> {
  return findPaid(db, news, async () => news.payment_intent);
}

type News = Pick<WebhookHint, 'payment_intent' | 'order_id'>;

async function findPaid(
  db: Db,
  { payment_intent, order_id }: News,
  intentOf: (session_id: string) => Promise<string | null>,
): Promise<OrderRow | undefined> {
  const recorded =
    payment_intent === null ? undefined : await findOrderOfIntent(db, payment_intent);
  if (recorded !== undefined || order_id === null) return recorded;
  const sessions = await sessionsOf(db, order_id);
  if (sessions.length === 0) return findAsking(db, order_id);
  for (const session of sessions)
    if (payment_intent === (session.payment_intent ?? (await intentOf(session.id))))
      return findOrder(db, order_id);
  return undefined;
}

/** The payment of a session that was not paid when we read it last. */
async function intentAtStripe(ctx: Ctx, session_id: string): Promise<string | null> {
  try {
    return (await ctx.payments.read(session_id)).payment_intent;
  } catch (error) {
    if (error instanceof ProviderRefused) return null;
    throw error;
  }
}
