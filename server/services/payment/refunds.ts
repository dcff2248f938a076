/**
 * Creates refunds in the transaction that decides on them; the worker then makes each one at
 * Stripe, always with its own idempotency key.
 */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { burntKey } from '#server/adapters/stripe-call.ts';
import { addFees, noFees, type Fees } from '#server/domain/price/fees.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { lockEvent } from '#db/event/events.ts';
import { lockOrder, releaseTheseLines } from '#db/order/orders.ts';
import {
  findRefund,
  findRefundByKey,
  insertRefund,
  isHalted,
  noteRefund,
  refundableLines,
  refundsOf,
  settleTakenOver,
  sumCounted,
  unreleasedLines,
  requireRefund,
} from '#db/payment/refunds.ts';
import { insertParts, partColumns, type RefundPart } from '#db/payment/refund-parts.ts';
import type { OrderLineRow, OrderRow, RefundLineRow, RefundRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { backoffMs } from '#server/domain/time/backoff.ts';
import type { OrderMailKind } from '#server/domain/mail/kinds.ts';
import { freeingStates, type RefundOrigin } from '#server/domain/payment/refund.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { EndingAct } from '#server/services/kit/acts.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { endTicketsOf } from './ended-tickets.ts';
import { noteReleased } from './guest-places.ts';
import { bookPayment } from './payment-record.ts';
import {
  bookNews,
  clearAttention,
  dropWishes,
  failRefund,
  recountMoney,
} from './provider-record.ts';
import { releaseSeatsOf } from './seats.ts';
import { withLease } from './order-lease.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';

/**
 * `payment_intent`: null if a person hands the money back. `lines`: the sum for each line.
 * `voids_tickets`: their tickets end now. `frees_seats`: their seats are for sale again once
 * Stripe has paid. `handed_back`: the buyer has the money already. `asked`: a buyer's request,
 * which waits for the office. `again`: repeats an earlier refund that failed. `idempotency_key`:
 * made from the refund's id if left out.
 */
export interface RefundDraft {
  order: OrderRow | Pick<OrderRow, 'id'>;
  origin: RefundOrigin;
  actor: Actor;
  payment_intent: string | null;
  amount_cents: number;
  lines?: readonly Pick<RefundLineRow, 'line_id' | 'price_cents' | keyof Fees>[];
  voids_tickets?: boolean;
  frees_seats?: boolean;
  handed_back?: boolean;
  asked?: boolean;
  again?: boolean;
  /** Left out: by the payment to which it goes back. */
  kind?: RefundRow['kind'];
  /** Left out: `refund_requested`. */
  act?: EndingAct;
  /** What the registry says beside it. */
  detail?: object;
  idempotency_key?: string;
  reason?: string | null;
  run_id?: string;
  /** The refund whose tickets it pays back in another way, beyond that one's sum. */
  rest_of?: string;
  /** The codes whose use comes back with it, for the registry. */
  codes?: readonly string[];
  /** How it was handed back. */
  parts?: readonly RefundPart[];
  /** Why it was taken from the till of another person, or from a drawer that had too little. */
  drawer_reason?: string | undefined;
}

/**
 * Stores the refund and all that follows from it (lines, ended tickets, changes at the door,
 * audit, task) in the caller's transaction; the worker does the rest after the commit. If a line
 * is being refunded already, the insert throws a unique violation.
 * @throws Refusal refund_changed when more would be paid back than came in
 */
export async function requestRefund(ctx: Ctx, trx: Trx, draft: RefundDraft): Promise<RefundRow> {
  const order = await lockOrder(trx, draft.order.id);
  const known =
    draft.idempotency_key === undefined
      ? undefined
      : await findRefundByKey(trx, draft.idempotency_key);
  if (known) return known;
  // A refund of 0, which only ends tickets, needs no money that came in.
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
  const parts = draft.parts ?? [];
  // A process of an earlier release reads one way of a refund, and would count its drawers wrong.
  if (parts.length > 1) await raiseFloor(ctx, trx, '1.6.0');
  await insertParts(trx, refund.id, parts);
  const { reason } = refund;
  const codes = draft.codes?.length ? { codes: draft.codes } : {};
  if (refund.state === 'asked') await takeWish(ctx, trx, order, refund);
  else {
    const act = draft.act ?? (draft.again === true ? 'refund_retry' : 'refund_requested');
    await carryOut(ctx, trx, {
      order,
      refund,
      act,
      actor: draft.actor,
      detail: { reason, drawer_reason: draft.drawer_reason, ...codes, ...draft.detail },
    });
  }
  return refund;
}

/** A buyer who asks and withdraws for ever cannot fill a mailbox. */
const mostAcknowledged = { wishes: 5, withinMs: 24 * 3_600_000 };

/** Records a buyer's request that waits for the office, and acknowledges it (RULES N3). */
async function takeWish(ctx: Ctx, trx: Trx, order: OrderRow, refund: RefundRow): Promise<void> {
  const { id, amount_cents, reason } = refund;
  const since = ctx.now() - mostAcknowledged.withinMs;
  const wishes = (await refundsOf(trx, order.id)).filter(
    ({ origin, created_at }) => origin === 'buyer' && created_at > since,
  );
  const isOwed = order.buyer_email !== null && wishes.length <= mostAcknowledged.wishes;
  const letter = { order_id: order.id, kind: 'refund_asked', key: id } as const;
  await happened(ctx, trx, {
    actor: 'visitor',
    action: 'refund_asked',
    subject: order.id,
    detail: { refund_id: id, amount_cents, reason },
    mails: isOwed ? [letter] : [],
  });
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
    kind: draft.kind ?? (draft.payment_intent === null ? 'manual' : 'stripe'),
    amount_cents: draft.amount_cents,
    // Of its tickets; when it counts, it is shared with the order's other refunds.
    ...addFees(draft.lines ?? []),
    voids_tickets: draft.voids_tickets === true ? 1 : 0,
    frees_seats: draft.frees_seats === true ? 1 : 0,
    payment_intent: draft.payment_intent,
    stripe_refund_id: null,
    part_of_stripe: null,
    idempotency_key: draft.idempotency_key ?? `refund:${id}`,
    reason: draft.reason ?? null,
    actor: draft.actor,
    failure: null,
    receipt_number: null,
    run_id: draft.run_id ?? null,
    rest_of: draft.rest_of ?? null,
    created_at: ctx.now(),
    decided_at: draft.asked === true ? null : ctx.now(),
    settled_at: done && draft.asked !== true ? ctx.now() : null,
    ...partColumns(draft.parts ?? []),
  };
}

