/**
 * Stripe’s webhooks. An event is recorded once, and its object is read again at Stripe; we never
 * trust the payload.
 */
import { noteWebhook } from '#db/audit/audit.ts';
import { isUniqueViolation, type Trx } from '#db/engine/dialect.ts';
import type { OrderRow, WebhookEventRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import type { WebhookHint } from '#server/adapters/stripe.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { measureWebhook } from '#server/services/kit/measures.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { orderOfNews, orderOfSession } from './opened-here.ts';

/**
 * Verifies and stores a webhook. Any other failure answers a 5xx, so that Stripe sends it again.
 * @throws Refusal webhook_signature for a wrong or old signature, or an event of the other mode
 * (test or live)
 */
export async function takeWebhook(ctx: Ctx, body: Buffer, signature: string): Promise<void> {
  const hint = await ctx.payments.verify(body, signature).catch((error: unknown) => {
    measureWebhook(ctx, 'refused', null);
    throw new Refusal('webhook_signature', undefined, error);
  });
  if (hint.livemode !== ctx.payments.live)
    throw new Refusal('webhook_signature', { reason: 'livemode' });
  await takeHint(ctx, hint);
  ctx.fault('webhook_stored');
  measureWebhook(
    ctx,
    'taken',
    hint.created_at === undefined ? null : Math.max(0, ctx.now() - hint.created_at) / 1000,
  );
}

/**
 * Stores the event and its task in one transaction, before Stripe gets its answer. Also called
 * for events that we fetched because they were never sent to us. An event of another shop on the
 * account only shows that events arrive.
 */
export async function takeHint(ctx: Ctx, hint: WebhookHint): Promise<void> {
  const order = await orderOfHint(ctx, hint);
  const outcome = outcomeOf(hint, order?.id);
  const subjects = { order: order?.id, payment: hint.payment_intent, payout: hint.payout_id };
  const store = async (trx: Trx) => {
    const { id, type } = hint;
    const event = { id, type, received_at: ctx.now(), outcome, order_id: order?.id ?? null };
    if (!(await noteWebhook(trx, event))) return;
    if (outcome === 'nothing') return;
    const subject = requireValue(subjects[outcome], outcome);
    await queueTask(ctx, trx, { task: tasks[outcome], subject });
  };
  await transact(ctx.db, store, { repeatable: true }).catch((error: unknown) => {
    // The same event came twice at the same moment, and the other call has stored it.
    if (!isUniqueViolation(error)) throw error;
  });
}

async function orderOfHint({ db }: Ctx, hint: WebhookHint): Promise<OrderRow | undefined> {
  const { session_id, order_id } = hint;
  return session_id === null
    ? orderOfNews(db, hint)
    : orderOfSession(db, { id: session_id, order_id });
}

/** The task that reads the event's object again at Stripe. */
const tasks = { order: 'settle_order', payment: 'read_payment', payout: 'read_payout' } as const;

function outcomeOf(
  { type, payment_intent, payout_id = null }: WebhookHint,
  order_id: string | undefined,
): WebhookEventRow['outcome'] {
  if (payout_id !== null && type.startsWith('payout.')) return 'payout';
  if (order_id === undefined) return 'nothing';
  if (type.startsWith('checkout.session.')) return 'order';
  const isAboutMoney = /^(?:charge|refund)\.|^payment_intent\.payment_failed$/.test(type);
  return payment_intent !== null && isAboutMoney ? 'payment' : 'nothing';
}
