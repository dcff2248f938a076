/**
 * The reading of a shift (called X while the shift is open): money by method, tickets by event
 * and type, gifts separately, and what the drawer must contain (RULES K3).
 */
import type { Db } from '#db/engine/dialect.ts';
import type { ShiftRow } from '#db/rows.ts';
import { giftsIn, givenBack, movesOf, soldIn, takenIn } from '#db/counter/shifts.ts';
import { expectedCash } from '#server/domain/counter/counter.ts';

export type ShiftReport = Awaited<ReturnType<typeof readShift>>;

export async function readShift(db: Db, { id, float_cents }: ShiftRow) {
  const payments = await takenIn(db, id);
  const refunds = await givenBack(db, id);
  const moves = await movesOf(db, id);
  const cashOf = (sums: typeof payments) =>
    sums.find(({ method }) => method === 'cash')?.amount_cents ?? 0;
  const moved = (wanted: (cents: number) => boolean) =>
    moves.reduce((sum, { amount_cents: cents }) => sum + (wanted(cents) ? Math.abs(cents) : 0), 0);
  const drawer = {
    float_cents,
    cash_sales_cents: cashOf(payments),
    cash_refunds_cents: cashOf(refunds),
    moved_in_cents: moved((cents) => cents > 0),
    moved_out_cents: moved((cents) => cents < 0),
  };
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
