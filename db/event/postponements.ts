/** Postponements of dates in SQL, and the answers of the buyers. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { OrderRow, PostponementAnswerRow, PostponementRow } from '#db/rows.ts';
import { silentOn } from './date-answers.ts';

export async function findPostponement(db: Db, id: string): Promise<PostponementRow | undefined> {
  return db<PostponementRow>('postponements').where({ id }).first();
}

/** The newest postponement of an event. */
export async function latestPostponement(
  db: Db,
  event_id: string,
): Promise<PostponementRow | undefined> {
  return db<PostponementRow>('postponements')
    .where({ event_id })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first();
}

/** When a change of hall last moved the event to another place; null: never. */
export async function lastPlaceMove(db: Db, event_id: string): Promise<number | null> {
  const row = await db<PostponementRow>('postponements')
    .where({ event_id })
    .whereNotNull('from_venue')
    .max({ at: 'created_at' })
    .first();
  return row?.at == null ? null : Number(row.at);
}

/** The question that a change of hall has asked. */
export async function questionOfRun(
  db: Db,
  of_rehousing: string,
): Promise<PostponementRow | undefined> {
  return db<PostponementRow>('postponements').where({ of_rehousing }).first();
}

export async function insertPostponement(trx: Trx, row: PostponementRow): Promise<void> {
  await trx<PostponementRow>('postponements').insert(row);
}

/** Closes the event's open questions, because a date that moves again asks again. */
export async function closePostponementsOf(trx: Trx, event_id: string, now: number): Promise<void> {
  await trx<PostponementRow>('postponements')
    .where({ event_id, closed_at: null })
    .update({ closed_at: now });
}

/** Opens the questions again that were closed at this moment; returns them. */
export async function reopenPostponements(
  trx: Trx,
  closed: Pick<PostponementRow, 'event_id'> & { closed_at: number },
): Promise<PostponementRow[]> {
  return trx<PostponementRow>('postponements')
    .where(closed)
    .update({ closed_at: null })
    .returning('*');
}

/** Fails by the foreign key if it has an answer. */
export async function dropPostponement(trx: Trx, id: string): Promise<void> {
  await trx<PostponementRow>('postponements').where({ id }).delete();
}

/** Returns false if another process was faster. */
export async function closePostponement(trx: Trx, id: string, now: number): Promise<boolean> {
  const closed = await trx<PostponementRow>('postponements')
    .where({ id, closed_at: null })
    .update({ closed_at: now });
  return closed === 1;
}

export async function answerOf(
  db: Db,
  postponement_id: string,
  order_id: string,
): Promise<PostponementAnswerRow | undefined> {
  return db<PostponementAnswerRow>('postponement_answers')
    .where({ postponement_id, order_id })
    .first();
}

/** Stores an answer; it replaces the order's earlier one. */
export async function storeAnswer(trx: Trx, row: PostponementAnswerRow): Promise<void> {
  await trx<PostponementAnswerRow>('postponement_answers')
    .insert(row)
    .onConflict(['postponement_id', 'order_id'])
    .merge();
}

/** Orders with tickets for the old day whose buyers have not answered yet. */
export async function silentOrders(
  db: Db,
  postponement: PostponementRow,
  { after, limit }: { after: string; limit: number },
): Promise<OrderRow[]> {
  return silentOn(db, { ...postponement, kind: 'postponed' })
    .where('orders.id', '>', after)
    .orderBy('orders.id')
    .limit(limit)
    .select('orders.*');
}
