/**
 * The office’s decisions about an order: that it was paid outside Stripe, or how it ends when the
 * server cannot settle it.
 */
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { lockOrder, noteOrder } from '#db/order/orders.ts';
import { sumCounted } from '#db/payment/refunds.ts';
import type { OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import {
  decisionsFor,
  judgeSession,
  type AttentionDecision,
  type ManualMethod,
} from '#server/domain/order/order.ts';
import { dueOf } from '#server/domain/order/exchange.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { happened } from '#server/services/kit/happened.ts';
import { closeSession } from '#server/services/payment/checkout.ts';
import { confirmOrder, nothingDue, type Paid } from '#server/services/payment/confirmation.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { requireOrder } from '#server/services/order/find-order.ts';
import { retakeOrder } from '#server/services/payment/late-payments.ts';
import { settleOrder } from '#server/services/payment/settle.ts';
import { isPaidBack } from '#server/services/payment/provider-record.ts';
import { requestRefund, settleTickets } from '#server/services/payment/refunds.ts';
import type { BuyerTexts } from '#server/domain/order/buyer.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { requireBuyer, writeBuyer } from './buyer.ts';
import { withLeaseOrRefuse, type LeasedCtx } from '#server/services/payment/order-lease.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';

/** `reason`: typed by the person; `expected_cents`: the sum that the person saw. */
export interface OfficeConfirmation {
  user_id: string;
  reason: string;
  method: ManualMethod;
  expected_cents: number;
  /** The person who gets the tickets. */ buyer?: BuyerTexts;
}

/**
 * Confirms an order whose money Stripe does not see (RULES O7); does nothing if it is confirmed.
 * Closes an open session first, so that the buyer cannot pay twice; if the buyer has paid there,
 * that payment confirms the order. If late or wrong money came in, the order can be confirmed
 * only when that was given back; until then it throws decision_not_possible.
 * @throws Refusal order_not_found, event_cancelled, total_changed, buyer_wrong, buyer_forgotten,
 * payment_under_way, decision_not_possible, seats_taken, provider_silent, try_again
 */
export async function confirmByOffice(
  ctx: Ctx,
  order_id: string,
  ask: OfficeConfirmation,
): Promise<void> {
  const { buyer } = ask;
  if (buyer !== undefined) requireBuyer(buyer);
  const actor: Actor = `user:${ask.user_id}`;
  await leaseKnown(ctx, order_id, async (leased, order) => {
    if (order.state === 'confirmed') return;
    if (ask.expected_cents !== order.total_cents)
      throw new Refusal('total_changed', { total_cents: order.total_cents });
    if ((await requireEventRow(leased.db, order.event_id)).status === 'cancelled')
      throw new Refusal('event_cancelled');
    if (await paidMeanwhile(leased, order)) return;
    const kept_cents = order.paid_cents - (await sumCounted(leased.db, order.id));
    if (kept_cents > 0) throw new Refusal('decision_not_possible', { kept_cents });
    const paid = paidAs(order, ask);
    if (
      !(await retakeOrder(leased, order, {
        paid,
        actor,
        // Comes before the mail is sent, because the mail takes its address from the order.
        alongside: async (trx) => {
          if (buyer !== undefined) await writeBuyer(leased, trx, order_id, { texts: buyer, actor });
        },
      }))
    )
      throw new Refusal('seats_taken');
  });
}

/** @throws Refusal decision_not_possible: what old tickets give is never a gift */
function paidAs(order: OrderRow, { method, reason: note }: OfficeConfirmation): Paid {
  const isExchange = order.exchange_credit_cents !== null;
  if (isExchange && method === 'guest') throw new Refusal('decision_not_possible');
  if (method === 'guest' || order.total_cents === 0) return { kind: 'free', note };
  const amount_cents = dueOf(order);
  return amount_cents === 0
    ? nothingDue(order)
    : { kind: 'manual', payments: [{ method, amount_cents }], note };
}

/** Closes the open session; true if the buyer has paid before that. */
async function paidMeanwhile(ctx: LeasedCtx, order: OrderRow): Promise<boolean> {
  if (order.session_id === null || order.state === 'deleted') return false;
  const session = await closeSession(ctx, order.session_id);
  const verdict = judgeSession(session, dueOf(order));
  if (verdict === 'confirm')
    await confirmOrder(ctx, order, { paid: { kind: 'stripe', session }, actor: 'stripe' });
  else if (verdict !== 'release') throw new Refusal('payment_under_way');
  return verdict === 'confirm';
}

export interface AttentionAnswer {
  user_id: string;
  decision: AttentionDecision;
  note: string;
}

/**
 * Stores a decision and carries it out.
 * @throws Refusal decision_not_possible if the order is not waiting for such a decision any more
 */
export async function settleAttention(
  ctx: Ctx,
  order_id: string,
  answer: AttentionAnswer,
): Promise<void> {
  const { decision } = answer;
  await leaseKnown(ctx, order_id, async (leased, order) => {
    requireOpen(order, decision);
    if (decision === 'accept') return acceptMoney(leased, order, answer);
    await transact(ctx.db, async (trx) => {
      const locked = await lockOrder(trx, order_id);
      requireOpen(locked, decision);
      await noteDecision(ctx, trx, locked, answer);
      if (decision === 'void' || decision === 'keep')
        return settleTickets(ctx, trx, locked, { ...answer, decision });
      await noteOrder(trx, order_id, { needs_attention: null });
      if (decision === 'refund') await sendBack(ctx, trx, locked, answer);
      if (decision !== 'acknowledge')
        await queueTask(ctx, trx, { task: 'settle_order', subject: order_id });
    });
    ctx.fault('attention_settled');
  });
  // Done now, because the person waits; if this process dies, the queued task does it.
  if (decision === 'retry' || decision === 'refund') await settleOrder(ctx, order_id);
}

function requireOpen(order: OrderRow, decision: AttentionDecision): void {
  if (!decisionsFor(order.needs_attention).includes(decision))
    throw new Refusal('decision_not_possible', { reason: order.needs_attention });
}

async function noteDecision(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  { user_id, decision, note: words }: AttentionAnswer,
): Promise<void> {
  await happened(ctx, trx, {
    actor: `user:${user_id}`,
    action: 'attention_settled',
    subject: order.id,
    detail: { reason: order.needs_attention, decision, note: words },
  });
}

/** Accepts a sum that is not the total, unless Stripe's dashboard refunded it meanwhile. */
async function acceptMoney(
  ctx: LeasedCtx,
  order: OrderRow,
  answer: AttentionAnswer,
): Promise<void> {
  if (await isPaidBack(ctx.db, order))
    throw new Refusal('decision_not_possible', { reason: 'refunded_at_stripe' });
  const session = await ctx.payments.read(requireValue(order.session_id, 'session'));
  const taken = await retakeOrder(ctx, order, {
    paid: { kind: 'stripe', session },
    actor: `user:${answer.user_id}`,
    alongside: (trx) => noteDecision(ctx, trx, order, answer),
  });
  if (!taken) throw new Refusal('seats_taken');
}

/** Refunds all money that is still with us; settleOrder() then ends the order. */
async function sendBack(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  { user_id }: AttentionAnswer,
): Promise<void> {
  const amount_cents = order.paid_cents - (await sumCounted(trx, order.id));
  if (amount_cents > 0)
    await requestRefund(ctx, trx, {
      order,
      origin: 'office',
      actor: `user:${user_id}`,
      payment_intent: order.payment_intent,
      amount_cents,
    });
}

async function leaseKnown<T>(
  ctx: Ctx,
  order_id: string,
  run: (ctx: LeasedCtx, order: OrderRow) => Promise<T>,
): Promise<T> {
  await requireOrder(ctx, order_id);
  return withLeaseOrRefuse(ctx, order_id, run);
}
