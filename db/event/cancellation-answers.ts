/** What buyers of a cancelled evening answered, in SQL. */
import type { Knex } from 'knex';
import { countRows } from '#db/engine/statements.ts';
import type { CancellationAnswer } from '#server/domain/event/cancellation.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { CancellationAnswerRow, RefundRunRow } from '#db/rows.ts';

export async function cancellationAnswerOf(
  db: Db,
  run_id: string,
  order_id: string,
): Promise<CancellationAnswerRow | undefined> {
  return db<CancellationAnswerRow>('cancellation_answers').where({ run_id, order_id }).first();
}

/** Stores an answer; it replaces the order's earlier one. */
export async function storeCancellationAnswer(trx: Trx, row: CancellationAnswerRow): Promise<void> {
  await trx<CancellationAnswerRow>('cancellation_answers')
    .insert(row)
    .onConflict(['run_id', 'order_id'])
    .merge();
}

export interface CancellationCounts extends Record<CancellationAnswer, number> {
  /** Orders with valid tickets and money to give back, and no answer. */
  silent: number;
}

/** Counts orders by their answer. */
export async function countCancellationAnswers(
  db: Db,
  { id: run_id, event_id }: Pick<RefundRunRow, 'id' | 'event_id'>,
): Promise<CancellationCounts> {
  const answered: { answer: CancellationAnswer; n: number }[] = await db('cancellation_answers')
    .where({ run_id })
    .groupBy('answer')
    .select('answer')
    .count({ n: '*' });
  const of = (answer: CancellationAnswer) =>
    Number(answered.find((row) => row.answer === answer)?.n ?? 0);
  const silent = await countRows(silentOnCancellation(db, { id: run_id, event_id }));
  return { refund: of('refund'), exchange: of('exchange'), gift: of('gift'), silent };
}

/** Orders that wait for an answer. */
export function silentOnCancellation(
  db: Db,
  { id: run_id, event_id }: Pick<RefundRunRow, 'id' | 'event_id'>,
): Knex.QueryBuilder {
  return db('orders')
    .where({ 'orders.event_id': event_id, 'orders.state': 'confirmed' })
    .whereRaw('orders.paid_cents > orders.refunded_cents')
    .whereExists(
      db('tickets')
        .whereRaw('tickets.order_id = orders.id')
        .where('tickets.state', 'valid')
        .select(db.raw('1')),
    )
    .whereNotExists(
      db('cancellation_answers')
        .whereRaw('cancellation_answers.order_id = orders.id')
        .where('cancellation_answers.run_id', run_id)
        .select(db.raw('1')),
    );
}
