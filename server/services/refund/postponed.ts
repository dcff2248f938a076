/** The buyers' answers to a postponement, and what happens without an answer (RULES E3). */
import { requireEventRow } from '#db/event/events.ts';
import { ticketsInExchange } from '#db/order/exchanges.ts';
import { lockOrder } from '#db/order/orders.ts';
import {
  answerOf,
  closePostponement,
  findPostponement,
  latestPostponement,
  silentOrders,
  storeAnswer,
} from '#db/event/postponements.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { EventRow, OrderRow, PostponementRow } from '#db/rows.ts';
import { refuseTakenBack } from '#server/services/kit/taken-back.ts';
import { transact } from '#db/engine/transact.ts';
import {
  mayAnswer,
  type Answerer,
  type PostponementAnswer,
} from '#server/domain/event/postponement.ts';
import { chosenLines, refundQuote, type Quote } from '#server/domain/payment/refund-quote.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { retryAfterMs } from '#server/domain/time/backoff.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { orderAndEvent } from '#server/services/order/find-order.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import {
  lockedFacts,
  type OrderForRefund,
  factsOfOrder,
} from '#server/services/order/refund-facts.ts';
import { datesOnSale } from '#server/services/order/dates-on-sale.ts';
import { dropWishes } from '#server/services/payment/provider-record.ts';
import { requestAllWays, waysBack } from '#server/services/payment/way-back.ts';

/** Refunds everything, with fees, because the buyer did not choose the new date. */
function quoteOf({ facts }: OrderForRefund): Quote {
  return refundQuote(facts, { by: 'event_cancelled', line_ids: 'all', with_fees: true });
}

/** The question to the buyer; null: there was no postponement, or the order was made after it. */
async function questionOf(
  db: Db,
  order: Pick<OrderRow, 'event_id' | 'created_at' | 'state'>,
): Promise<PostponementRow | null> {
  if (order.state !== 'confirmed') return null;
  const question = await latestPostponement(db, order.event_id);
  return question && order.created_at <= question.created_at ? question : null;
}

/** The question and its answer for the order page. */
export async function postponementOf(
  ctx: Ctx,
  { order, event }: { order: OrderRow; event: EventRow },
) {
  const question = await questionOf(ctx.db, order);
  if (question === null) return null;
  const answer = await answerOf(ctx.db, question.id, order.id);
  const found = await factsOfOrder(ctx.db, { event, order, now: ctx.now() });
  const { amount_cents, lines } = quoteOf(found);
  const before = answer?.answer ?? null;
  const may_answer =
    event.status === 'published' &&
    lines.some((line) => line.chosen) &&
    mayAnswer(question, { now: ctx.now(), before });
  return {
    ...question,
    answer: before,
    answered_by: answer?.answered_by ?? null,
    may_answer,
    may_exchange: may_answer && (await datesOnSale(ctx.db, event, ctx.now())).length > 0,
    refund_cents: amount_cents,
  };
}

/** Until when the buyer may take everything back because the event has moved; null: no more. */
export async function mayAnswerUntil(
  ctx: Ctx,
  about: { order: OrderRow; event: EventRow },
): Promise<number | null> {
  const question = await postponementOf(ctx, about);
  return question?.may_answer === true ? question.answer_by : null;
}

interface BuyersAnswer {
  answer: PostponementAnswer;
  expected_cents?: number;
  actor: Actor;
}

/** Refuses as the contract of answerPostponement says. */
export async function answerPostponement(ctx: Ctx, order_id: string, wish: BuyersAnswer) {
  const { event } = await orderAndEvent(ctx, order_id);
  await transact(ctx.db, async (trx) => {
    const order = await lockOrder(trx, order_id);
    const question = await questionOf(trx, order);
    if (question === null || event.status !== 'published') throw new Refusal('postponement_over');
    const before = (await answerOf(trx, question.id, order_id))?.answer ?? null;
    if (before === wish.answer) return;
    if (!mayAnswer(question, { now: ctx.now(), before })) throw new Refusal('postponement_over');
    const answered_by = wish.actor === 'visitor' ? 'buyer' : 'office';
    await answer(ctx, trx, { question, order, event, ...wish, answered_by });
  }).catch(refuseTakenBack('postponement_over'));
  const told = await postponementOf(ctx, await orderAndEvent(ctx, order_id));
  return requireValue(told, 'question');
}

