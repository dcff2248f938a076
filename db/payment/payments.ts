/** Payments and the disputes about them, in SQL. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { noteFigureChange } from './figure-changes.ts';
import type { DeclineRow, DisputeRow, New, OrderRow, PaymentRow } from '#db/rows.ts';

/** Payments with `before_cents`: what had been paid of the same order before each of them. */
export const paymentsInTurn = `(SELECT payments.*, (SELECT COALESCE(SUM(e.amount_cents), 0) FROM payments e
    WHERE e.order_id = payments.order_id AND (e.paid_at < payments.paid_at OR (e.paid_at = payments.paid_at AND e.id < payments.id))) AS before_cents
  FROM payments) p`;

/** What a payment in its turn has paid of a sum whose first cents the first payment pays. */
export function cameIn(sum: string): string {
  const upTo = (paid: string) => `CASE WHEN ${sum} < ${paid} THEN ${sum} ELSE ${paid} END`;
  return `(${upTo('p.before_cents + p.amount_cents')}) - (${upTo('p.before_cents')})`;
}

/** Returns false if this payment intent is stored already. */
export async function insertPayment(trx: Trx, payment: New<PaymentRow>): Promise<boolean> {
  const rows = await trx<PaymentRow>('payments')
    .insert(payment)
    .onConflict('payment_intent')
    .ignore()
    .returning('id');
  if (rows.length > 0) await noteFigureChange(trx, payment, 'new');
  return rows.length > 0;
}

/** Stores a refused attempt; an attempt that is stored already is not changed. */
export async function insertDecline(trx: Trx, decline: DeclineRow): Promise<void> {
  await trx<DeclineRow>('declines').insert(decline).onConflict('id').ignore();
}

export async function findPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  return db<PaymentRow>('payments').where({ id }).first();
}

export async function paymentsOf(db: Db, order_id: string): Promise<PaymentRow[]> {
  return db<PaymentRow>('payments').where({ order_id }).orderBy(['paid_at', 'id']);
}

/** The same; in a transaction they are locked, so that each plans on what the last has left. */
export async function paymentsToDrawOn(db: Db, order_id: string): Promise<PaymentRow[]> {
  const query = db<PaymentRow>('payments').where({ order_id }).orderBy(['paid_at', 'id']);
  return db.isTransaction === true ? query.forUpdate() : query;
}

/** Those of these orders of which something was paid by hand. */
export async function ordersPaidByHand(
  db: Db,
  order_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const query = db('payments').whereIn('order_id', order_ids as string[]);
  return new Set<string>(await query.where({ kind: 'manual' }).distinct().pluck('order_id'));
}

/** Sums the payments of an order, without regard to refunds. */
export async function sumPaid(db: Db, order_id: string): Promise<number> {
  const row = await db('payments')
    .where({ order_id })
    .sum<{ sum: number | string | null }[]>({ sum: 'amount_cents' })
    .first();
  return Number(row?.sum ?? 0);
}

export async function notePayment(
  trx: Trx,
  payment_intent: string,
  facts: Partial<PaymentRow>,
): Promise<void> {
  const noted = await trx<PaymentRow>('payments')
    .where({ payment_intent })
    .update(facts)
    .returning(['id', 'order_id', 'method', 'stripe_fee_cents']);
  for (const payment of noted)
    await noteFigureChange(trx, payment, `${payment.method} ${payment.stripe_fee_cents}`);
}

/** The order of a payment intent, by its payment or by its session. */
export async function findOrderOfIntent(
  db: Db,
  payment_intent: string,
): Promise<OrderRow | undefined> {
  return db<OrderRow>('orders')
    .where({ payment_intent })
    .orWhereIn('id', db('payments').where({ payment_intent }).select('order_id'))
    .first();
}

export async function disputesOf(db: Db, order_ids: readonly string[]): Promise<DisputeRow[]> {
  return db<DisputeRow>('disputes')
    .whereIn('order_id', order_ids as string[])
    .orderBy(['created_at', 'id']);
}

export async function findDispute(db: Db, id: string): Promise<DisputeRow | undefined> {
  return db<DisputeRow>('disputes').where({ id }).first();
}

export async function putDispute(trx: Trx, dispute: DisputeRow): Promise<void> {
  await trx<DisputeRow>('disputes')
    .insert(dispute)
    .onConflict('id')
    .merge(['status', 'due_by', 'amount_cents', 'updated_at', 'closed_at']);
  await noteFigureChange(trx, dispute, `${dispute.status} ${dispute.amount_cents}`);
}
