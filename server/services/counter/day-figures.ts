/** The money of a day as the tills, Stripe and the payments outside the tills tell it. */
import { moneyOutside, onlineMoney, shiftsBegun } from '#db/counter/day-sheets.ts';
import type { Db } from '#db/engine/dialect.ts';
import type { ShiftRow } from '#db/rows.ts';
import type { DayFigures, ShiftOfDay } from '#server/domain/counter/day-sheet.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { dayOf, startOfDay } from '#server/domain/time/rome-clock.ts';
import { namesOf, type NameOf } from '#server/services/user/actors.ts';
import { rebuiltTill } from './rebuilt-shift.ts';
import type { ShiftReport } from './shift-report.ts';

/** The time of a day in Rome. */
export function spanOfDay(day: string) {
  return { from: startOfDay(dayOf(day)), to: startOfDay(dayOf(day) + 1) };
}

/** The shifts that began on these days. */
export async function tillShifts(db: Db, span: ReturnType<typeof spanOfDay>): Promise<ShiftRow[]> {
  return shiftsBegun(db, span, rebuiltTill);
}

/** Reads the day; its shifts must be closed. */
export async function readFigures(db: Db, day: string): Promise<DayFigures> {
  const span = spanOfDay(day);
  const shifts = await tillShifts(db, span);
  const nameOf = await namesOf(
    db,
    shifts.map(({ user_id }) => `user:${user_id}`),
  );
  return {
    shifts: shifts.map((shift) => shiftOfDay(shift, nameOf)),
    outside: await moneyOutside(db, span),
    online: await onlineMoney(db, span),
  };
}

function shiftOfDay(shift: ShiftRow, nameOf: NameOf): ShiftOfDay {
  const report = JSON.parse(requireValue(shift.report, 'report')) as ShiftReport;
  const { cash_sales_cents, cash_refunds_cents, moved_in_cents, moved_out_cents } = report;
  return {
    shift_id: shift.id,
    till_id: shift.till_id,
    till_name: shift.till_name,
    user_name: nameOf(`user:${shift.user_id}`),
    opened_at: shift.opened_at,
    closed_at: requireValue(shift.closed_at, 'end'),
    float_cents: shift.float_cents,
    cash_sales_cents,
    cash_refunds_cents,
    moved_in_cents,
    moved_out_cents,
    counted_cents: requireValue(shift.counted_cents, 'count'),
    pos: { taken_cents: posOf(report.payments), given_cents: posOf(report.refunds) },
  };
}

function posOf(sums: ShiftReport['payments']): number {
  return sums.find(({ method }) => method === 'pos')?.amount_cents ?? 0;
}
