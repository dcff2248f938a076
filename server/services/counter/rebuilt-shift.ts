/**
 * The shift of sales that are written again after a restore: their money lay in a drawer that was
 * counted, or will be, without them (RULES B3).
 */
import { isUniqueViolation } from '#db/engine/dialect.ts';
import { insertShift, notClosed, openShiftAt } from '#db/counter/shifts.ts';
import { transact } from '#db/engine/transact.ts';
import type { ShiftRow } from '#db/rows.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';

/** What stands for the till, for the seller, and beside each payment. */
export const rebuiltWords = {
  till: 'Ricostruito',
  seller: 'dopo il ripristino',
  note: 'Venduto prima del ripristino',
};

/** No till of the house can have this id. */
export const rebuiltTill = '.rebuilt';

/** The open one, or a new one once the office has counted it. */
export async function rebuiltShift(ctx: Ctx): Promise<ShiftRow> {
  const open = await openShiftAt(ctx.db, rebuiltTill);
  if (open) return open;
  const shift: ShiftRow = {
    id: ctx.newId(),
    user_id: rebuiltTill,
    till_id: rebuiltTill,
    till_name: rebuiltWords.till,
    float_cents: 0,
    opened_at: ctx.now(),
    ...notClosed,
  };
  try {
    await transact(ctx.db, (trx) => insertShift(trx, shift));
    return shift;
  } catch (error) {
    // Another sale has opened it in the same moment.
    if (!isUniqueViolation(error)) throw error;
    return requireValue(await openShiftAt(ctx.db, rebuiltTill), 'shift');
  }
}
