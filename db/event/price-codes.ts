/** Codes of price rules in SQL: their uses are claimed and given back with the order (RULES P7). */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { countRows, insertMany, marksFor, selectRows } from '#db/engine/statements.ts';
import type { CodeUseRow, PriceCodeRow } from '#db/rows.ts';

/** The code of this spelling, unless it has ended. */
export async function liveCode(db: Db, spelling: string): Promise<PriceCodeRow | undefined> {
  const [code] = await selectRows<PriceCodeRow>(
    db,
    'SELECT * FROM price_codes WHERE spelling = ? AND ended_at IS NULL',
    [spelling],
  );
  return code;
}

/** How a code is typed, ended or not. */
export async function spellingOf(db: Db, id: string): Promise<string | undefined> {
  const [code] = await selectRows<{ spelling: string }>(
    db,
    'SELECT spelling FROM price_codes WHERE id = ?',
    [id],
  );
  return code?.spelling;
}

export async function isSpelled(db: Db, spelling: string): Promise<boolean> {
  const codes = await selectRows<{ id: string }>(
    db,
    'SELECT id FROM price_codes WHERE spelling = ?',
    [spelling],
  );
  return codes.length > 0;
}

/** Which uses of a code count for a limit. */
interface UsesAsk {
  code_id: string;
  address?: string;
  /** UTC milliseconds. */
  from?: number;
  before?: number;
}

export async function countUses(db: Db, ask: UsesAsk): Promise<number> {
  const { code_id, address, from, before } = ask;
  const uses = db<CodeUseRow>('code_uses').where({ code_id }).whereNull('given_back_at');
  if (address !== undefined) uses.where({ address });
  if (from !== undefined) uses.where('used_at', '>=', from);
  if (before !== undefined) uses.where('used_at', '<', before);
  return countRows(uses);
}

/**
 * Counts one more use within the limits of orders and tickets, and locks the code until the
 * transaction ends. Undefined: no use is left, or the code has ended.
 */
export async function raiseUses(
  trx: Trx,
  { id, tickets }: { id: string; tickets: number },
): Promise<PriceCodeRow | undefined> {
  const [code] = await selectRows<PriceCodeRow>(
    trx,
    `UPDATE price_codes SET orders_used = orders_used + 1, tickets_used = tickets_used + ?
      WHERE id = ? AND ended_at IS NULL AND (most_orders IS NULL OR orders_used < most_orders)
      AND (most_tickets IS NULL OR tickets_used + ? <= most_tickets) RETURNING *`,
    [tickets, id, tickets],
  );
  return code;
}

/** The same whatever the limits are; false: there is no such code any more. */
export async function raiseUsesAnyway(
  trx: Trx,
  { id, tickets }: { id: string; tickets: number },
): Promise<boolean> {
  const codes = await selectRows<{ id: string }>(
    trx,
    `UPDATE price_codes SET orders_used = orders_used + 1, tickets_used = tickets_used + ?
      WHERE id = ? RETURNING id`,
    [tickets, id],
  );
  return codes.length > 0;
}

/** Stores uses that raiseUses() has counted. */
export async function insertUses(trx: Trx, uses: readonly CodeUseRow[]): Promise<void> {
  await insertMany(trx, 'code_uses', uses);
}

/** The uses of an order, by code. */
export async function usesOf(db: Db, order_id: string): Promise<CodeUseRow[]> {
  return selectRows<CodeUseRow>(db, 'SELECT * FROM code_uses WHERE order_id = ? ORDER BY code_id', [
    order_id,
  ]);
}

/** The spellings of codes whose use by this order holds. */
export async function codesHeldBy(db: Db, order_id: string): Promise<string[]> {
  const rows = await selectRows<{ spelling: string }>(
    db,
    `SELECT c.spelling FROM code_uses u JOIN price_codes c ON c.id = u.code_id
      WHERE u.order_id = ? AND u.given_back_at IS NULL ORDER BY c.spelling`,
    [order_id],
  );
  return rows.map(({ spelling }) => spelling);
}

/** Makes a use that was given back count again, as part of its order's new claim. */
export async function renewUse(trx: Trx, id: string): Promise<void> {
  await trx<CodeUseRow>('code_uses').where({ id }).update({ given_back_at: null });
}

/** Gives back the uses of these orders that still hold; returns how many they were. */
export async function giveUsesBack(
  trx: Trx,
  order_ids: readonly string[],
  at: number,
): Promise<number> {
  if (order_ids.length === 0) return 0;
  const given = await selectRows<CodeUseRow>(
    trx,
    `UPDATE code_uses SET given_back_at = ? WHERE given_back_at IS NULL
      AND order_id IN (${marksFor(order_ids)}) RETURNING *`,
    [at, ...order_ids],
  );
  // In one order, so that two transactions do not wait for each other.
  for (const use of given.toSorted((a, b) => (a.code_id < b.code_id ? -1 : 1)))
    await selectRows(
      trx,
      `UPDATE price_codes SET orders_used = orders_used - 1, tickets_used = tickets_used - ?
        WHERE id = ?`,
      [use.tickets, use.code_id],
    );
  return given.length;
}

/** The codes of a rule follow it to its new version. */
export async function moveCodes(trx: Trx, from: string, to: string): Promise<void> {
  await trx<PriceCodeRow>('price_codes').where({ rule_id: from }).update({ rule_id: to });
}
