/** Earlier buyers in SQL, for searches at the counter; erased buyers are not found. */
import type { Knex } from 'knex';
import { phoneEnd } from '#server/domain/text/search.ts';
import { whereWords, type Db } from '#db/engine/dialect.ts';

export interface Buyer {
  order_id: string;
  buyer_name: string | null;
  buyer_email: string | null;
  buyer_phone: string | null;
}

function buyers(db: Db): Knex.QueryBuilder {
  return db('orders')
    .whereNull('buyer_forgotten_at')
    .select('id as order_id', 'buyer_name', 'buyer_email', 'buyer_phone');
}

function newest(query: Knex.QueryBuilder, limit: number): Knex.QueryBuilder {
  return query.orderBy('created_at', 'desc').limit(limit);
}

/** Buyers whose number, name or mail contains all the words; the newest order comes first. */
export async function buyersByWords(
  db: Db,
  words: readonly string[],
  limit: number,
): Promise<Buyer[]> {
  const query = buyers(db).where((b) => b.whereNotNull('buyer_name').orWhereNotNull('buyer_email'));
  return newest(whereWords(query, db, words), limit);
}

/**
 * Buyers whose telephone ends with these digits, in any spelling; the newest order comes first.
 */
export async function buyersByPhone(db: Db, digits: string, limit: number): Promise<Buyer[]> {
  const bare = [' ', '-', '/', '.'].reduce(
    (text, sign) => `REPLACE(${text}, '${sign}', '')`,
    'buyer_phone',
  );
  const query = buyers(db)
    .whereNotNull('buyer_phone')
    .whereRaw(`${bare} LIKE ?`, [`%${digits}`]);
  return newest(whereWords(query, db, [phoneEnd(digits)]), limit);
}

/** Returns undefined if the buyer is unknown or erased. */
export async function buyerOf(db: Db, order_id: string): Promise<Buyer | undefined> {
  return buyers(db).where({ id: order_id }).first();
}
