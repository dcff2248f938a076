/** Events in SQL, and the sequence by which their door is told what changed. */
import type { Knex } from 'knex';
import type { Db } from './dialect.ts';
import type { EventRow } from './rows.ts';
import { rowsOf, spelled } from './spelled.ts';

export async function findEvent(db: Db, id: string): Promise<EventRow | undefined> {
  return (await rowsOf<EventRow>(db, spelled(db, 'event', { values: { id }, build: (some, value) => some('events').where({ id: value.id }) })))[0];
}

export async function listEvents(db: Db): Promise<EventRow[]> {
  return db<EventRow>('events').orderBy([{ column: 'starts_at' }, { column: 'id' }]);
}

export async function countEvents(db: Db): Promise<number> {
  const row = await db('events').count<{ n: number }[]>({ n: '*' }).first();
  return Number(row?.n ?? 0);
}

export async function insertEvent(trx: Knex.Transaction, event: EventRow): Promise<void> {
  await trx<EventRow>('events').insert(event);
}

export async function updateEvent(trx: Knex.Transaction, id: string, changes: Partial<EventRow>): Promise<void> {
  await trx<EventRow>('events').where({ id }).update(changes);
}

/** The next number of an event's door feed, or the last of the next `count`; the row stays locked until the transaction ends, so no later number can be seen first. */
export async function nextFeedSeq(trx: Knex.Transaction, event_id: string, count = 1): Promise<number> {
  await trx<EventRow>('events').where({ id: event_id }).increment('feed_seq', count);
  const row = await trx<EventRow>('events').where({ id: event_id }).first('feed_seq');
  return row!.feed_seq;
}

export interface EventCounts { event_id: string; places: number; sold: number; inside: number }

/** Places, valid tickets and people inside, per event. */
export async function countByEvent(db: Db, ids: readonly string[]): Promise<Map<string, EventCounts>> {
  const counts = new Map<string, EventCounts>(ids.map((event_id) => [event_id, { event_id, places: 0, sold: 0, inside: 0 }]));
  const put = (rows: { event_id: string; n: number }[], into: 'places' | 'sold' | 'inside', sign = 1) => {
    for (const row of rows) {
      const entry = counts.get(row.event_id);
      if (entry) entry[into] += sign * Number(row.n);
    }
  };
  const grouped = (query: Knex.QueryBuilder): Promise<{ event_id: string; n: number }[]> => query.whereIn('event_id', ids as string[]).select('event_id').count({ n: '*' }).groupBy('event_id');
  put(await grouped(db('places')), 'places');
  put(await grouped(db('tickets').where({ state: 'valid' })), 'sold');
  const counted = () => db('admissions').where({ counts: 1 }).whereNull('conflict_with');
  put(await grouped(counted().where({ direction: 'in' })), 'inside');
  put(await grouped(counted().where({ direction: 'out' })), 'inside', -1);
  return counts;
}

/** The event whose tickets carry this tag. */
export async function findEventByTag(db: Db, code_tag: string): Promise<EventRow | undefined> {
  return db<EventRow>('events').where({ code_tag }).first();
}