interface Answered extends BuyersAnswer {
  question: PostponementRow;
  order: OrderRow;
  event: EventRow;
  answered_by: Answerer;
}

/**
 * Carries out an answer in the caller's transaction, which has locked the order.
 * @throws Refusal refund_changed, refund_refused
 */
async function answer(ctx: Ctx, trx: Trx, given: Answered): Promise<void> {
  const { question, order, actor, answered_by } = given;
  const refund_id = given.answer === 'refund' ? await giveBack(ctx, trx, given) : null;
  await storeAnswer(trx, {
    postponement_id: question.id,
    order_id: order.id,
    answer: given.answer,
    answered_by,
    answered_at: ctx.now(),
  });
  await happened(ctx, trx, {
    actor,
    action: 'postponement_answered',
    subject: order.id,
    detail: { answer: given.answer, ...(refund_id === null ? {} : { refund_id }) },
  });
}

async function giveBack(
  ctx: Ctx,
  trx: Trx,
  { question, order, event, expected_cents, actor }: Answered,
): Promise<string> {
  // The full refund replaces the buyer's own refund requests.
  await dropWishes(ctx, trx, order.id, 'event_cancelled');
  const quote = quoteOf(await lockedFacts(trx, { event, order, now: ctx.now() }));
  if (quote.obstacle !== null) throw new Refusal('refund_refused', { reason: quote.obstacle });
  if (expected_cents !== undefined && expected_cents !== quote.amount_cents)
    throw new Refusal('refund_changed', { amount_cents: quote.amount_cents });
  const draft = {
    order,
    origin: 'postponed' as const,
    actor,
    amount_cents: quote.amount_cents,
    lines: chosenLines(quote),
    voids_tickets: true,
    frees_seats: true,
    idempotency_key: `postponed:${question.id}:${order.id}`,
  };
  const ways = await waysBack(trx, order, quote.amount_cents);
  const refund = await requestAllWays(ctx, trx, draft, { ways });
  return refund.id;
}

/** Orders per run of the task; other tasks run between two runs. */
const pageSize = 50;

/**
 * The task of the deadline: orders without an answer get the one that the office chose.
 * Idempotent by the order.
 */
export async function closeWhenDue(ctx: Ctx, postponement_id: string): Promise<number | null> {
  const question = await findPostponement(ctx.db, postponement_id);
  if (!question || question.closed_at !== null) return null;
  if (ctx.now() <= question.answer_by) return question.answer_by + 1;
  const event = await requireEventRow(ctx.db, question.event_id);
  if (event.status === 'published') {
    const orders = await silentOrders(ctx.db, question, { after: '', limit: pageSize });
    let waiting = 0;
    for (const { id } of orders)
      if (!(await answerForSilent(ctx, { question, event, order_id: id }))) waiting += 1;
    if (waiting > 0) return ctx.now() + retryAfterMs;
    if (orders.length === pageSize) return ctx.now();
  }
  await transact(ctx.db, async (trx) => {
    if (!(await closePostponement(trx, question.id, ctx.now()))) return;
    await happened(ctx, trx, {
      actor: 'system',
      action: 'postponement_closed',
      subject: question.event_id,
      detail: { postponement_id: question.id, if_silent: question.if_silent },
    });
  });
  return null;
}

/**
 * Gives the answer for a buyer who gave none. The tickets stay valid if the order cannot be
 * refunded in full, so that no buyer loses both money and tickets; also if the order was paid
 * after the postponement, because its buyer got no mail about it.
 * @returns false while an exchange of its tickets waits for its money
 */
async function answerForSilent(
  ctx: Ctx,
  { question, event, order_id }: { question: PostponementRow; event: EventRow; order_id: string },
): Promise<boolean> {
  const isAnswered = await transact(ctx.db, async (trx) => {
    const order = await lockOrder(trx, order_id);
    if (await answerOf(trx, question.id, order_id)) return true;
    if ((await ticketsInExchange(trx, order_id)).size > 0) return false;
    const facts = await lockedFacts(trx, { event, order, now: ctx.now() });
    const possible = quoteOf(facts).obstacle === null;
    const wasTold = order.confirmed_at !== null && order.confirmed_at <= question.created_at;
    const wanted = possible && wasTold ? question.if_silent : 'keep';
    const given = { answer: wanted, actor: 'system', answered_by: 'deadline' } as const;
    await answer(ctx, trx, { question, order, event, ...given });
    return true;
  });
  ctx.fault('silent_order_answered');
  return isAnswered;
}