/**
 * Which mail tells of the money; an exchange moves none, and the new tickets tell of it. A kept
 * deposit moves none either.
 */
const moneyMail = {
  stripe: 'refunded',
  manual: 'refunded',
  exchange: null,
  gift: 'gift_receipt',
  kept: null,
} as const satisfies Record<RefundRow['kind'], OrderMailKind | null>;

interface Decided {
  order: OrderRow;
  refund: RefundRow;
  act: EndingAct;
  actor: Actor;
  /** What the registry says beside the sum and the tickets. */
  detail: object;
}

/**
 * Carries out a decided refund: ends its tickets, whether or not the money arrives, counts the
 * order's refunded sum again, and records the act.
 */
export async function carryOut(
  ctx: Ctx,
  trx: Trx,
  { order, refund, act, actor, detail }: Decided,
): Promise<void> {
  const { id, state, amount_cents } = refund;
  const { ticket_ids, mails } = await endTicketsOf(ctx, trx, { order, refund, act });
  await recountMoney(trx, order.id);
  const money = state === 'succeeded' && amount_cents > 0 ? moneyMail[refund.kind] : null;
  await happened(ctx, trx, {
    actor,
    action: act,
    subject: order.id,
    detail: {
      refund_id: id,
      amount_cents,
      ...detail,
      state,
      ...(ticket_ids.length > 0 && { ticket_ids }),
    },
    mails: [...mails, ...(money === null ? [] : [{ order_id: order.id, kind: money, key: id }])],
  });
  const hasWork = state === 'succeeded' ? refund.frees_seats === 1 : refund.kind === 'stripe';
  if (hasWork) await queueTask(ctx, trx, { task: 'run_refund', subject: id });
}

