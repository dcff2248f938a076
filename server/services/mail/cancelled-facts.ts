/** What the mails of a cancelled evening say, whose buyers are asked first (RULES E5). */
import { paymentsOf } from '#db/payment/payments.ts';
import { findRunOfEvent } from '#db/payment/refunds.ts';
import type { EventRow, OrderRow, RefundRow } from '#db/rows.ts';
import type { OrderMailKind } from '#server/domain/mail/kinds.ts';
import type { MailFacts } from '#server/domain/mail/order-facts.ts';
import { methodName } from '#server/domain/order/order-words.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { formatLongDate } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';
import { cancellationOf } from '#server/services/refund/cancelled-answers.ts';

interface About {
  order: OrderRow;
  event: EventRow;
}

/** Both null in any other mail. */
export async function cancelledFacts(
  ctx: Ctx,
  kind: OrderMailKind,
  { refund, ...about }: About & { refund: RefundRow | null },
) {
  return {
    cancellation: kind === 'cancellation_asked' ? await cancellationFacts(ctx, about) : null,
    gift: refund?.kind === 'gift' ? await giftFacts(ctx, refund) : null,
  };
}

/** Null: the buyer has answered, or there is no time or nothing left to ask. */
async function cancellationFacts(
  ctx: Ctx,
  about: About,
): Promise<NonNullable<MailFacts['cancellation']> | null> {
  const question = await cancellationOf(ctx, about);
  if (question?.may_answer !== true) return null;
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
        methodName(method ?? kind),
        formatEuro(amount_cents),
        ...(payment_intent === null ? [] : [payment_intent]),
      ].join(' · '),
  );
  return { left_at: created_at, payments };
}
