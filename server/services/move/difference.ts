/** The difference in price of tickets that move or change their type: how it is settled (M2). */
import { lockOpenShift, openShiftOf } from '#db/counter/shifts.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { noteOrder } from '#db/order/orders.ts';
import { insertPayment, sumPaid } from '#db/payment/payments.ts';
import type { OrderRow } from '#db/rows.ts';
import { changeOf } from '#server/domain/counter/counter.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { settlesDifference } from '#server/domain/seat/move.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Giver } from '#server/services/payment/drawer.ts';
import { handOf, requestAllWays, waysBack } from '#server/services/payment/way-back.ts';
import type { DifferenceAsk } from './steps.ts';

interface Agreeing {
  difference_cents: number;
  /** The difference that the office saw. */ expected_cents: number;
  difference: DifferenceAsk | undefined;
  by: Giver;
}

/** @throws Refusal move_changed, move_unsettled, payment_wrong, bad_request, shift_not_open */
export async function requireSettled(
  ctx: Ctx,
  { difference_cents, expected_cents, difference, by }: Agreeing,
): Promise<void> {
  if (difference_cents !== expected_cents) throw new Refusal('move_changed', { difference_cents });
  if (!settlesDifference(difference_cents, difference?.way ?? null))
    throw new Refusal('move_unsettled', { difference_cents });
  if (difference?.way !== 'paid') return;
  const { method, given_cents, receipt, reason } = difference;
  changeOf([{ method, amount_cents: difference_cents, given_cents, receipt }], difference_cents);
  // The till does not count a bank transfer, so whoever says that it came must give a reason.
  if (method === 'transfer' && reason === undefined)
    throw new Refusal('bad_request', { fields: ['difference.reason'] });
  if (method !== 'transfer' && !(await openShiftOf(ctx.db, by.user_id)))
    throw new Refusal('shift_not_open');
}

interface Owed {
  move_id: string;
  difference_cents: number;
  difference: DifferenceAsk | undefined;
  /** What a line of the refund says. */ reason: string;
  by: Giver;
}

/**
 * Books the difference and how it is paid, unless the house waives it. Returns the refund's id if
 * money goes back.
 */
export async function settleDifference(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  owed: Owed,
): Promise<string | null> {
  const { difference_cents, difference } = owed;
  if (difference === undefined || difference.way === 'waived') return null;
  await noteOrder(trx, order.id, { total_cents: order.total_cents + difference_cents });
  if (difference.way === 'refunded') return giveBack(ctx, trx, order, { ...owed, difference });
  await takeMoney(ctx, trx, order, { ...owed, difference });
  return null;
}

type Ask<Way> = Owed & { difference: Extract<DifferenceAsk, { way: Way }> };

async function takeMoney(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  { difference_cents, difference, by }: Ask<'paid'>,
): Promise<void> {
  const { method, given_cents = null, receipt = null, reason = null } = difference;
  const shift = method === 'transfer' ? null : await lockOpenShift(trx, by.user_id);
  if (shift === undefined) throw new Refusal('shift_not_open');
  await insertPayment(trx, {
    id: ctx.newId(),
    order_id: order.id,
    kind: 'manual',
    method,
    amount_cents: difference_cents,
    given_cents,
    receipt_number: receipt,
    note: reason,
    actor: `user:${by.user_id}`,
    shift_id: shift?.id ?? null,
    disputed: 0,
    paid_at: ctx.now(),
  });
  await noteOrder(trx, order.id, { paid_cents: await sumPaid(trx, order.id) });
}

async function giveBack(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  { move_id, difference_cents, difference, reason, by }: Ask<'refunded'>,
): Promise<string> {
  const amount_cents = -difference_cents;
  const ways = await waysBack(trx, order, amount_cents);
  const draft = {
    order,
    origin: 'office' as const,
    actor: `user:${by.user_id}` as const,
    amount_cents,
    idempotency_key: `move:${move_id}`,
    reason,
  };
  const { handed_back, ways: parts, drawer_reason } = difference;
  const handing = { ...by, ...(parts && { ways: parts }), ...(drawer_reason && { drawer_reason }) };
  const giver = handed_back === true ? handing : undefined;
  const refund = await requestAllWays(ctx, trx, draft, { ways, giver });
  return refund.id;
}

/** Of what goes back: the part that Stripe cannot take back. */
export async function handCents(db: Db, order: OrderRow, back_cents: number): Promise<number> {
  if (back_cents <= 0) return 0;
  return handOf(await waysBack(db, order, back_cents))?.amount_cents ?? 0;
}
