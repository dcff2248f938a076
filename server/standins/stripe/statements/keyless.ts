/** Unused payment methods are counted and deleted, because anyone can make them without a key. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';

const UNUSED =
  "kind = 'payment_method' AND private ->> '$.keyless' = 1 AND private ->> '$.used' = 0";

export async function deleteKeyless(writer: Writer, before: number): Promise<void> {
  await writer.run(`DELETE FROM stripe_objects WHERE ${UNUSED} AND created < ?`, before);
}

export async function countKeyless(reader: Reader, after: number): Promise<number> {
  const row = await reader.get<{ made: number }>(
    `SELECT count(*) AS made FROM stripe_objects WHERE ${UNUSED} AND created > ?`,
    after,
  );
  return row?.made ?? 0;
}
