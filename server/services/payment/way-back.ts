/** How an order's money goes back: what is left at Stripe goes back there, the rest by hand. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { exchangeInto } from '#db/order/exchanges.ts';
import { requireOrderRow } from '#db/order/orders.ts';
import { paymentsOf, paymentsToDrawOn } from '#db/payment/payments.ts';
import { findRefundByKey, refundsAt, refundsWithLater } from '#db/payment/refunds.ts';
import type { OrderRow, RefundRow } from '#db/rows.ts';
import { sumOfParts } from '#server/domain/counter/hand-back.ts';
import { countedRefunds } from '#server/domain/payment/refund.ts';
import { asRefusal, Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { takeFromTills, type Giver } from './drawer.ts';
import { requestRefund, type RefundDraft } from './refunds.ts';

type Refunded = Pick<OrderRow, 'id' | 'paid_by' | 'payment_intent' | 'exchange_credit_cents'>;

/** A part of a sum that goes back. `payment_intent`: null if it goes back by hand. */
export interface WayBack {
  payment_intent: string | null;
  amount_cents: number;
}

export type WaysBack = readonly [WayBack, ...WayBack[]];

/**
 * The parts in which a sum goes back, the one by hand last. What tickets of another date paid for
 * goes back to their payments first, up to what is left there (RULES R4, M7).
 */
export async function waysBack(db: Db, order: Refunded, amount_cents: number): Promise<WaysBack> {
  const payment_intent = order.paid_by === 'stripe' ? order.payment_intent : null;
  // Usually all money came one way, and Stripe itself knows how much is left there.
  if (amount_cents === 0 || !(await isMixed(db, order))) return [{ payment_intent, amount_cents }];
  let left = amount_cents;
  const ways: WayBack[] = [];
  for (const source of await sourcesOf(db, order)) {
    const part = Math.min(left, source.amount_cents);
    if (part > 0) ways.push({ ...source, amount_cents: part });
    left -= part;
  }
  const byHand = { payment_intent: null, amount_cents: left };
  const [first = byHand, ...others] = left > 0 ? [...ways, byHand] : ways;
  return [first, ...others];
}

/** After a move to a dearer seat an order is paid partly in each way, for example. */
async function isMixed(db: Db, order: Refunded): Promise<boolean> {
  if (order.exchange_credit_cents !== null) return true;
  if (order.paid_by !== 'stripe') return false;
  return (await paymentsOf(db, order.id)).some(({ kind }) => kind === 'manual');
}

/** The payments at Stripe from which this order may pay back, and how much of each. */
async function sourcesOf(
  db: Db,
  { id, exchange_credit_cents }: Pick<OrderRow, 'id' | 'exchange_credit_cents'>,
): Promise<WayBack[]> {
  const own: WayBack[] = [];
  for (const { payment_intent, amount_cents } of await paymentsToDrawOn(db, id))
    if (payment_intent !== null) {
      const gone = sumOfParts((await refundsAt(db, payment_intent)).filter(isAtStripe));
      own.push({ payment_intent, amount_cents: Math.max(0, amount_cents - gone) });
    }
  if (exchange_credit_cents === null) return own;
  const { from_order_id } = requireValue(await exchangeInto(db, id), 'exchange');
  const earlier = await sourcesOf(db, await requireOrderRow(db, from_order_id));
  // Orders for which its own tickets were exchanged since have drawn on the same credit.
  const drawn = (await refundsWithLater(db, id)).filter(
    (refund) =>
      isAtStripe(refund) &&
      earlier.some(({ payment_intent }) => payment_intent === refund.payment_intent),
  );
  let room = Math.max(0, exchange_credit_cents - sumOfParts(drawn));
  const within = earlier.map((source) => {
    const part = Math.min(room, source.amount_cents);
    room -= part;
    return { ...source, amount_cents: part };
  });
  return [...within, ...own];
}