/**
 * A refund older than this may have reached Stripe already, and Stripe forgets an idempotency key
 * after a day; so it is looked for at Stripe first.
 */
const readFirstMs = 60_000;
const backoff = { leastMs: 5_000, mostMs: 3_600_000 };
const burntMs = 1_000;
/**
 * How often a stopped refund looks whether it may go on; a person who says so wakes it at once. So
 * long, because a process of 1.0 does not look and would pay.
 */
export const haltedLookMs = 90 * 24 * 3_600_000;

/**
 * Makes the refund at Stripe; idempotent by the refund's id. Returns when to run again, or null
 * when nothing is left to do.
 */
export async function runRefund(ctx: Ctx, refund_id: string): Promise<number | null> {
  const refund = await findRefund(ctx.db, refund_id);
  if (!refund) return null;
  if (refund.state === 'requested' && refund.kind === 'stripe') {
    const waits = refund.run_id !== null && (await isHalted(ctx.db, refund.run_id));
    return waits ? ctx.now() + haltedLookMs : payBack(ctx, refund);
  }
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
    // This reading brings the refund's receipt number, and its final state if it was pending.
    await queueTask(ctx, trx, {
      task: 'read_payment',
      subject: requireValue(refund.payment_intent, 'payment'),
      run_at: ctx.now() + 1_000,
    });
  });
  ctx.fault('refund_noted');
  return runRefund(ctx, refund.id);
}

/** Reads the payment; true if Stripe has our refund already or it is no longer needed. */
async function isSettledAt(ctx: Ctx, refund: RefundRow): Promise<boolean> {
  await bookPayment(ctx, requireValue(refund.payment_intent, 'payment'));
  return (await requireRefund(ctx.db, refund.id)).state !== 'requested';
}

/**
 * Handles a refusal by Stripe. Reads the payment first, because a refund made in Stripe's
 * dashboard may be the reason.
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
    // With the same key Stripe would repeat the first failure, so the refund gets a new key.
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
 * Frees the seats at the seat map first, then in our database: a repeat after a crash finds
 * nothing left to free at the seat map.
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
        await transact(ctx.db, (trx) => storeFreed(ctx, trx, { order, refund, lines }));
      },
    });
    return done ? null : again;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    ctx.log.warn({ err: error, refund_id: refund.id }, 'seats of a refund not freed yet');
    return again;
  }
}

interface Freed {
  order: OrderRow;
  refund: RefundRow;
  lines: readonly OrderLineRow[];
}

/** A guest who was let in meanwhile keeps the place, and the seat map is asked for it again. */
async function storeFreed(ctx: Ctx, trx: Trx, { order, refund, lines }: Freed): Promise<void> {
  const { id: order_id, event_id } = order;
  // Scans of the event come before this or after it.
  await lockEvent(trx, event_id);
  const free = new Set((await unreleasedLines(trx, refund.id)).map(({ id }) => id));
  const gone = lines.filter(({ id }) => free.has(id));
  if (gone.length < lines.length) await queueTask(ctx, trx, { task: 'let_go', subject: order_id });
  if (gone.length === 0) return;
  const line_ids = gone.map(({ id }) => id);
  await releaseTheseLines(trx, { order_id, line_ids }, ctx.now());
  const places = gone.map(({ place }) => place);
  await noteReleased(ctx, trx, { event_id, order_id, places });
  await happened(ctx, trx, {
    actor: 'system',
    action: 'seats_freed',
    subject: order_id,
    detail: { refund_id: refund.id, places },
  });
}

interface TicketsAnswer {
  user_id: string;
  decision: 'void' | 'keep';
  note: string;
}

/**
 * Decides on the tickets of an order that was refunded in Stripe's dashboard or is disputed:
 * 'void' ends them without a refund of ours, 'keep' leaves them valid. Runs in the caller's
 * transaction, which has locked the order.
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
  // Lines with an open refund request would be skipped below and keep valid tickets.
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
    lines: lines.map((line) => ({ line_id: line.id, price_cents: 0, ...noFees })),
  });
}
