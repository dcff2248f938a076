/** What buyers of a cancelled evening answered, in SQL. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { CancellationAnswerRow } from '#db/rows.ts';

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
