/** Narrows queries to the orders and events that a person at a till may see (RULES K7). */
import type { Knex } from 'knex';
import { unknownLengthMs } from '#server/domain/counter/counter.ts';
import type { TillView } from '#server/domain/counter/till-view.ts';
import type { Db } from '#db/engine/dialect.ts';

function eventsSeen(db: Db, { not_over_before }: TillView): Knex.QueryBuilder {
  return db('events')
    .select('events.id')
    .where({ status: 'published', rehearsal: 0 })
    .whereRaw('COALESCE(events.ends_at, events.starts_at + ?) >= ?', [
      unknownLengthMs,
      not_over_before,
    ]);
}

export function whereSeen(db: Db, query: Knex.QueryBuilder, view: TillView): void {
  const openShift = db('shifts')
    .select('shifts.id')
    .where({ user_id: view.user_id })
    .whereNull('closed_at');
  query.where((b) =>
    b
      .whereIn('orders.event_id', eventsSeen(db, view))
      .orWhereIn('orders.shift_id', openShift)
      .orWhereIn('orders.id', toHandBack(db)),
  );
}

/** The ids of orders with money that a person has to hand over. */
export function toHandBack(db: Db): Knex.QueryBuilder {
  return db('refunds').where({ state: 'requested', kind: 'manual' }).select('order_id');
}

export async function isSeen(db: Db, id: string, view: TillView): Promise<boolean> {
  const query = db('orders').where('orders.id', id).first('orders.id');
  whereSeen(db, query, view);
  return (await query) !== undefined;
}

export async function isEventSeen(db: Db, id: string, view: TillView): Promise<boolean> {
  return (await eventsSeen(db, view).where('events.id', id).first()) !== undefined;
}
