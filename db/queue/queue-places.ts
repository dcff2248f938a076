/**
 * Places in waiting rooms, in SQL: the entrants, their numbers, and who was called or is inside.
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { readFirst, countRows, updateMany } from '#db/engine/statements.ts';
import type { QueuePlaceRow } from '#db/rows.ts';

type Named = Pick<QueuePlaceRow, 'place_hash'>;

export async function insertPlace(db: Db, row: QueuePlaceRow): Promise<void> {
  await db<QueuePlaceRow>('queue_places').insert(row);
}

export async function findQueuePlace(
  db: Db,
  place_hash: string,
): Promise<QueuePlaceRow | undefined> {
  return db<QueuePlaceRow>('queue_places').where({ place_hash }).first();
}

/** True if the hold token was made with a pass. */
export async function isHoldOfPlace(db: Db, hold_token: string): Promise<boolean> {
  return (
    (await db<QueuePlaceRow>('queue_places').where({ hold_token }).first('place_hash')) !==
    undefined
  );
}

/** Changes a place if it still is as `from` says; returns true if it was. */
export async function changePlace(
  db: Db,
  { place_hash, ...from }: Named & Partial<QueuePlaceRow>,
  changes: Partial<QueuePlaceRow>,
): Promise<boolean> {
  return (
    (await db<QueuePlaceRow>('queue_places')
      .where({ place_hash, ...from })
      .update(changes)) === 1
  );
}

/** Entrants without a number, in the order of arrival. */
export async function withoutNumber(
  db: Db,
  event_id: string,
  limit: number,
): Promise<Pick<QueuePlaceRow, 'place_hash' | 'nonce'>[]> {
  return db<QueuePlaceRow>('queue_places')
    .where({ event_id, skips: 0 })
    .whereNull('number')
    .orderBy(['arrival', 'place_hash'])
    .limit(limit)
    .select('place_hash', 'nonce');
}

/** Numbers these places; the first one gets the number after `last`. */
export async function numberPlaces(
  trx: Trx,
  places: readonly string[],
  last: number,
): Promise<void> {
  const rows = places.map((place_hash, at) => ({ place_hash, number: last + 1 + at }));
  await updateMany(trx, { table: 'queue_places', rows }, ['place_hash']);
}

/** The entrants of the draw, in the order of arrival. */
export async function drawnPlaces(
  db: Db,
  event_id: string,
  drawn: number,
): Promise<Pick<QueuePlaceRow, 'place_hash' | 'nonce'>[]> {
  return db<QueuePlaceRow>('queue_places')
    .where({ event_id })
    .where('number', '<=', drawn)
    .orderBy(['arrival', 'place_hash'])
    .select('place_hash', 'nonce');
}

interface Span {
  event_id: string;
  /** Exclusive; `upTo` is inclusive. */ after: number;
  upTo: number;
}

export async function callPlaces(
  trx: Trx,
  { event_id, after, upTo }: Span,
  called_at: number,
): Promise<void> {
  await trx<QueuePlaceRow>('queue_places')
    .where({ event_id })
    .where('number', '>', after)
    .where('number', '<=', upTo)
    .whereNull('called_at')
    .update({ called_at });
}

interface QueueCounts {
  called: number;
  inside: number;
  done: number;
  expired: number;
}

/**
 * Counts called entrants. An entrant with the code counts as called on arrival; one who was
 * called before `since` cannot be inside any more.
 */
export async function countCalled(
  db: Db,
  event_id: string,
  { now, minutes, since }: { now: number; minutes: number; since: number },
): Promise<QueueCounts> {
  const counts = db('queue_places')
    .where({ event_id })
    .where('called_at', '>=', since)
    .select(
      db.raw('count(done_at) AS done'),
      db.raw(`count(CASE WHEN done_at IS NULL AND pass_until > ? THEN 1 END) AS inside`, [now]),
      db.raw(
        `count(CASE WHEN done_at IS NULL AND pass_until IS NULL AND called_at > ? THEN 1 END) AS called`,
        [now - minutes * 60_000],
      ),
      db.raw('count(*) AS total'),
    );
  const { done, inside, called, total } =
    await readFirst<Record<'done' | 'inside' | 'called' | 'total', number>>(counts);
  return { done, inside, called, expired: total - done - inside - called };
}

/** Entrants who want a mail and whose number is near. */
export async function placesToTell(
  db: Db,
  event_id: string,
  { upTo, limit }: { upTo: number; limit: number },
): Promise<(Named & { email: string })[]> {
  return db<QueuePlaceRow>('queue_places')
    .where({ event_id })
    .whereNotNull('email')
    .where('number', '<=', upTo)
    .orderBy('number')
    .limit(limit)
    .select('place_hash', 'email') as Promise<(Named & { email: string })[]>;
}

/** Deletes the mail addresses of an event's entrants. */
export async function forgetQueueMails(db: Db, event_id: string): Promise<void> {
  await db<QueuePlaceRow>('queue_places')
    .where({ event_id })
    .whereNotNull('email')
    .update({ email: null });
}

/** Deletes the mail addresses of entrants whose event began before this. */
export async function forgetOldQueueMails(db: Db, began_before: number): Promise<void> {
  await db<QueuePlaceRow>('queue_places')
    .whereNotNull('email')
    .whereIn('event_id', db('events').select('id').where('starts_at', '<', began_before))
    .update({ email: null });
}

/** Prolongs the pass together with the hold of its seats. */
export async function prolongPass(
  db: Db,
  { event_id, hold_token, until }: { event_id: string; hold_token: string; until: number },
): Promise<void> {
  await db<QueuePlaceRow>('queue_places')
    .where({ event_id, hold_token })
    .where('pass_until', '<', until)
    .update({ pass_until: until });
}

export async function countWithoutNumber(db: Db, event_id: string): Promise<number> {
  return countRows(db('queue_places').where({ event_id, skips: 0 }).whereNull('number'));
}