function isAtStripe({ kind, state }: RefundRow): boolean {
  return kind === 'stripe' && countedRefunds.includes(state);
}

/** The part that goes back by hand. */
export function handOf(ways: readonly WayBack[]): WayBack | undefined {
  return ways.find(({ payment_intent }) => payment_intent === null);
}

export function kindOf({ payment_intent }: WayBack): 'manual' | 'stripe' {
  return payment_intent === null ? 'manual' : 'stripe';
}

/** How the part by hand was handed over; empty: it is to be done. */
type Handed = Pick<RefundDraft, 'handed_back' | 'parts' | 'drawer_reason'>;

type WholeDraft = Omit<RefundDraft, 'payment_intent' | 'order' | keyof Handed> & {
  order: OrderRow;
};

/** `giver`: the person who has handed the money over already; left out: it is to be done. */
interface Sending {
  ways: WaysBack;
  giver?: Giver | undefined;
}

/** Requests a refund for each way; the first names the tickets. Returns that one. */
export async function requestAllWays(
  ctx: Ctx,
  trx: Trx,
  draft: WholeDraft,
  { ways, giver }: Sending,
): Promise<RefundRow> {
  const { order, idempotency_key: key } = draft;
  const known = key === undefined ? undefined : await findRefundByKey(trx, key);
  if (known) return known;
  const handed = giver === undefined ? {} : await handOver(trx, order, { ways, giver });
  const [own, ...rests] = ways;
  const refund = await requestRefund(ctx, trx, { ...draft, ...own, ...handedIn(own, handed) });
  await requestRests(ctx, trx, { refund, draft, rests, handed });
  return refund;
}

interface Rests {
  refund: Pick<RefundRow, 'id'>;
  draft: Pick<WholeDraft, 'order' | 'origin' | 'actor' | 'reason' | 'run_id'>;
  rests: readonly WayBack[];
  handed?: Handed;
}

/** Completes a refund in other ways, which end no tickets. */
export async function requestRests(
  ctx: Ctx,
  trx: Trx,
  { refund, draft, rests, handed = {} }: Rests,
): Promise<RefundRow[]> {
  const { order, origin, actor, reason, run_id } = draft;
  if (rests.length > 0) await raiseFloor(ctx, trx, '1.7.0');
  const requested: RefundRow[] = [];
  for (const [nth, way] of rests.entries())
    requested.push(
      await requestRefund(ctx, trx, {
        order,
        origin,
        actor,
        ...(reason !== undefined && { reason }),
        ...(run_id !== undefined && { run_id }),
        ...way,
        ...handedIn(way, handed),
        rest_of: refund.id,
        idempotency_key: `refund:${refund.id}:rest:${nth + 1}`,
      }),
    );
  return requested;
}

function handedIn({ payment_intent }: WayBack, handed: Handed): Handed {
  return payment_intent === null ? handed : {};
}

interface Handing {
  ways: readonly WayBack[];
  giver: Giver;
}

/** Takes the part by hand out of the tills; refuses what takeFromTills() refuses. */
async function handOver(trx: Trx, order: OrderRow, { ways, giver }: Handing): Promise<Handed> {
  const part = handOf(ways);
  if (part === undefined) return {};
  const parts = await takeFromTills({ trx, order, amount_cents: part.amount_cents, giver });
  return { handed_back: true, parts, drawer_reason: giver.drawer_reason };
}

/**
 * The same for a sum that all goes back by hand, out of the giver's own till alone; null: the
 * office hands it back later (RULES K3).
 */
export async function handOverNow(
  trx: Trx,
  order: OrderRow,
  handing: Handing,
): Promise<Handed | null> {
  if (handing.ways.length > 1) return null;
  const handed = await handOver(trx, order, handing).catch(asRefusal);
  if (handed instanceof Refusal) return null;
  const isFromTill = (handed.parts ?? []).every(({ shift_id }) => shift_id !== null);
  return isFromTill ? handed : null;
}
