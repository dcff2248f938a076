/**
 * The reading of a shift (called X while the shift is open): money by method, tickets by event
 * and type, gifts separately, and what the drawer must contain (RULES K3).
 */
import type { Db } from '#db/engine/dialect.ts';
import type { ShiftRow } from '#db/rows.ts';
import { giftsIn, givenBack, movesOf, soldIn, takenIn } from '#db/counter/shifts.ts';
import { drawerOf, expectedCash } from '#server/domain/counter/counter.ts';

export type ShiftReport = Awaited<ReturnType<typeof readShift>>;

/** What a cashier reads of a shift that is not counted yet (RULES K3). */
export function hideCash({ payments, refunds, sold, ...report }: ShiftReport) {
  const isNoCash = ({ method }: { method: string }) => method !== 'cash';
  return {
    ...report,
    cash_sales_cents: null,
    cash_refunds_cents: null,
    expected_cents: null,
    payments: payments.filter(isNoCash),
    refunds: refunds.filter(isNoCash),
    sold: sold.map((line) => ({ ...line, amount_cents: null })),
  };
}

export async function readShift(db: Db, { id, float_cents }: ShiftRow) {
  const payments = await takenIn(db, id);
  const refunds = await givenBack(db, id);
  const moves = await movesOf(db, id);
  const drawer = drawerOf({ float_cents, payments, refunds, moves });
  return {
    ...drawer,
    expected_cents: expectedCash(drawer),
    payments,
    refunds,
    moves,
    sold: await soldIn(db, id),
    gifts: await giftsIn(db, id),
  };
}
