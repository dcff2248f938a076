/** Valid tickets by the terms under which they were sold, and those of them without a name. */
import type { Db } from '#db/engine/dialect.ts';
import { soldRights, type Rights } from '#server/domain/order/terms.ts';

/** How many valid tickets each of these events has sold under each set of terms. */
export async function soldTerms(
  db: Db,
  event_ids: readonly string[],
): Promise<(Rights & { event_id: string; tickets: number; unnamed: number })[]> {
  const groups = ['t.event_id', ...soldRights.map((name) => `o.${name}`)];
  const rows = await db('tickets as t')
    .join('orders as o', 'o.id', 't.order_id')
    .where('t.state', 'valid')
    .whereIn('t.event_id', event_ids as string[])
    .groupBy(groups)
    .select(groups)
    .select(db.raw('COUNT(*) AS tickets'))
    .select(db.raw('SUM(CASE WHEN t.holder IS NULL THEN 1 ELSE 0 END) AS unnamed'));
  return rows.map((row) => ({
    ...row,
    tickets: Number(row.tickets),
    unnamed: Number(row.unnamed),
  }));
}

/** Confirmed orders with an address that were sold without names and lack one. */
export async function ordersWithoutNames(db: Db, event_id: string): Promise<string[]> {
  return db('orders as o')
    .where({ 'o.event_id': event_id, 'o.state': 'confirmed', 'o.nominative': 0 })
    .whereNotNull('o.buyer_email')
    .whereExists(
      db('tickets as t')
        .whereRaw('t.order_id = o.id')
        .where('t.state', 'valid')
        .whereNull('t.holder')
        .select(db.raw('1')),
    )
    .orderBy('o.id')
    .pluck('o.id');
}
