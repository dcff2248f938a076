/** The buyer’s refund requests: what may be requested, the request itself, and its withdrawal. */
import { lockOrder } from '#db/order/orders.ts';
import { isUniqueViolation, type Trx } from '#db/engine/dialect.ts';
import { findRefund, refundLinesOf, requireRefund } from '#db/payment/refunds.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { chosenLines, refundQuote } from '#server/domain/payment/refund-quote.ts';
import { refundUntil, type PaymentKind } from '#server/domain/payment/refund.ts';
import { sayMayAsk } from '#server/domain/payment/refund-words.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Ctx } from '#server/services/context.ts';
import { dateQuestion } from '#server/services/order/date-question.ts';
import { requireOrder, orderAndEvent } from '#server/services/order/find-order.ts';
import { dropWish } from '#server/services/payment/provider-record.ts';
import {
  lineIdsOf,
  lockedFacts,
  quoteInWords,
  type OrderForRefund,
  factsOfOrder,
} from '#server/services/order/refund-facts.ts';
import { mayAnswerUntil } from './postponed.ts';
import { refundsInWords, startRefund } from './views.ts';
import { requestRefund } from '#server/services/payment/refunds.ts';
import { requestAllWays, waysBack } from '#server/services/payment/way-back.ts';

/**
 * What the buyer sees: each ticket with its refund or the reason for none, the deadline, and
 * earlier requests.
 */
export async function quoteForBuyer(
  ctx: Ctx,
  order_id: string,
  ticket_ids: readonly string[] | undefined,
) {
  const { order, event } = await orderAndEvent(ctx, order_id);
  const found = await factsOfOrder(ctx.db, { event, order, now: ctx.now() });
  const quote = quoteInWords(found, {
    by: 'buyer',
    line_ids: lineIdsOf(found.lines, ticket_ids),
  });
  const shown = (await refundsInWords(ctx.db, { order_id }, { limit: 100, after: null })).filter(
    ({ kind, failure }) => !toldBeside.has(kind) && !replaced.has(failure ?? ''),
  );
  const answer_by = await mayAnswerUntil(ctx, { order, event });
  return {
    ...quote,
    words: sayMayAsk({ facts: found.facts, obstacle: quote.obstacle, answer_by }),
    request: event.refund_request,
    until: refundUntil(found.facts),
    event_cancelled: found.facts.event.cancelled,
    refunds: shown,
  };
}

/** Why a refund was replaced by another; the buyer does not see such refunds. */
const replaced = new Set(['tried_again', 'event_cancelled', 'left_out', 'already_refunded']);

/** The order page itself says what an exchange took, was left to the house or is kept by it. */
const toldBeside: ReadonlySet<PaymentKind> = new Set(['exchange', 'gift', 'kept']);

interface BuyersWish {
  ticket_ids: readonly string[];
  expected_cents: number;
  reason?: string;
}

/**
 * Requests a refund. The event's rules decide whether it is paid directly or waits for the
 * office; for a cancelled event it never waits, and is refused while the buyer may still answer
 * (RULES E5). A second request for the same tickets returns the first.
 */
export async function askRefund(ctx: Ctx, order_id: string, wish: BuyersWish) {
  const { order, event } = await orderAndEvent(ctx, order_id);
  const id = await transact(ctx.db, (trx) => decideWish(ctx, trx, { order, event, wish })).catch(
    refuseTaken,
  );
  return startRefund(ctx, id);
}

async function decideWish(
  ctx: Ctx,
  trx: Trx,
  { order: { id }, event, wish }: { order: OrderRow; event: EventRow; wish: BuyersWish },
): Promise<string> {
  const order = await lockOrder(trx, id);
  const found = await lockedFacts(trx, { event, order, now: ctx.now() });
  const line_ids = lineIdsOf(found.lines, wish.ticket_ids);
  const known = await sameWish(trx, found, line_ids);
  if (known !== null) return known;
  const isCancelled = event.status === 'cancelled';
  if (isCancelled && (await dateQuestion(trx, { order, event, now: ctx.now() })) !== null)
    throw new Refusal('answer_first');
  const quote = refundQuote(found.facts, { by: 'buyer', line_ids });
  if (quote.obstacle !== null) throw new Refusal('refund_refused', { reason: quote.obstacle });
  if (quote.amount_cents !== wish.expected_cents)
    throw new Refusal('refund_changed', { amount_cents: quote.amount_cents });
  const draft = {
    order,
    origin: 'buyer' as const,
    actor: 'visitor' as const,
    amount_cents: quote.amount_cents,
    lines: chosenLines(quote),
    voids_tickets: true,
    frees_seats: true,
    reason: wish.reason?.trim() || null,
  };
  const ways = await waysBack(trx, order, quote.amount_cents);
  const isAsked = event.refund_request !== 'automatic' && !found.facts.event.cancelled;
  // A wish is whole; if it is granted, it is split as the money then goes back.
  const refund = isAsked
    ? await requestRefund(ctx, trx, {
        ...draft,
        payment_intent: ways[0].payment_intent,
        asked: true,
      })
    : await requestAllWays(ctx, trx, draft, { ways });
  return refund.id;
}

/** The buyer's open refund of exactly these lines. */
async function sameWish(
  trx: Trx,
  { lines }: OrderForRefund,
  line_ids: readonly string[] | 'all',
): Promise<string | null> {
  const refund_id = lines.find((line) => line_ids.includes(line.id))?.refund_id ?? null;
  if (refund_id === null || (await requireRefund(trx, refund_id)).origin !== 'buyer') return null;
  const theirs = (await refundLinesOf(trx, refund_id)).map((line) => line.line_id);
  return theirs.length === line_ids.length && theirs.every((line_id) => line_ids.includes(line_id))
    ? refund_id
    : null;
}

/** Turns a unique violation into the refusal: another request has one of these lines already. */
export function refuseTaken(error: unknown): never {
  throw isUniqueViolation(error)
    ? new Refusal('refund_changed', { reason: 'already_asked' })
    : error;
}

/** Withdraws a request that the office has not decided. Idempotent. */
export async function withdrawRefund(ctx: Ctx, order_id: string, refund_id: string): Promise<void> {
  await requireOrder(ctx, order_id);
  await transact(ctx.db, async (trx) => {
    await lockOrder(trx, order_id);
    const refund = await findRefund(trx, refund_id);
    if (refund?.order_id !== order_id || refund.origin !== 'buyer')
      throw new Refusal('refund_not_found');
    if (refund.state === 'canceled' && refund.failure === 'withdrawn') return;
    if (refund.state !== 'asked') throw new Refusal('refund_not_open', { state: refund.state });
    await dropWish(ctx, trx, refund_id, 'withdrawn');
    await happened(ctx, trx, {
      actor: 'visitor',
      action: 'refund_withdrawn',
      subject: order_id,
      detail: { refund_id },
    });
  });
}
