/** The question to a buyer whose evening has moved or was cancelled, as exchanges know it. */
import type { Db } from '#db/engine/dialect.ts';
import { cancellationAnswerOf } from '#db/event/cancellation-answers.ts';
import { answerOf, latestPostponement } from '#db/event/postponements.ts';
import { findRunOfEvent } from '#db/payment/refunds.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { isAsking, mayAnswerCancellation } from '#server/domain/event/cancellation.ts';
import { mayAnswer } from '#server/domain/event/postponement.ts';
import type { OrderForRefund } from './refund-facts.ts';

/** `id`: the postponement, or the refunds of the cancelled evening. */
export interface DateQuestion {
  id: string;
  until: number;
  /** Whether the tickets give back their fees too. */
  with_fees: boolean;
}

interface Asked {
  order: OrderRow;
  event: EventRow;
  now: number;
  /** The question that an exchange answers, even after its deadline; null: none counts. */
  agreed?: string | null;
}

/** The question that waits for the buyer's answer; null: none does. */
export async function dateQuestion(db: Db, asked: Asked): Promise<DateQuestion | null> {
  const { order, event, agreed } = asked;
  if (agreed === null || order.state !== 'confirmed') return null;
  return event.status === 'cancelled' ? ofCancelled(db, asked) : ofPostponed(db, asked);
}

async function ofCancelled(db: Db, asked: Asked): Promise<DateQuestion | null> {
  const { order, event, now, agreed } = asked;
  const run = await findRunOfEvent(db, event.id);
  if (run?.asks_until == null) return null;
  if (run.id !== agreed) {
    const before = (await cancellationAnswerOf(db, run.id, order.id))?.answer ?? null;
    if (!isAsking(run, now) || !mayAnswerCancellation(before)) return null;
  }
  return { id: run.id, until: run.asks_until, with_fees: run.with_fees === 1 };
}

async function ofPostponed(db: Db, asked: Asked): Promise<DateQuestion | null> {
  const { order, event, now, agreed } = asked;
  const question = await latestPostponement(db, event.id);
  if (!question || order.created_at > question.created_at) return null;
  if (question.id !== agreed) {
    const before = (await answerOf(db, question.id, order.id))?.answer ?? null;
    if (!mayAnswer(question, { now, before })) return null;
  }
  return { id: question.id, until: question.answer_by, with_fees: true };
}

/** What was paid goes back, whatever remains of the order, as of a cancelled evening (RULES R7). */
export function asGivenBack({ facts, ...found }: OrderForRefund): OrderForRefund {
  return { ...found, facts: { ...facts, event: { ...facts.event, cancelled: true } } };
}
