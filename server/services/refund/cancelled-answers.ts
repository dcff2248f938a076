/** What buyers of a cancelled evening answer, where the office asks first (RULES E5). */
import { cancellationAnswerOf, storeCancellationAnswer } from '#db/event/cancellation-answers.ts';
import { ordersWithTickets } from '#db/event/events.ts';
import { transact } from '#db/engine/transact.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { lockOrder } from '#db/order/orders.ts';
import { addressedTickets } from '#db/order/tickets.ts';
import { findRunOfEvent, giftOf } from '#db/payment/refunds.ts';
import type { EventRow, OrderRow, RefundRunRow } from '#db/rows.ts';
import {
  isAsking,
  mayAnswerCancellation,
  type ClickedAnswer,
} from '#server/domain/event/cancellation.ts';
import type { Answerer } from '#server/domain/event/postponement.ts';
import { keyForHolder } from '#server/domain/mail/kinds.ts';
import { holdersBeside } from '#server/domain/order/holder.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened, oweMail } from '#server/services/kit/happened.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { refuseTakenBack } from '#server/services/kit/taken-back.ts';
import { orderAndEvent } from '#server/services/order/find-order.ts';
import { datesOnSale } from '#server/services/order/dates-on-sale.ts';
import { factsOfOrder, lockedFacts } from '#server/services/order/refund-facts.ts';
import { endCancelledOrder, quoteOfCancelled } from './cancelled-order.ts';

interface About {
  order: OrderRow;
  event: EventRow;
}

/** The question and its answer for the order page; null: the buyers of this event are not asked. */
export async function cancellationOf(ctx: Ctx, { order, event }: About) {
  if (event.status !== 'cancelled' || order.state !== 'confirmed') return null;
  const run = await findRunOfEvent(ctx.db, event.id);
  if (run?.asks_until == null) return null;
  const given = await cancellationAnswerOf(ctx.db, run.id, order.id);
  const found = await factsOfOrder(ctx.db, { event, order, now: ctx.now() });
  const { amount_cents, obstacle } = quoteOfCancelled(found, run.with_fees === 1);
  const answer = given?.answer ?? null;
  const may_answer =
    obstacle === null &&
    amount_cents > 0 &&
    isAsking(run, ctx.now()) &&
    mayAnswerCancellation(answer);
  const gift = await giftOf(ctx.db, order.id);
  return {
    answer_by: run.asks_until,
    answer,
    answered_by: given?.answered_by ?? null,
    may_answer,
    may_exchange: may_answer && (await datesOnSale(ctx.db, event, ctx.now())).length > 0,
    may_leave: may_answer && !found.facts.disputed,
    refund_cents: amount_cents,
    left: gift ? { amount_cents: gift.amount_cents, left_at: gift.created_at } : null,
  };
}

interface GivenAnswer {
  answer: ClickedAnswer;
  expected_cents: number;
}

/** Refuses as the contract of answerCancellation says. */
export async function answerCancellation(
  ctx: Ctx,
  order_id: string,
  { actor, ...given }: GivenAnswer & { actor: Actor },
) {
  const { event } = await orderAndEvent(ctx, order_id);
  const run = await runThatAsks(ctx, event);
  await transact(ctx.db, async (trx) => {
    const order = await lockOrder(trx, order_id);
    await storeAnswer(ctx, trx, { run, order, event, actor, ...given });
  }).catch(refuseTakenBack('cancellation_over'));
  ctx.fault('cancellation_answered');
  if (given.answer === 'refund') await endCancelledOrder(ctx, { event, run, order_id });
  const told = await cancellationOf(ctx, await orderAndEvent(ctx, order_id));
  return requireValue(told, 'question');
}

/** @throws Refusal cancellation_over */
async function runThatAsks(ctx: Ctx, event: EventRow): Promise<RefundRunRow> {
  const run = event.status === 'cancelled' ? await findRunOfEvent(ctx.db, event.id) : undefined;
  if (run === undefined || !isAsking(run, ctx.now())) throw new Refusal('cancellation_over');
  return run;
}

interface Storing extends GivenAnswer, About {
  run: RefundRunRow;
  actor: Actor;
}

async function storeAnswer(ctx: Ctx, trx: Trx, storing: Storing): Promise<void> {
  const { run, order, event, answer, expected_cents, actor } = storing;
  const before = (await cancellationAnswerOf(trx, run.id, order.id))?.answer ?? null;
  if (before === answer) return;
  if (!mayAnswerCancellation(before)) throw new Refusal('cancellation_over');
  const found = await lockedFacts(trx, { event, order, now: ctx.now() });
  const quote = quoteOfCancelled(found, run.with_fees === 1);
  const { amount_cents } = quote;
  if (quote.obstacle !== null) throw new Refusal('refund_refused', { reason: quote.obstacle });
  if (answer === 'gift' && found.facts.disputed)
    throw new Refusal('refund_refused', { reason: 'disputed' });
  if (expected_cents !== amount_cents) throw new Refusal('refund_changed', { amount_cents });
  const answered_by: Answerer = actor === 'visitor' ? 'buyer' : 'office';
  const row = { run_id: run.id, order_id: order.id, answer, answered_by, answered_at: ctx.now() };
  await storeCancellationAnswer(trx, row);
  await happened(ctx, trx, {
    actor,
    action: 'cancellation_answered',
    subject: order.id,
    detail: { answer, amount_cents },
  });
  // If this process dies, the run gives the money back.
  if (answer === 'refund') await queueTask(ctx, trx, { task: 'cancel_event', subject: run.id });
}

const pageSize = 100;

/** Asks each buyer once, and tells the other holders; idempotent by the run and the order. */
export async function askBuyers(ctx: Ctx, { id, event_id }: RefundRunRow): Promise<void> {
  const act = 'event_cancelled';
  for (let after = ''; ;) {
    const orders = await ordersWithTickets(ctx.db, event_id, { after, limit: pageSize });
    await transact(ctx.db, async (trx) => {
      for (const order_id of orders)
        await oweMail(ctx, trx, { act, order_id, kind: 'cancellation_asked', key: id });
      const all = await addressedTickets(trx, { order_ids: orders });
      for (const own of Map.groupBy(all, ({ order_id }) => order_id).values())
        for (const holder of holdersBeside(own[0]?.buyer_email ?? null, own))
          await oweMail(ctx, trx, {
            act,
            order_id: holder.order_id,
            kind: act,
            key: keyForHolder('', holder.id),
            to_address: holder.holder_email,
          });
    });
    ctx.fault('buyers_asked');
    if (orders.length < pageSize) return;
    after = orders.at(-1) ?? after;
  }
}
