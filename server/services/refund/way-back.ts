/** How an order's money goes back: to Stripe what is left there, and the rest by hand. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import { findRefundByKey, refundLinesOf, refundsOf, setRefundLine } from '#db/payment/refunds.ts';
import type { OrderRow, RefundRow } from '#db/rows.ts';
import { sumOfParts } from '#server/domain/counter/hand-back.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';
import { addFees } from '#server/domain/price/fees.ts';
import { lessOf } from '#server/domain/payment/split-lines.ts';
import type { Ctx } from '#server/services/context.ts';
import { requestRefund, type RefundDraft } from '#server/services/payment/refunds.ts';
import { takeFromTills, type Giver } from './drawer.ts';

/** `payment_intent`: null if all of the money goes back by hand. */
export interface WayBack {
  payment_intent: string | null;
  stripe_cents: number;
  hand_cents: number;
}

/** An order is paid partly in each way after a move to a dearer seat, for example. */
export async function wayBack(
  db: Db,
  order: Pick<OrderRow, 'id' | 'paid_by' | 'payment_intent' | 'priced_by'>,
  amount_cents: number,
): Promise<WayBack> {
  const byHand = { payment_intent: null, stripe_cents: 0, hand_cents: amount_cents };
  if (order.paid_by !== 'stripe') return byHand;
  const { payment_intent } = order;
  const payments = await paymentsOf(db, order.id);
  // Usually all money came through Stripe, which itself knows how much is left.
  if (amount_cents === 0 || !payments.some(({ kind }) => kind === 'manual'))
    return { payment_intent, stripe_cents: amount_cents, hand_cents: 0 };
  const came = sumOfParts(payments.filter(({ kind }) => kind === 'stripe'));
  const gone = (await refundsOf(db, order.id)).filter(
    ({ kind, state }) => kind === 'stripe' && countedRefunds.includes(state),
  );
  const stripe_cents = Math.max(0, Math.min(amount_cents, came - sumOfParts(gone)));
  // Refunds of an order that rules priced are reckoned by what its lines gave back (RULES R7).
  const isOneWay = stripe_cents === 0 || order.priced_by !== null;
  if (isOneWay && stripe_cents < amount_cents) return byHand;
  return { payment_intent, stripe_cents, hand_cents: amount_cents - stripe_cents };
}

type WholeDraft = Omit<
  RefundDraft,
  'payment_intent' | 'handed_back' | 'parts' | 'drawer_reason' | 'order'
> & {
  order: OrderRow;
};

/** `giver`: the person who has handed the money over already; left out: it is to be done. */
interface Sending {
  way: WayBack;
  giver?: Giver | undefined;
}

/**
 * Requests the refund where the money goes back one way, and otherwise two: Stripe's, which ends
 * the tickets, and what goes back by hand. Returns the first.
 */
export async function requestBothWays(
  ctx: Ctx,
  trx: Trx,
  draft: WholeDraft,
  { way, giver }: Sending,
): Promise<RefundRow> {
  const { idempotency_key: key } = draft;
  const known = key === undefined ? undefined : await findRefundByKey(trx, key);
  if (known) return known;
  const { payment_intent, stripe_cents, hand_cents } = way;
  const isByHand = giver !== undefined && (hand_cents > 0 || payment_intent === null);
  const parts = isByHand
    ? await takeFromTills({ trx, order: draft.order, amount_cents: hand_cents, giver })
    : [];
  const handed = { handed_back: isByHand, parts, drawer_reason: giver?.drawer_reason };
  if (payment_intent === null)
    return requestRefund(ctx, trx, { ...draft, ...handed, payment_intent });
  if (hand_cents === 0) return requestRefund(ctx, trx, { ...draft, payment_intent });
  const refund = await requestRefund(ctx, trx, {
    ...draft,
    payment_intent,
    amount_cents: stripe_cents,
    lines: lessOf(draft.lines ?? [], hand_cents),
  });
  await requestRest(ctx, trx, { refund, draft, way, handed });
  return refund;
}

/** `handed`: how the money was handed over; left out: it is to be done. */
interface Rest {
  refund: Pick<RefundRow, 'id'>;
  draft: Pick<WholeDraft, 'order' | 'origin' | 'actor' | 'reason' | 'run_id'>;
  way: WayBack;
  handed?: Pick<RefundDraft, 'handed_back' | 'parts' | 'drawer_reason'>;
}

/** The part by hand is only an amount: the lines and tickets are those of Stripe's refund. */
export async function requestRest(
  ctx: Ctx,
  trx: Trx,
  { refund, draft, way, handed }: Rest,
): Promise<void> {
  const { order, origin, actor, reason, run_id } = draft;
  await requestRefund(ctx, trx, {
    order,
    origin,
    actor,
    ...(reason === undefined ? {} : { reason }),
    ...(run_id === undefined ? {} : { run_id }),
    ...handed,
    payment_intent: null,
    amount_cents: way.hand_cents,
    idempotency_key: `hand:${refund.id}`,
  });
}

/**
 * The columns of a wish that is granted, where its money goes back now: of two ways it keeps
 * Stripe's part alone.
 */
export async function splitWish(
  trx: Trx,
  refund: RefundRow,
  { payment_intent, stripe_cents, hand_cents }: WayBack,
): Promise<Partial<RefundRow>> {
  if (payment_intent === null) return { kind: 'manual', payment_intent };
  if (hand_cents === 0) return { kind: 'stripe', payment_intent };
  const lines = lessOf(await refundLinesOf(trx, refund.id), hand_cents);
  for (const line of lines) await setRefundLine(trx, line);
  return { kind: 'stripe', payment_intent, amount_cents: stripe_cents, ...addFees(lines) };
}
