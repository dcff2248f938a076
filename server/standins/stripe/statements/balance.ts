/** Sums over the movements of the account's money. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';

/** Every currency in which money has moved. */
export async function movedCurrencies(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ currency: string }>(
    "SELECT DISTINCT body ->> '$.currency' AS currency FROM stripe_objects WHERE kind = 'balance_transaction'",
  );
  return rows.map(({ currency }) => currency);
}

/** The sum of all movements in this currency, before fees. */
export async function grossOf(reader: Reader, currency: string): Promise<number> {
  const row = await reader.get<{ sum: number | null }>(
    "SELECT sum(body ->> '$.amount') AS sum FROM stripe_objects WHERE kind = 'balance_transaction' AND body ->> '$.currency' = ?",
    currency,
  );
  return row?.sum ?? 0;
}

const AVAILABLE =
  "kind = 'balance_transaction' AND body ->> '$.currency' = ? AND body ->> '$.available_on' <= ?";
const UNPAID = `${AVAILABLE} AND private ->> '$.payout' IS NULL`;

/** The amount that can be used, after fees; `at` is in unix seconds. */
export function availableAt(reader: Reader, currency: string, at: number): Promise<number> {
  return netOf(reader, AVAILABLE, [currency, at]);
}

/** The available amount in no automatic payout yet, after fees; `at` is in unix seconds. */
export function unpaidAt(reader: Reader, currency: string, at: number): Promise<number> {
  return netOf(reader, UNPAID, [currency, at]);
}

/** Assigns all movements of that amount to this payout. */
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

async function netOf(
  reader: Reader,
  which: string,
  values: [currency: string, at: number],
): Promise<number> {
  const row = await reader.get<{ sum: number | null }>(
    `SELECT sum(body ->> '$.net') AS sum FROM stripe_objects WHERE ${which}`,
    ...values,
  );
  return row?.sum ?? 0;
}
