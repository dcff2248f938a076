/** Closings of days in SQL: the sheets, the shifts of a day, and its money outside the tills. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { readFirst } from '#db/engine/statements.ts';
import { withoutRehearsals } from '#db/event/events.ts';
import { refundsByPart } from '#db/payment/refund-parts.ts';
import { givenAt } from '#db/payment/refunds.ts';
import type { DaySheetRow, ShiftRow } from '#db/rows.ts';
import { countedRefunds, type RefundState } from '#server/domain/payment/refund.ts';
import type { Span } from '#server/domain/time/day.ts';

/** Newest last. */
export async function sheetsOfDay(db: Db, day: string): Promise<DaySheetRow[]> {
  return db<DaySheetRow>('day_sheets').where({ day }).orderBy('nth');
}

/** Locks the sheet that is counted but not signed. */
export async function lockCounted(trx: Trx, day: string): Promise<DaySheetRow | undefined> {
  return trx<DaySheetRow>('day_sheets').where({ day }).whereNull('signed_at').forUpdate().first();
}

/** Sheets from this day on. */
export async function sheetsSince(db: Db, day: string): Promise<DaySheetRow[]> {
  return db<DaySheetRow>('day_sheets').where('day', '>=', day).orderBy(['day', 'nth']);
}

/** Returns false if another person has stored the same sheet first. */
export async function insertSheet(trx: Trx, sheet: DaySheetRow): Promise<boolean> {
  const made = await trx<DaySheetRow>('day_sheets')
    .insert(sheet)
    .onConflict(['day', 'nth'])
    .ignore()
    .returning('id');
  return made.length === 1;
}

/** Changes a sheet that is not signed yet; returns false if it is. */
export async function changeSheet(
  trx: Trx,
  id: string,
  changes: Partial<DaySheetRow>,
): Promise<boolean> {
  const query = trx<DaySheetRow>('day_sheets').where({ id }).whereNull('signed_at');
  return (await query.update(changes)) === 1;
}

/** The shifts that began in these days, except those at a till that is none. */
export async function shiftsBegun(db: Db, { from, to }: Span, noTill: string): Promise<ShiftRow[]> {
  return db<ShiftRow>('shifts')
    .where('opened_at', '>=', from)
    .where('opened_at', '<', to)
    .whereNot('till_id', noTill)
    .orderBy(['opened_at', 'id']);
}

interface Sum {
  n: number;
  cents: number;
}

async function sumOf(query: Parameters<typeof readFirst>[0]): Promise<Sum> {
  const sum = await readFirst<{ n: number | string; cents: number | string | null }>(query);
  return { n: Number(sum.n), cents: Number(sum.cents ?? 0) };
}

/** What came in and went back at Stripe. */
export async function onlineMoney(db: Db, { from, to }: Span) {
  const paid = db('payments')
    .join('orders', 'orders.id', 'payments.order_id')
    .where('payments.kind', 'stripe')
    .where('payments.paid_at', '>=', from)
    .where('payments.paid_at', '<', to)
    .select(db.raw('COUNT(*) AS n'), db.raw('SUM(payments.amount_cents) AS cents'));
  const back = db('refunds')
    .join('orders', 'orders.id', 'refunds.order_id')
    .where('refunds.kind', 'stripe')
    .whereIn('refunds.state', countedRefunds as RefundState[])
    .whereRaw(`${givenAt} >= ? AND ${givenAt} < ?`, [from, to])
    .select(db.raw('COUNT(*) AS n'), db.raw('SUM(refunds.amount_cents) AS cents'));
  const taken = await sumOf(withoutRehearsals(db, paid, 'orders.event_id'));
  const given = await sumOf(withoutRehearsals(db, back, 'orders.event_id'));
  return {
    payments: taken.n,
    taken_cents: taken.cents,
    refunds: given.n,
    given_cents: given.cents,
  };
}

interface ByMethod {
  method: string | null;
  cents: number | string;
}

/** What was handed over in no till, by method. */
export async function moneyOutside(db: Db, { from, to }: Span) {
  const paid = db('payments')
    .join('orders', 'orders.id', 'payments.order_id')
    .where({ 'payments.kind': 'manual', 'payments.shift_id': null })
    .where('payments.paid_at', '>=', from)
    .where('payments.paid_at', '<', to)
    .groupBy('payments.method')
    .select('payments.method', db.raw('SUM(payments.amount_cents) AS cents'));
  const handed = `COALESCE(settled.settled_at, ${givenAt})`;
  const back = db(db.raw(refundsByPart))
    .join('orders', 'orders.id', 'refunds.order_id')
    .join('refunds as settled', 'settled.id', 'refunds.refund_id')
    .where({ 'refunds.kind': 'manual', 'refunds.state': 'succeeded', 'refunds.shift_id': null })
    .whereRaw(`${handed} >= ? AND ${handed} < ?`, [from, to])
    .groupBy('refunds.method')
    .select('refunds.method', db.raw('SUM(refunds.amount_cents) AS cents'));
  const taken: ByMethod[] = await withoutRehearsals(db, paid, 'orders.event_id');
  const given: ByMethod[] = await withoutRehearsals(db, back, 'orders.event_id');
  const methods = new Set([...taken, ...given].map(({ method }) => method ?? 'other'));
  const sum = (rows: readonly ByMethod[], method: string) =>
    rows
      .filter((row) => (row.method ?? 'other') === method)
      .reduce((cents, row) => cents + Number(row.cents), 0);
  return [...methods].toSorted().map((method) => ({
    method,
    taken_cents: sum(taken, method),
    given_cents: sum(given, method),
  }));
}
