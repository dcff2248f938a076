/**
 * Rehearsals in SQL: practice events with all their rows, and the printed codes that the phones
 * have scanned.
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type {
  AdmissionRow,
  EventRow,
  OrderLineRow,
  OrderRow,
  PhoneRow,
  PlaceRow,
  TicketRow,
  New,
} from '#db/rows.ts';
import { insertMany } from '#db/engine/statements.ts';

/** Lists the newest first. */
export async function listRehearsals(db: Db, page: Page): Promise<EventRow[]> {
  const query = db<EventRow>('events').where({ rehearsal: 1 }).select('*');
  newestFirst(query, { table: 'events', time: 'created_at' }, page);
  return query;
}

export async function findRehearsal(db: Db, id: string): Promise<EventRow | undefined> {
  return db<EventRow>('events').where({ id, rehearsal: 1 }).first();
}

export interface Practice {
  orders: readonly OrderRow[];
  lines: readonly OrderLineRow[];
  tickets: readonly New<TicketRow>[];
  admissions: readonly AdmissionRow[];
}

/** Inserts the other rows of a practice event, whose event row and places exist already. */
export async function insertPractice(
  trx: Trx,
  { orders, lines, tickets, admissions }: Practice,
): Promise<void> {
  await insertMany(trx, 'orders', orders);
  await insertMany(trx, 'order_lines', lines);
  await insertMany(trx, 'tickets', tickets);
  await insertMany(trx, 'admissions', admissions);
}

export type SampledPlace = Pick<
  PlaceRow,
  'kind' | 'category' | 'category_key' | 'section' | 'row' | 'seat'
>;

/** The first places of a category, in the order of the chart. */
export async function samplePlaces(
  db: Db,
  event_id: string,
  category_key: string,
  limit: number,
): Promise<SampledPlace[]> {
  return db<PlaceRow>('places')
    .where({ event_id, category_key })
    .orderBy('feed_seq')
    .limit(limit)
    .select('kind', 'category', 'category_key', 'section', 'row', 'seat');
}

export async function practicePlaces(db: Db, event_id: string): Promise<PlaceRow[]> {
  return db<PlaceRow>('places').where({ event_id });
}

export async function practiceTickets(
  db: Db,
  event_id: string,
): Promise<Pick<TicketRow, 'place' | 'holder'>[]> {
  return db<TicketRow>('tickets').where({ event_id }).select('place', 'holder');
}

/** Gives the second event to every phone that has the first one. */
export async function copyPhones(trx: Trx, from_id: string, to_id: string): Promise<void> {
  const ids: string[] = await trx('phone_events')
    .where({ event_id: from_id })
    .whereNull('ended_at')
    .pluck('phone_id');
  await insertMany(
    trx,
    'phone_events',
    ids.map((phone_id) => ({ phone_id, event_id: to_id })),
  );
}

export type AssignedPhone = Pick<PhoneRow, 'id' | 'name' | 'gate'> & { event_id: string };

/** Phones in use that have one of these events. */
export async function phonesOfEvents(
  db: Db,
  event_ids: readonly string[],
): Promise<AssignedPhone[]> {
  return db('phone_events')
    .join('phones', 'phones.id', 'phone_events.phone_id')
    .whereIn('phone_events.event_id', event_ids as string[])
    .whereNull('phone_events.ended_at')
    .whereNull('phones.revoked_at')
    .orderBy(['phones.name', 'phones.id'])
    .select('phones.id', 'phones.name', 'phones.gate', 'phone_events.event_id');
}

/**
 * A verdict that a phone has shown for a place (null: not of this event); `name` is the phone's.
 */
interface PracticeScan extends Pick<AdmissionRow, 'place' | 'verdict'> {
  name: string;
}

export async function practiceScans(db: Db, event_id: string): Promise<PracticeScan[]> {
  return db('admissions')
    .join('phones', 'phones.id', 'admissions.phone_id')
    .where('admissions.event_id', event_id)
    .distinct('admissions.place', 'admissions.verdict', 'phones.name')
    .orderBy('phones.name');
}
