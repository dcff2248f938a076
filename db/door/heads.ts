/** People without a ticket who were counted by hand, in SQL. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { insertMany } from '#db/engine/statements.ts';
import type { HeadsRow } from '#db/rows.ts';
import type { CountedHeads } from '#server/domain/door/heads.ts';

export async function knownHeads(db: Db, ids: readonly string[]): Promise<HeadsRow[]> {
  if (ids.length === 0) return [];
  return db<HeadsRow>('heads').whereIn('id', ids as string[]);
}

export async function findHeads(db: Db, id: string): Promise<HeadsRow | undefined> {
  return db<HeadsRow>('heads').where({ id }).first();
}

export async function insertHeads(trx: Trx, rows: readonly HeadsRow[]): Promise<void> {
  await insertMany(trx, 'heads', rows);
}

/** Who has made a count, to see whether the count may be taken back by it. */
export type UndoOfHeads = HeadsRow & { role: string | null };

/** What takes these counts back and is not in doubt, the earliest first. */
export async function undosOfHeads(db: Db, ids: readonly string[]): Promise<UndoOfHeads[]> {
  if (ids.length === 0) return [];
  return db('heads')
    .leftJoin('phones', 'phones.id', 'heads.phone_id')
    .whereIn('annuls', ids as string[])
    .whereNull('doubt')
    .orderBy(['received_at', 'heads.id'])
    .select('heads.*', 'phones.role');
}

/** Marks a count as taken back; its new number in the door's sequence tells the phones. */
export async function annulHeads(
  trx: Trx,
  { id, annulled_by, feed_seq }: Pick<HeadsRow, 'id' | 'annulled_by' | 'feed_seq'>,
): Promise<void> {
  await trx<HeadsRow>('heads').where({ id }).update({ annulled_by, feed_seq });
}

export async function doubtUndoOfHeads(
  trx: Trx,
  { id, doubt }: Pick<HeadsRow, 'id' | 'doubt'>,
): Promise<void> {
  await trx<HeadsRow>('heads').where({ id }).update({ doubt });
}

/** A count with the names of who made it. */
export type NamedHeads = HeadsRow & { phone_name: string | null; user_name: string | null };

/** Counts of an event without those that take others back. */
function countsOf(db: Db, event_id: string) {
  return db('heads')
    .leftJoin('phones', 'phones.id', 'heads.phone_id')
    .leftJoin('users', 'users.id', 'heads.user_id')
    .where({ event_id })
    .whereNull('annuls')
    .select('heads.*', 'phones.name as phone_name', 'users.name as user_name');
}

/** The newest counts of an event, also those that do not count. */
export async function listHeads(
  db: Db,
  { event_id, limit }: { event_id: string; limit: number },
): Promise<NamedHeads[]> {
  return countsOf(db, event_id)
    .orderBy([
      { column: 'corrected_at', order: 'desc' },
      { column: 'heads.id', order: 'desc' },
    ])
    .limit(limit);
}

/**
 * The counts that phones hear of, in the order of the door's sequence; `after` is exclusive, `to`
 * inclusive.
 */
export async function headsBySeq(
  db: Db,
  event_id: string,
  { after, to }: { after: number; to: number },
): Promise<NamedHeads[]> {
  return countsOf(db, event_id)
    .whereNull('doubt')
    .where('feed_seq', '>', after)
    .where('feed_seq', '<=', to)
    .orderBy(['feed_seq', 'heads.id']);
}

/** What counts of an event, as sums of people by direction. */
export async function headSums(db: Db, event_id: string): Promise<CountedHeads[]> {
  const rows: { direction: CountedHeads['direction']; people: number | string }[] = await db(
    'heads',
  )
    .where({ event_id })
    .whereNull('annuls')
    .whereNull('annulled_by')
    .whereNull('doubt')
    .groupBy('direction')
    .select('direction')
    .sum({ people: 'people' });
  return rows.map(({ direction, people }) => ({
    direction,
    people: Number(people),
    undone: false,
  }));
}

/** The people who counted at some events, by reason and direction. */
export async function headsByReason(
  db: Db,
  event_ids: readonly string[],
): Promise<Pick<HeadsRow, 'reason' | 'direction' | 'people'>[]> {
  const rows: Pick<HeadsRow, 'reason' | 'direction' | 'people'>[] = await db('heads')
    .whereIn('event_id', event_ids as string[])
    .whereNull('annuls')
    .whereNull('annulled_by')
    .whereNull('doubt')
    .groupBy('reason', 'direction')
    .select('reason', 'direction')
    .sum({ people: 'people' });
  return rows.map((row) => ({ ...row, people: Number(row.people) }));
}

/**
 * How many people the counts of each phone may have added inside: entries, and exits that were
 * taken back. A phone tells the same sum of its own (`heads_told`).
 */
export async function peopleToldOf(
  db: Db,
  event_id: string,
  phone_ids: readonly string[],
): Promise<Map<string, number>> {
  const rows: { phone_id: string; people: number | string }[] = await db('heads')
    .where({ event_id })
    .whereIn('phone_id', phone_ids as string[])
    .whereRaw("(annuls IS NULL) = (direction = 'in')")
    .groupBy('phone_id')
    .select('phone_id')
    .sum({ people: 'people' });
  return new Map(rows.map(({ phone_id, people }) => [phone_id, Number(people)]));
}

/** Removes what persons have added to the reasons, because it may be a name; returns the number. */
export async function forgetHeadWords(
  trx: Trx,
  { received_before, limit }: { received_before: number; limit: number },
): Promise<number> {
  const ids: string[] = await trx<HeadsRow>('heads')
    .whereNotNull('words')
    .where('received_at', '<', received_before)
    .limit(limit)
    .pluck('id');
  return trx<HeadsRow>('heads').whereIn('id', ids).update({ words: null });
}
