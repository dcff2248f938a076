/**
 * Creates refunds in the transaction that decides on them; the worker carries them out at Stripe
 * with one idempotency key.
 */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { burntKey } from '#server/adapters/stripe-call.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { linesOf, lockOrder, releaseTheseLines } from '#db/order/orders.ts';
import {
  findRefund,
  findRefundByKey,
  insertRefund,
  noteRefund,
  refundableLines,
  refundLinesOf,
  settleTakenOver,
  sumCounted,
  unreleasedLines,
  requireRefund,
} from '#db/payment/refunds.ts';
import type { OrderRow, RefundLineRow, RefundRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { backoffMs } from '#server/domain/time/backoff.ts';
import { freeingStates, type RefundOrigin } from '#server/domain/payment/refund.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { happened, oweMail } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { bookPayment } from './payment-record.ts';
import {
  bookNews,
  clearAttention,
  dropWishes,
  endTicketsOf,
  failRefund,
  recountMoney,
} from './provider-record.ts';
import { releaseSeatsOf } from './seats.ts';
import { withLease } from './order-lease.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';

/**
 * `payment_intent` null: a person hands the money back. `lines`: what is given back for each;
 * their tickets end if `voids_tickets`, their seats are sold again if `frees_seats`, once Stripe
 * has paid. `handed_back`: it is done already. `asked`: the buyer's wish, nothing happens before
 * the office's word. `again`: one like it has failed. `idempotency_key` left out: made from the
 * refund's id; the same key again is the same refund.
 */
interface RefundDraft {
  order: OrderRow | Pick<OrderRow, 'id'>;
  origin: RefundOrigin;
  actor: Actor;
  payment_intent: string | null;
  amount_cents: number;
  fee_cents?: number;
  lines?: readonly Pick<RefundLineRow, 'line_id' | 'price_cents' | 'fee_cents'>[];
  voids_tickets?: boolean;
  frees_seats?: boolean;
  handed_back?: boolean;
  asked?: boolean;
  again?: boolean;
  idempotency_key?: string;
  reason?: string | null;
  run_id?: string;
  /** Out of whose drawer, and how. */ drawer?: Pick<RefundRow, 'shift_id' | 'method'>;
}

/**
 * Part of the caller's transaction: the refund, its lines, the end of the tickets, the door's
 * news, the money, the audit and the waiting work, all or nothing. The worker does the rest after
 * the commit. Refuses refund_changed when more would go back than came in; a line that is being
 * refunded already is a unique violation.
 */
export async function requestRefund(ctx: Ctx, trx: Trx, draft: RefundDraft): Promise<RefundRow> {
  const order = await lockOrder(trx, draft.order.id);
  const known =
    draft.idempotency_key === undefined
      ? undefined
      : await findRefundByKey(trx, draft.idempotency_key);
  if (known) return known;
  // What ends tickets without money is possible whatever came in.
  if (
    draft.amount_cents > 0 &&
    draft.amount_cents > order.paid_cents - (await sumCounted(trx, order.id))
  )
    throw new Refusal('refund_changed', { reason: 'too_much' });
  const refund = rowOf(ctx, draft);
  await insertRefund(
    trx,
    refund,
    (draft.lines ?? []).map((line) => ({
      ...line,
      refund_id: refund.id,
      order_id: order.id,
      live: 1,
    })),
  );
  const action = draft.again === true ? 'refund_retry' : 'refund_requested';
  await happened(ctx, trx, {
    actor: draft.actor,
    action: refund.state === 'asked' ? 'refund_asked' : action,
    subject: order.id,
    detail: { refund_id: refund.id, amount_cents: refund.amount_cents, reason: refund.reason },
  });
  if (refund.state !== 'asked') await carryOut(ctx, trx, order, refund);
  return refund;
}

function rowOf(ctx: Ctx, draft: RefundDraft): RefundRow {
  const id = ctx.newId();
  const done = draft.amount_cents === 0 || draft.handed_back === true;
  const begins = done ? 'succeeded' : 'requested';
  return {
    id,
    order_id: draft.order.id,
    state: draft.asked === true ? 'asked' : begins,
    origin: draft.origin,
    kind: draft.payment_intent === null ? 'manual' : 'stripe',
    amount_cents: draft.amount_cents,
    fee_cents: draft.fee_cents ?? 0,
    voids_tickets: draft.voids_tickets === true ? 1 : 0,
    frees_seats: draft.frees_seats === true ? 1 : 0,
    payment_intent: draft.payment_intent,
    stripe_refund_id: null,
    idempotency_key: draft.idempotency_key ?? `refund:${id}`,
    reason: draft.reason ?? null,
    actor: draft.actor,
    failure: null,
    receipt_number: null,
    run_id: draft.run_id ?? null,
    created_at: ctx.now(),
    decided_at: draft.asked === true ? null : ctx.now(),
    settled_at: done && draft.asked !== true ? ctx.now() : null,
    shift_id: draft.drawer?.shift_id ?? null,
    method: draft.drawer?.method ?? null,
  };
}

/**
 * From the decision on: tickets end at once, whether or not the money arrives; the order's money
 * is counted anew.
 */
export async function carryOut(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  refund: RefundRow,
): Promise<void> {
  if (refund.voids_tickets === 1) {
    const refunded = new Set((await refundLinesOf(trx, refund.id)).map((line) => line.line_id));
    const places = (await linesOf(trx, order.id))
      .filter((line) => refunded.has(line.id))
      .map((line) => line.place);
    // A ticket for which no money ever came back is void, not refunded.
    await endTicketsOf(ctx, trx, order, {
      places,
      state: refund.amount_cents > 0 || order.refunded_cents > 0 ? 'refunded' : 'void',
    });
  }
  await recountMoney(trx, order.id);
  const mail = { order_id: order.id, kind: 'refunded', key: refund.id } as const;
  if (refund.state === 'succeeded' && refund.amount_cents > 0)
    await oweMail(ctx, trx, { act: 'refund_requested', ...mail });
  const hasWork =
    refund.state === 'succeeded' ? refund.frees_seats === 1 : refund.kind === 'stripe';
  if (hasWork) await queueTask(ctx, trx, { task: 'run_refund', subject: refund.id });
}

/**
 * Unknown outcomes are asked about first when they are older than this: Stripe forgets a key
 * after a day.
 */
const readFirstMs = 60_000;
const backoff = { leastMs: 5_000, mostMs: 3_600_000 };
const burntMs = 1_000;

/**
 * The worker's part. Idempotent by the refund's id; returns when to come again, or null when
 * there is nothing left to do.
 */
export async function runRefund(ctx: Ctx, refund_id: string): Promise<number | null> {
  const refund = await findRefund(ctx.db, refund_id);
  if (!refund) return null;
  if (refund.state === 'requested' && refund.kind === 'stripe') return payBack(ctx, refund);
  return refund.frees_seats === 1 && freeingStates.includes(refund.state)
    ? freeSeats(ctx, refund)
    : null;
}

async function payBack(ctx: Ctx, refund: RefundRow): Promise<number | null> {
  const age = ctx.now() - (refund.decided_at ?? refund.created_at);
  try {
    if (age > readFirstMs && (await isSettledAt(ctx, refund)))
      return await runRefund(ctx, refund.id);
    return await send(ctx, refund).catch((error: unknown) => {
      if (error instanceof ProviderRefused) return takeRefusal(ctx, refund, error);
      throw error;
    });
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    ctx.log.warn(
      { err: error, refund_id: refund.id },
      'refund: nobody knows whether it happened; asked again with the same key',
    );
    return ctx.now() + backoffMs(age, backoff);
  }
}

async function send(ctx: Ctx, refund: RefundRow): Promise<number | null> {
  const news = await ctx.payments.refund(
    {
      payment_intent: requireValue(refund.payment_intent, 'payment'),
      amount: refund.amount_cents,
      refund_id: refund.id,
      order_id: refund.order_id,
    },
    refund.idempotency_key,
  );
  ctx.fault('refund_sent');
  await transact(ctx.db, async (trx) => {
    const order = await lockOrder(trx, refund.order_id);
    await bookNews(ctx, trx, { order, refund: await requireRefund(trx, refund.id), news });
    // Its receipt and its end, if that is not now, come with the payment.
    await queueTask(ctx, trx, {
      task: 'read_payment',
      subject: requireValue(refund.payment_intent, 'payment'),
      run_at: ctx.now() + 1_000,
    });
  });
  ctx.fault('refund_noted');
  return runRefund(ctx, refund.id);
}

/** Reads the payment; true when our refund turns out to be there, or is needed no more. */
async function isSettledAt(ctx: Ctx, refund: RefundRow): Promise<boolean> {
  await bookPayment(ctx, requireValue(refund.payment_intent, 'payment'));
  return (await requireRefund(ctx.db, refund.id)).state !== 'requested';
}

/**
 * A clear no. The payment is read first: what was refunded without us changes what we may still
 * give back, and may be the very reason.
 */
async function takeRefusal(
  ctx: Ctx,
  refund: RefundRow,
  refused: ProviderRefused,
): Promise<number | null> {
  ctx.log.warn({ err: refused, refund_id: refund.id }, 'Stripe refused a refund');
  if (await isSettledAt(ctx, refund)) return runRefund(ctx, refund.id);
  ctx.fault('refund_refused');
  if (refused.vendorCode === burntKey) {
    // Nothing came of the first try, and nothing else will ever be answered under its key.
    await transact(ctx.db, (trx) =>
      noteRefund(trx, refund.id, { idempotency_key: `refund:${refund.id}:${ctx.newId()}` }),
    );
    return ctx.now() + burntMs;
  }
  await transact(ctx.db, async (trx) => {
    const order = await lockOrder(trx, refund.order_id);
    await failRefund(ctx, trx, { order, refund, failure: refused.vendorCode });
  });
  return null;
}

/**
 * Seats go back to the seat map first, then to our sale: a crash between the two is repeated, and
 * finds nothing left to give back.
 */
async function freeSeats(ctx: Ctx, refund: RefundRow): Promise<number | null> {
  const again =
    ctx.now() + backoffMs(ctx.now() - (refund.settled_at ?? refund.created_at), backoff);
  try {
    const done = await withLease(ctx, refund.order_id, {
      waitMs: 0,
      run: async (leased, order) => {
        const lines = await unreleasedLines(ctx.db, refund.id);
        if (lines.length === 0) return;
        await releaseSeatsOf(leased, order, lines);
        ctx.fault('refund_seats_released');
        await transact(ctx.db, async (trx) => {
          await releaseTheseLines(
            trx,
            { order_id: refund.order_id, line_ids: lines.map((line) => line.id) },
            ctx.now(),
          );
          await happened(ctx, trx, {
            actor: 'system',
            action: 'seats_freed',
            subject: refund.order_id,
            detail: { refund_id: refund.id, places: lines.map((line) => line.place) },
          });
        });
      },
    });
    return done ? null : again;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    ctx.log.warn({ err: error, refund_id: refund.id }, 'seats of a refund not freed yet');
    return again;
  }
}

interface TicketsAnswer {
  user_id: string;
  decision: 'void' | 'keep';
  note: string;
}

/**
 * What becomes of the tickets of an order whose money went back without us, or is disputed: they
 * end without a refund of ours ('void'), or stay ('keep'). Part of the caller's transaction,
 * which has locked the order.
 */
export async function settleTickets(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  answer: TicketsAnswer,
): Promise<void> {
  if (answer.decision === 'void') await voidTickets(ctx, trx, order, answer);
  await settleTakenOver(trx, order.id, ctx.now());
  await clearAttention(trx, order, ['refunded_at_stripe', 'disputed', 'dispute_lost']);
}

async function voidTickets(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  { user_id, note: reason }: TicketsAnswer,
): Promise<void> {
  // A buyer's wish has lines of its own, and they would keep their tickets.
  await dropWishes(ctx, trx, order.id, 'already_refunded');
  const lines = (await refundableLines(trx, [order.id])).filter(
    (line) => line.ticket_state === 'valid' && line.refund_id === null,
  );
  if (lines.length === 0) return;
  await requestRefund(ctx, trx, {
    order,
    origin: 'office',
    actor: `user:${user_id}`,
    payment_intent: null,
    amount_cents: 0,
    reason,
    voids_tickets: true,
    frees_seats: true,
    lines: lines.map((line) => ({ line_id: line.id, price_cents: 0, fee_cents: 0 })),
  });
}
