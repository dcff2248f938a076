/** Codes of price rules for the office in SQL. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import { countRows, insertMany, selectRows } from '#db/engine/statements.ts';
import type { PriceCodeRow } from '#db/rows.ts';

export async function listCodes(db: Db, rule_id: string, page: Page): Promise<PriceCodeRow[]> {
  const query = db<PriceCodeRow>('price_codes').where({ rule_id });
  newestFirst(query, { table: 'price_codes', time: 'created_at' }, page);
  return query;
}

/** All of a rule, the oldest first. */
export async function allCodes(db: Db, rule_id: string): Promise<PriceCodeRow[]> {
  return db<PriceCodeRow>('price_codes').where({ rule_id }).orderBy(['created_at', 'id']);
}

export async function countCodes(db: Db, rule_id: string): Promise<number> {
  return countRows(db('price_codes').where({ rule_id }));
}

export async function findCode(db: Db, id: string): Promise<PriceCodeRow | undefined> {
  return db<PriceCodeRow>('price_codes').where({ id }).first();
}

export async function insertCodes(trx: Trx, codes: readonly PriceCodeRow[]): Promise<void> {
  await insertMany(trx, 'price_codes', codes);
}

/** Returns false if the code has ended. */
export async function changeCode(
  trx: Trx,
  id: string,
  change: Partial<PriceCodeRow>,
): Promise<boolean> {
  const live = trx<PriceCodeRow>('price_codes').where({ id }).whereNull('ended_at');
  return (await live.update(change)) === 1;
}

/** Returns false if the code had ended already. */
export async function setCodeEnded(trx: Trx, id: string, ended_at: number): Promise<boolean> {
  return changeCode(trx, id, { ended_at });
}

export interface RuleUses {
  rule_id: string;
  /** Codes that open the rule. */
  live: number;
  /** Uses that hold. */
  orders: number;
  tickets: number;
}

/** The codes of each rule that has some, and their uses. */
export async function usesOfRules(db: Db): Promise<RuleUses[]> {
  const rows = await selectRows<RuleUses>(
    db,
    `SELECT rule_id, COUNT(*) - COUNT(ended_at) AS live, SUM(orders_used) AS orders,
      SUM(tickets_used) AS tickets FROM price_codes GROUP BY rule_id`,
    [],
  );
  return rows.map(({ rule_id, live, orders, tickets }) => ({
    rule_id,
    live: Number(live),
    orders: Number(orders),
    tickets: Number(tickets),
  }));
}

/** Deletes the codes of rules that are deleted next. */
export async function deleteCodesOf(
  trx: Trx,
  owner: { event_id?: string | null; show_id?: string | null },
): Promise<void> {
  const rules = trx('price_rules').where(owner).select('id');
  await trx('price_codes').whereIn('rule_id', rules).delete();
}
