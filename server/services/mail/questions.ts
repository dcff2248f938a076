/** What mails say that ask the buyers of a moved or cancelled evening (RULES E3, E5). */
import { requireEventRow } from '#db/event/events.ts';
import { answerOf, findPostponement } from '#db/event/postponements.ts';
import { findMessage } from '#db/mail/messages.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import { findRunOfEvent } from '#db/payment/refunds.ts';
import type { EventRow, MailRow, MessageRow, OrderRow, RefundRow } from '#db/rows.ts';
import type { OrderMailKind } from '#server/domain/mail/kinds.ts';
import type { MailFacts } from '#server/domain/mail/order-facts.ts';
import { wayName } from '#server/domain/order/order-words.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { formatLongDate } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';
import { datesOnSale } from '#server/services/order/dates-on-sale.ts';
import { refundKeyOf } from './mail-key.ts';
import { cancellationOf } from '#server/services/refund/cancelled-answers.ts';
import { questionOfEvent } from '#server/services/refund/date-answers.ts';
import { requireValue } from '#server/domain/require-value.ts';

interface About {
  order: OrderRow;
  event: EventRow;
}

interface Asking extends About {
  mail: MailRow;
  kind: OrderMailKind;
  refund: RefundRow | null;
}

/**
 * The kind and the key of the mails of a message that asks again. The mails of a question that has
 * ended, or of an evening that has moved once more, say nothing any more and are not sent.
 */
export async function questionMail(
  ctx: Ctx,
  { id, event_id }: Pick<MessageRow, 'id' | 'event_id'>,
): Promise<{ kind: 'cancellation_asked' | 'event_postponed'; key: string }> {
  const event = await requireEventRow(ctx.db, requireValue(event_id, 'event'));
  const question = await questionOfEvent(ctx.db, event, ctx.now());
  const kind = event.status === 'cancelled' ? 'cancellation_asked' : 'event_postponed';
  return { kind, key: `${question?.id ?? ''}#${id}` };
}

/** Whether this mail asks again a buyer who has answered meanwhile. */
async function isAnswered(ctx: Ctx, { key }: MailRow, answer: unknown): Promise<boolean> {
  const [, message_id] = key.split('#');
  if (answer === null || message_id === undefined) return false;
  return (await findMessage(ctx.db, message_id))?.act === 'question';
}

/** All null in any other mail. */
export async function questionsIn(ctx: Ctx, { mail, kind, refund, ...about }: Asking) {
  return {
    postponement: kind === 'event_postponed' ? await postponementFor(ctx, mail, about) : null,
    cancellation: kind === 'cancellation_asked' ? await cancellationFacts(ctx, mail, about) : null,
    gift: refund?.kind === 'gift' ? await giftFacts(ctx, refund) : null,
  };
}

async function postponementFor(ctx: Ctx, mail: MailRow, { order, event }: About) {
  const found = await findPostponement(ctx.db, refundKeyOf(mail));
  if (!found) return null;
  const given = await answerOf(ctx.db, found.id, order.id);
  if (await isAnswered(ctx, mail, given ?? null)) return null;
  const other_date = (await datesOnSale(ctx.db, event, ctx.now())).length > 0;
  return { ...found, other_date };
}

/** Null: the buyer has answered, or there is no time or nothing left to ask. */
async function cancellationFacts(
  ctx: Ctx,
  mail: MailRow,
  about: About,
): Promise<NonNullable<MailFacts['cancellation']> | null> {
  const question = await cancellationOf(ctx, about);
  if (question?.may_answer !== true || (await isAnswered(ctx, mail, question.answer))) return null;
  const { answer_by, refund_cents, may_exchange: other_date } = question;
  const reason = (await findRunOfEvent(ctx.db, about.event.id))?.reason ?? null;
  return { answer_by, refund_cents, other_date, reason };
}

async function giftFacts(
  ctx: Ctx,
  { order_id, created_at }: RefundRow,
): Promise<NonNullable<MailFacts['gift']>> {
  const payments = (await paymentsOf(ctx.db, order_id)).map(
    ({ paid_at, kind, method, amount_cents, payment_intent }) =>
      [
        formatLongDate(paid_at),
        wayName(method ?? kind),
        formatEuro(amount_cents),
        ...(payment_intent === null ? [] : [payment_intent]),
      ].join(' · '),
  );
  return { left_at: created_at, payments };
}
