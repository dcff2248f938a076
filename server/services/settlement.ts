/** What a person in the office decides about an order: that it was paid outside Stripe, or what becomes of one that the machine cannot settle. */
import { findEvent } from '#db/events.ts';
import { findOrder, noteOrder } from '#db/orders.ts';
import { addTask } from '#db/outbox.ts';
import type { OrderRow } from '#db/rows.ts';
import { transact } from '#db/transact.ts';
import { decisionsFor, judgeSession, type AttentionDecision, type ManualMethod } from '#server/domain/order.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { note } from './audit.ts';
import { closeSession } from './checkout.ts';
import { confirmOrder, type Paid } from './confirmation.ts';
import type { Ctx } from './context.ts';
import { retakeOrder } from './late-payments.ts';
import { endOrder, settleOrder } from './payments.ts';
import { requestRefund, settleMoneyAttention } from './refunds.ts';
import { silent } from './silent.ts';
import { inTurn } from './turns.ts';

const patienceMs = 20_000;

/** `reason` is typed by the person; `expected_cents` is the sum he has before his eyes. */
export interface OfficeConfirmation { user_id: string; reason: string; method: ManualMethod; expected_cents: number }

/**
 * Tickets for money that Stripe does not see (decisions §3). An open session is closed first, or the buyer could pay twice; if he was faster,
 * his payment confirms the order. Repeated on a confirmed order it changes nothing.
 * Refuses: order_not_found, event_cancelled, total_changed, payment_under_way, seats_taken, provider_silent, try_again.
 */
export async function confirmByOffice(ctx: Ctx, order_id: string, ask: OfficeConfirmation): Promise<void> {
  await turnOf(ctx, order_id, async (order) => {
    if (order.state === 'confirmed') return;
    if (ask.expected_cents !== order.total_cents) throw new Refusal('total_changed', { total_cents: order.total_cents });
    if ((await findEvent(ctx.db, order.event_id))!.status === 'cancelled') throw new Refusal('event_cancelled');
    if (await paidMeanwhile(ctx, order)) return;
    const paid: Paid = ask.method === 'guest' || order.total_cents === 0 ? { kind: 'free', note: ask.reason } : { kind: 'manual', method: ask.method, amount_cents: order.total_cents, note: ask.reason };
    if (!(await retakeOrder(ctx, order, { paid, actor: `user:${ask.user_id}` }).catch(silent))) throw new Refusal('seats_taken');
  });
}

/** Closes what could still be paid; true when it was paid before we could. */
async function paidMeanwhile(ctx: Ctx, order: OrderRow): Promise<boolean> {
  if (order.session_id === null || order.state === 'deleted') return false;
  const session = await closeSession(ctx, order.session_id).catch(silent);
  const verdict = judgeSession(session, order.total_cents);
  if (verdict === 'confirm') await confirmOrder(ctx, order, { paid: { kind: 'stripe', session }, actor: 'stripe' });
  else if (verdict !== 'release') throw new Refusal('payment_under_way');
  return verdict === 'confirm';
}

export interface AttentionAnswer { user_id: string; decision: AttentionDecision; note: string }

/** Refuses decision_not_possible where the reason does not allow it, or has gone meanwhile. */
export async function settleAttention(ctx: Ctx, order_id: string, answer: AttentionAnswer): Promise<void> {
  const again = await turnOf(ctx, order_id, async (order) => {
    const { decision } = answer;
    if (!decisionsFor(order.needs_attention).includes(decision)) throw new Refusal('decision_not_possible', { reason: order.needs_attention });
    await note(ctx, ctx.db, { actor: `user:${answer.user_id}`, action: 'attention_settled', subject: order_id, detail: { reason: order.needs_attention, decision, note: answer.note } });
    if (order.needs_attention === 'amount_differs') await decideMoney(ctx, order, answer);
    else if (decision === 'void' || decision === 'keep') await settleMoneyAttention(ctx, order, answer);
    else await clearAttention(ctx, order_id, decision === 'retry');
    return decision === 'retry';
  });
  // At once for the person who waits; the row stands for it if this process dies.
  if (again) await settleOrder(ctx, order_id);
}

async function clearAttention(ctx: Ctx, order_id: string, again: boolean): Promise<void> {
  await transact(ctx.db, async (trx) => {
    await noteOrder(trx, order_id, { needs_attention: null });
    if (again) await addTask(trx, { id: ctx.newId(), task: 'settle_order', subject: order_id, run_at: ctx.now() });
  });
}

/** The money is in the book already: either it is taken as it is, or all of it goes back and the seats with it. */
async function decideMoney(ctx: Ctx, order: OrderRow, { user_id, decision }: AttentionAnswer): Promise<void> {
  const actor = `user:${user_id}`;
  const session = await ctx.payments.read(order.session_id!).catch(silent);
  if (decision === 'accept') {
    if (!(await retakeOrder(ctx, order, { paid: { kind: 'stripe', session }, actor }).catch(silent))) throw new Refusal('seats_taken');
    return;
  }
  if (order.state !== 'deleted') await endOrder(ctx, order, { reason: 'refunded_by_office', actor });
  await transact(ctx.db, async (trx) => {
    await noteOrder(trx, order.id, { needs_attention: null });
    await requestRefund(ctx, trx, {
      order, origin: 'office', actor, payment_intent: session.payment_intent, amount_cents: order.paid_cents, idempotency_key: `order:${order.id}:differs:${session.payment_intent}`,
    });
  });
  ctx.wake();
}

async function turnOf<T>(ctx: Ctx, order_id: string, run: (order: OrderRow) => Promise<T>): Promise<T> {
  if (!(await findOrder(ctx.db, order_id))) throw new Refusal('order_not_found');
  const turn = await inTurn(ctx, order_id, { patienceMs, run: async () => ({ done: await run((await findOrder(ctx.db, order_id))!) }) });
  if (turn === null) throw new Refusal('try_again');
  return turn.done;
}
