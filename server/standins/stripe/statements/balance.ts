/** Sums over the movements of the account's money. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';

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

const UNPAID = `kind = 'balance_transaction' AND private ->> '$.payout' IS NULL
  AND body ->> '$.currency' = ? AND body ->> '$.available_on' <= ?`;

/** What is available and was in no automatic payout yet, after fees; `at` in unix seconds. */
export async function unpaidOf(reader: Reader, currency: string, at: number): Promise<number> {
  const row = await reader.get<{ sum: number | null }>(
    `SELECT sum(body ->> '$.net') AS sum FROM stripe_objects WHERE ${UNPAID}`,
    currency,
    at,
  );
  return row?.sum ?? 0;
}

/** All of that belongs to this payout now. */
export async function assignUnpaid(
  writer: Writer,
  payout: string,
  { currency, at }: { currency: string; at: number },
): Promise<void> {
  await writer.run(
    `UPDATE stripe_objects SET private = json_set(private, '$.payout', ?) WHERE ${UNPAID}`,
    payout,
    currency,
    at,
  );
}
