/** An exchange is the answer to a moved or cancelled evening (RULES E3, E5). */
import { storeAnswer } from '#db/event/postponements.ts';
import { storeCancellationAnswer } from '#db/event/cancellation-answers.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import type { ExchangeRow, OrderRow } from '#db/rows.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { dateQuestion } from '#server/services/order/date-question.ts';

interface Exchanged {
  exchange: ExchangeRow;
  from: OrderRow;
}

/** Tickets that stay behind keep the question open; call it once the old tickets have ended. */
export async function answerByExchange(
  ctx: Ctx,
  trx: Trx,
  { exchange: { id, question_id, actor }, from }: Exchanged,
): Promise<void> {
  if (question_id === null) return;
  const left = (await ticketsOfOrder(trx, from.id)).some(({ state }) => state === 'valid');
  if (left) return;
  const given = {
    order_id: from.id,
    answer: 'exchange',
    answered_by: actor === 'visitor' ? 'buyer' : 'office',
    answered_at: ctx.now(),
  } as const;
  const event = await requireEventRow(trx, from.event_id);
  const asked = { order: from, event, now: ctx.now(), agreed: question_id };
  const question = await dateQuestion(trx, asked);
  if (question === null) return;
  const isCancelled = event.status === 'cancelled';
  if (isCancelled) await storeCancellationAnswer(trx, { ...given, run_id: question.id });
  else await storeAnswer(trx, { ...given, postponement_id: question.id });
  await happened(ctx, trx, {
    actor,
    action: isCancelled ? 'cancellation_answered' : 'postponement_answered',
    subject: from.id,
    detail: { answer: given.answer, exchange_id: id },
  });
}
