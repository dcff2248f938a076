/** Narrows queries on orders to those that a person at a till may see. */
import type { Knex } from 'knex';
import { unknownLengthMs } from '#server/domain/counter.ts';
import type { Db } from './dialect.ts';

/** Whose shifts, and the events that are not over before a moment. */
export interface OrderScope {
  user_id: string;
  not_over_before: number;
}

/** Orders of published events that are not over, and of the person's own shifts. */
export function whereSeen(
  db: Db,
  query: Knex.QueryBuilder,
  { user_id, not_over_before }: OrderScope,
): void {
  const selling = db('events')
    .select('events.id')
    .where({ status: 'published', rehearsal: 0 })
    .whereRaw('COALESCE(events.ends_at, events.starts_at + ?) >= ?', [
      unknownLengthMs,
      not_over_before,
    ]);
  const shifts = db('shifts').select('shifts.id').where({ user_id });
  query.where((b) => b.whereIn('orders.event_id', selling).orWhereIn('orders.shift_id', shifts));
}

export async function isSeen(db: Db, id: string, scope: OrderScope): Promise<boolean> {
  const query = db('orders').where('orders.id', id).first('orders.id');
  whereSeen(db, query, scope);
  return (await query) !== undefined;
}
