/** The drawer that pays a counter refund: only that of the person's open shift (RULES K3). */
import type { Trx } from '#db/engine/dialect.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import type { OrderRow, RefundRow } from '#db/rows.ts';
import { lockOpenShift } from '#db/counter/shifts.ts';
import { mayGiveBack, refundMethod } from '#server/domain/counter/counter.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { may } from '#server/domain/user/rights.ts';
import type { Role } from '#server/domain/user/user.ts';

/** The person who hands the money over. */
export interface Giver {
  user_id: string;
  role: Role;
}

/**
 * The drawer's columns of the refund; orders from the web need no drawer.
 * @throws Refusal shift_not_open, not_own_shift
 */
export async function drawerOf(
  trx: Trx,
  order: OrderRow,
  { user_id, role }: Giver,
): Promise<Pick<RefundRow, 'shift_id' | 'method'>> {
  if (order.channel !== 'counter' && may(role, 'refund')) return { shift_id: null, method: null };
  const shift = await lockOpenShift(trx, user_id);
  if (!shift) throw new Refusal('shift_not_open');
  const paid = await paymentsOf(trx, order.id);
  const shift_ids = [order.shift_id, ...paid.map((payment) => payment.shift_id)];
  if (!mayGiveBack(role, { shift_ids }, shift.id)) throw new Refusal('not_own_shift');
  return { shift_id: shift.id, method: refundMethod(paid.flatMap(({ method }) => method ?? [])) };
}
