/** Out of whose drawer money of a counter sale goes back: only that of one's own open shift (RULES K3). */
import type { Trx } from '#db/dialect.ts';
import { paymentsOf } from '#db/payments.ts';
import type { OrderRow, RefundRow } from '#db/rows.ts';
import { lockOpenShift } from '#db/shifts.ts';
import { refundMethod } from '#server/domain/counter.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** Nobody's drawer for orders of the web. Refuses shift_not_open. */
export async function drawerOf(
  trx: Trx,
  order: OrderRow,
  user_id: string,
): Promise<Pick<RefundRow, 'shift_id' | 'method'>> {
  if (order.channel !== 'counter') return { shift_id: null, method: null };
  const shift = await lockOpenShift(trx, user_id);
  if (!shift) throw new Refusal('shift_not_open');
  const paid = await paymentsOf(trx, order.id);
  return { shift_id: shift.id, method: refundMethod(paid.flatMap(({ method }) => method ?? [])) };
}
