/** The parts in which money goes back by hand, in SQL: a refund without parts is one itself. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { insertMany } from '#db/engine/statements.ts';
import type { RefundPartRow, RefundRow } from '#db/rows.ts';

export type RefundPart = Omit<RefundPartRow, 'refund_id' | 'nth'>;

/** The columns of a refund that tell its only part; several stand in a table of their own. */
export function partColumns(parts: readonly RefundPart[]): Pick<RefundRow, 'method' | 'shift_id'> {
  const [only, ...others] = parts;
  if (only === undefined || others.length > 0) return { method: null, shift_id: null };
  return { method: only.method, shift_id: only.shift_id };
}

/** Stores the parts unless there is only one. */
export async function insertParts(
  trx: Trx,
  refund_id: string,
  parts: readonly RefundPart[],
): Promise<void> {
  if (parts.length < 2) return;
  await insertMany(
    trx,
    'refund_parts',
    parts.map((part, nth) => ({ refund_id, nth, ...part })),
  );
}

/**
 * A table of all refunds by part, named as `refunds`: the surcharges of a refund stand in its
 * first part.
 */
export const refundsByPart = `(
  SELECT r.id AS refund_id, r.order_id, r.state, r.kind, r.payment_intent, r.created_at, r.decided_at,
    COALESCE(p.method, r.method) AS method, COALESCE(p.shift_id, r.shift_id) AS shift_id,
    COALESCE(p.amount_cents, r.amount_cents) AS amount_cents,
    CASE WHEN p.nth > 0 THEN 0 ELSE r.fee_cents END AS fee_cents,
    CASE WHEN p.nth > 0 THEN 0 ELSE r.service_cents END AS service_cents
  FROM refunds r LEFT JOIN refund_parts p ON p.refund_id = r.id
) AS refunds`;

export async function partsOfRefunds(
  db: Db,
  refund_ids: readonly string[],
): Promise<RefundPartRow[]> {
  return db<RefundPartRow>('refund_parts')
    .whereIn('refund_id', refund_ids as string[])
    .orderBy(['refund_id', 'nth']);
}

export type HandedBack = Pick<RefundRow, 'method' | 'shift_id' | 'amount_cents'>;

/** What of an order was given back by hand, part by part. */
export async function handedBackOf(db: Db, order_id: string): Promise<HandedBack[]> {
  return db(db.raw(refundsByPart))
    .where({ order_id, kind: 'manual', state: 'succeeded' })
    .select('method', 'shift_id', 'amount_cents');
}
