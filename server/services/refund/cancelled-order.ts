/**
 * What becomes of one order of a cancelled evening: its money goes back, or stays with the house
 * (RULES E5).
 */
import { cancellationAnswerOf, storeCancellationAnswer } from '#db/event/cancellation-answers.ts';
import { transact } from '#db/engine/transact.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { ticketsInExchange } from '#db/order/exchanges.ts';
import { lockOrder } from '#db/order/orders.ts';
import { isHalted } from '#db/payment/refunds.ts';
import type { EventRow, OrderRow, RefundRunRow } from '#db/rows.ts';
import { isAsking, type CancellationAnswer } from '#server/domain/event/cancellation.ts';
import { chosenLines, refundQuote, type Quote } from '#server/domain/payment/refund-quote.ts';
import type { Ctx } from '#server/services/context.ts';
import { oweMail } from '#server/services/kit/happened.ts';
import { lockedFacts, type OrderForRefund } from '#server/services/order/refund-facts.ts';
import { dropWishes } from '#server/services/payment/provider-record.ts';
import { requestRefund } from '#server/services/payment/refunds.ts';
import { requestAllWays, waysBack } from '#server/services/payment/way-back.ts';

/** All that is left, as a cancelled event gives it back. */
export function quoteOfCancelled({ facts }: OrderForRefund, with_fees: boolean): Quote {
  return refundQuote(facts, { by: 'event_cancelled', line_ids: 'all', with_fees });
}

interface Ending {
  event: EventRow;
  run: RefundRunRow;
  order_id: string;
}

/**
 * Idempotent by the run and the order.
 * @returns false while the buyer's answer, or the payment of another date, is waited for
 */
export async function endCancelledOrder(
  ctx: Ctx,
  { event, run, order_id }: Ending,
): Promise<boolean> {
  const isEnded = await transact(ctx.db, async (trx) => {
    if (await isHalted(trx, run.id)) return true;
    const order = await lockOrder(trx, order_id);
    const answer = await answerTo(trx, run, order_id);
    if (await isWaiting(ctx, trx, { run, order, answer })) return false;
    // The full refund replaces the buyer's own refund requests.
    await dropWishes(ctx, trx, order.id, 'event_cancelled');
    const found = await lockedFacts(trx, { event, order, now: ctx.now() });
    const quote = quoteOfCancelled(found, run.with_fees === 1);
    if (quote.obstacle !== null) return true;
    const leaves = answer === 'gift' && quote.amount_cents > 0 && !found.facts.disputed;
    const ended = { run, order, quote };
    if (leaves) await leaveMoney(ctx, trx, ended);
    else await giveBack(ctx, trx, ended);
    if (answer !== null || run.asks_until === null) return true;
    await storeCancellationAnswer(trx, {
      run_id: run.id,
      order_id,
      answer: 'refund',
      answered_by: 'deadline',
      answered_at: ctx.now(),
    });
    return true;
  });
  ctx.fault('order_of_cancelled_refunded');
  return isEnded;
}

async function answerTo(
  trx: Trx,
  run: RefundRunRow,
  order_id: string,
): Promise<CancellationAnswer | null> {
  if (run.asks_until === null) return null;
  return (await cancellationAnswerOf(trx, run.id, order_id))?.answer ?? null;
}

interface Waiting {
  run: RefundRunRow;
  order: OrderRow;
  answer: CancellationAnswer | null;
}

async function isWaiting(ctx: Ctx, trx: Trx, { run, order, answer }: Waiting): Promise<boolean> {
  if (run.asks_until === null || answer === 'refund') return false;
  if ((await ticketsInExchange(trx, order.id)).size > 0) return true;
  return isAsking(run, ctx.now()) && order.paid_cents > order.refunded_cents;
}

interface Ended {
  run: RefundRunRow;
  order: OrderRow;
  quote: Quote;
}

function draftOf({ run, order, quote }: Ended) {
  return {
    order,
    origin: 'event_cancelled' as const,
    actor: run.actor,
    amount_cents: quote.amount_cents,
    lines: chosenLines(quote),
    // The seats of a cancelled event are not sold again, so they stay booked at the seat map.
    voids_tickets: true,
    frees_seats: false,
    reason: run.reason,
    run_id: run.id,
    idempotency_key: `run:${run.id}:${order.id}`,
  };
}

async function giveBack(ctx: Ctx, trx: Trx, ended: Ended): Promise<void> {
  const { order, quote } = ended;
  const ways = await waysBack(trx, order, quote.amount_cents);
  await requestAllWays(ctx, trx, draftOf(ended), { ways });
  const mail = { order_id: order.id, kind: 'event_cancelled' } as const;
  await oweMail(ctx, trx, { act: 'event_cancelled', ...mail });
}

/** The tickets' money leaves the takings, and no money moves. */
async function leaveMoney(ctx: Ctx, trx: Trx, ended: Ended): Promise<void> {
  const gift = {
    act: 'money_left',
    kind: 'gift',
    handed_back: true,
    payment_intent: null,
  } as const;
  await requestRefund(ctx, trx, { ...draftOf(ended), ...gift });
}
