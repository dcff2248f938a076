/** Shows and their dates in SQL. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { lowestFirst, type Page } from '#db/engine/page.ts';
import type { EventRow, ShowRow } from '#db/rows.ts';

export async function findShow(db: Db, id: string): Promise<ShowRow | undefined> {
  return db<ShowRow>('shows').where({ id }).first();
}

export async function allShows(db: Db): Promise<ShowRow[]> {
  return db<ShowRow>('shows').orderBy(['title', 'id']);
}

/** Locks the show against saving and new dates, until the transaction ends. */
export async function lockShow(trx: Trx, id: string): Promise<ShowRow | undefined> {
  return trx<ShowRow>('shows').where({ id }).forUpdate().first();
}

export async function insertShow(trx: Trx, show: ShowRow): Promise<void> {
  await trx<ShowRow>('shows').insert(show);
}

/** Increments the show's version. */
export async function updateShow(trx: Trx, id: string, changes: Partial<ShowRow>): Promise<void> {
  await trx<ShowRow>('shows')
    .where({ id })
    .update({ ...changes, version: trx.raw('version + 1') } as object);
}

export async function deleteShow(trx: Trx, id: string): Promise<void> {
  await trx<ShowRow>('shows').where({ id }).delete();
}

/** The dates of these shows, the earliest first. */
export async function datesOf(db: Db, show_ids: readonly string[]): Promise<EventRow[]> {
  return db<EventRow>('events')
    .whereIn('show_id', show_ids as string[])
    .orderBy([{ column: 'starts_at' }, { column: 'id' }]);
}

/** Published dates of the show from then on, the earliest first. */
export async function datesFrom(
  db: Db,
  show_id: string,
  { from, limit }: { from: number; limit: number },
): Promise<EventRow[]> {
  return db<EventRow>('events')
    .where({ show_id })
    .whereNot({ status: 'draft' })
    .where('starts_at', '>=', from)
    .orderBy([{ column: 'starts_at' }, { column: 'id' }])
    .limit(limit);
}

/** A time later than any start, so that a show without a date comes last. */
const never = 8e14;
const far = 4e14;

/**
 * Pages of shows: those with a coming date by the soonest one, then the rest by their latest
 * date. `listed_at` is the sort key.
 */
export async function pageOfShows(
  db: Db,
  over_before: number,
  page: Page,
): Promise<(ShowRow & { listed_at: number })[]> {
  const begin = Math.trunc(over_before);
  const listed = db('shows')
    .leftJoin('events', 'events.show_id', 'shows.id')
    .groupBy('shows.id')
    .select('shows.id as show_id')
    .select(
      db.raw(
        `COALESCE(MIN(CASE WHEN events.starts_at >= ${begin} THEN events.starts_at ELSE ${far} - events.starts_at END), ${never}) as listed_at`,
      ),
    )
    .as('listed');
  const query = db('shows')
    .join(listed, 'listed.show_id', 'shows.id')
    .select('shows.*', 'listed_at');
  lowestFirst(query, { at: db.raw('listed.listed_at'), id: 'shows.id' }, page);
  return query;
}
