/** Sums over the movements of the account's money. */
import type { Reader } from '#server/standins/kit/store.ts';

export interface CurrencySum {
  currency: string;
  available: number;
  pending: number;
}

/** What has moved in this currency at all, before fees. */
export async function grossOf(reader: Reader, currency: string): Promise<number> {
  const row = await reader.get<{ sum: number | null }>(
    "SELECT sum(body ->> '$.amount') AS sum FROM stripe_objects WHERE kind = 'balance_transaction' AND body ->> '$.currency' = ?",
    currency,
  );
  return row?.sum ?? 0;
}

/** After fees, per currency; `at` in unix seconds. */
export function sumsByCurrency(reader: Reader, at: number): Promise<CurrencySum[]> {
  return reader.all<CurrencySum>(
    `SELECT body ->> '$.currency' AS currency,
      sum(CASE WHEN body ->> '$.available_on' <= ? THEN body ->> '$.net' ELSE 0 END) AS available,
      sum(CASE WHEN body ->> '$.available_on' <= ? THEN 0 ELSE body ->> '$.net' END) AS pending
    FROM stripe_objects WHERE kind = 'balance_transaction' GROUP BY 1 ORDER BY 1`,
    at,
    at,
  );
}
