/** The places of an event in SQL: every seat, and every one of the N places of a standing area, sold or not. */
import type { Knex } from 'knex';
import { insertMany, type Db } from './dialect.ts';
import type { PlaceRow } from './rows.ts';

export async function insertPlaces(trx: Knex.Transaction, places: readonly PlaceRow[]): Promise<void> {
  await insertMany(trx, 'places', places);
}

export async function findPlace(db: Db, event_id: string, place: string): Promise<PlaceRow | undefined> {
  return db<PlaceRow>('places').where({ event_id, place }).first();
}

/** The first free places of a standing area. The area's first row is locked, so that buyers at the same moment get different places (SQLite has one writer anyway). */
export async function freePlaces(trx: Knex.Transaction, event_id: string, object_label: string, count: number): Promise<PlaceRow[]> {
  await trx<PlaceRow>('places').where({ event_id, object_label, position: 1 }).forUpdate().first('place');
  return trx<PlaceRow>('places').where({ event_id, object_label })
    .whereNotExists(trx('order_lines').select(trx.raw('1')).whereRaw('order_lines.event_id = places.event_id AND order_lines.place = places.place').whereNull('released_at'))
    .orderBy('position').limit(count);
}

/** One more ticket was issued on the place; the door must hear of it. Returns the new revision. */
export async function issueRevision(trx: Knex.Transaction, event_id: string, place: string, feed_seq: number): Promise<number> {
  await trx<PlaceRow>('places').where({ event_id, place }).update({ feed_seq }).increment('issued', 1);
  return (await trx<PlaceRow>('places').where({ event_id, place }).first('issued'))!.issued;
}

/** In the order of the door's sequence. */
export async function listPlacesSince(db: Db, event_id: string, feed_seq: number, limit: number): Promise<PlaceRow[]> {
  return db<PlaceRow>('places').where({ event_id }).where('feed_seq', '>', feed_seq).orderBy(['feed_seq', 'place']).limit(limit);
}

/** Places that a ticket was ever issued on, with how many. */
export async function listIssued(db: Db, event_id: string): Promise<Pick<PlaceRow, 'place' | 'issued'>[]> {
  return db<PlaceRow>('places').where({ event_id }).where('issued', '>', 0).select('place', 'issued');
}

export async function placesOf(db: Db, event_id: string, places: readonly string[]): Promise<PlaceRow[]> {
  return db<PlaceRow>('places').where({ event_id }).whereIn('place', places as string[]);
}
