/** Prices that the office has typed, in SQL, with their state at Stripe and their use. */
import type { Knex } from 'knex';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { hasPlace, samePlaceAs } from '#db/joins.ts';
import { whereOpen } from '#db/order/orders.ts';
import type { EventRow, MadePriceRow } from '#db/rows.ts';
import { countRows, insertMany } from '#db/engine/statements.ts';

export async function insertMadePrices(trx: Trx, rows: readonly MadePriceRow[]): Promise<void> {
  await insertMany(trx, 'made_prices', rows);
}

export async function findMadePrice(db: Db, id: string): Promise<MadePriceRow | undefined> {
  return db<MadePriceRow>('made_prices').where({ id }).first();
}

/** The prices with these ids at Stripe that the office has typed and not archived. */
export async function madeAmong(db: Db, price_ids: readonly string[]): Promise<MadePriceRow[]> {
  return db<MadePriceRow>('made_prices')
    .whereIn('price_id', price_ids as string[])
    .whereNot({ state: 'archived' });
}

/** Prices that were begun since then in place of these. */
export async function begunInsteadOf(
  db: Db,
  price_ids: readonly string[],
  since: number,
): Promise<MadePriceRow[]> {
  return db<MadePriceRow>('made_prices')
    .whereIn('instead_of', price_ids as string[])
    .whereIn('state', ['making', 'live'])
    .where('created_at', '>=', since)
    .orderBy(['created_at', 'id']);
}

/** The amounts of these prices as far as the house has typed or sold them, in cents. */
export async function knownAmounts(
  db: Db,
  price_ids: readonly string[],
): Promise<Map<string, number>> {
  const of = price_ids as string[];
  const typed = await db<MadePriceRow>('made_prices')
    .whereIn('price_id', of)
    .select('price_id', 'unit_amount');
  // A sale with a price by hand has another amount, but the usual one is the most frequent.
  // What rules took off a price is added again.
  const sold: { price_id: string; cents: number }[] = await db('order_lines')
    .whereIn('price_id', of)
    .groupByRaw('price_id, coalesce(list_cents, price_cents)')
    .orderBy(db.raw('count(*)'))
    .select('price_id', db.raw('coalesce(list_cents, price_cents) as cents'));
  const fees: { price_id: string; cents: number }[] = await db('order_lines')
    .join('events', 'events.id', 'order_lines.event_id')
    .whereIn('events.fee_price_id', of)
    // Beside other surcharges the fee of a line is not this price alone.
    .whereNull('events.surcharges')
    .where('order_lines.fee_cents', '>', 0)
    .groupBy('events.fee_price_id', 'order_lines.fee_cents')
    .orderBy(db.raw('count(*)'))
    .select('events.fee_price_id as price_id', 'order_lines.fee_cents as cents');
  return new Map([
    ...[...fees, ...sold].map(({ price_id, cents }) => [price_id, cents] as const),
    ...typed.map(({ price_id, unit_amount }) => [price_id ?? '', unit_amount] as const),
  ]);
}

/** Returns false, and changes nothing, if the price is in none of these states. */
export async function turnMadePrice(
  trx: Trx,
  id: string,
  {
    from,
    ...to
  }: { from: readonly MadePriceRow['state'][] } & Pick<MadePriceRow, 'state'> &
    Partial<Pick<MadePriceRow, 'price_id'>>,
): Promise<boolean> {
  return (
    (await trx<MadePriceRow>('made_prices')
      .where({ id })
      .whereIn('state', from as MadePriceRow['state'][])
      .update(to)) === 1
  );
}

/** Events or shows whose prices, or those of a phase, include this one. */
function whereNamed(query: Knex.QueryBuilder, price_id: string): Knex.QueryBuilder {
  const named = `%"${price_id}"%`;
  return query
    .where({ fee_price_id: price_id })
    .orWhereLike('seat_pricing', named)
    .orWhereLike('price_phases', named);
}

/** True if an event or a show sells with the price, or if an order was ever made with it. */
export async function isPriceNamed(db: Db, price_id: string): Promise<boolean> {
  const named = `%"${price_id}"%`;
  for (const table of ['events', 'shows'])
    if ((await countRows(whereNamed(db(table), price_id))) > 0) return true;
  return (
    (await db('order_lines').where({ price_id }).first('id')) !== undefined ||
    (await whereOpen(db('orders')).whereLike('stripe_params', named).first('id')) !== undefined
  );
}

/** Lists shows first, then dates, the earliest first. */
export async function titlesWithPrice(
  db: Db,
  price_id: string,
): Promise<Pick<EventRow, 'id' | 'title' | 'seat_pricing' | 'price_phases' | 'fee_price_id'>[]> {
  const columns = ['id', 'title', 'seat_pricing', 'price_phases', 'fee_price_id'];
  const naming = (table: string) => whereNamed(db(table), price_id).select(columns);
  return [
    ...(await naming('shows').orderBy('id')),
    ...(await naming('events').orderBy(['starts_at', 'id'])),
  ];
}

export async function renameMadePrice(db: Db, id: string, name: string): Promise<void> {
  await db<MadePriceRow>('made_prices').where({ id }).update({ name });
}

interface SoldAtPrice {
  category: string;
  category_key: string;
  ticket_type: string;
  price_id: string;
  n: number;
}

/** Counts places that are sold or being sold, by category, ticket type and price. */
export async function soldByPrice(db: Db, event_ids: readonly string[]): Promise<SoldAtPrice[]> {
  return db('order_lines')
    .whereIn('order_lines.event_id', event_ids as string[])
    .whereRaw(hasPlace('order_lines'))
    .join('places', samePlaceAs('order_lines'))
    .groupBy(
      'places.category',
      'places.category_key',
      'order_lines.ticket_type',
      'order_lines.price_id',
    )
    .select(
      'places.category',
      'places.category_key',
      'order_lines.ticket_type',
      'order_lines.price_id',
    )
    .count<SoldAtPrice[]>({ n: '*' });
}

interface HallCategory {
  category: string;
  category_key: string;
  places: number;
}

/** The categories of these dates' halls, the largest first. */
export async function hallCategories(
  db: Db,
  event_ids: readonly string[],
): Promise<HallCategory[]> {
  return db('places')
    .where({ in_hall: 1 })
    .whereIn('event_id', event_ids as string[])
    .groupBy('category', 'category_key')
    .select('category', 'category_key')
    .count<HallCategory[]>({ places: '*' })
    .orderBy([{ column: 'places', order: 'desc' }, { column: 'category' }]);
}
