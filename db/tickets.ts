/** Tickets in SQL, with the place they are for. */
import type { Knex } from 'knex';
import { insertMany, type Db } from './dialect.ts';
import type { PlaceRow, TicketRow } from './rows.ts';

/** A ticket with the words of its place. */
export interface TicketWithPlace extends TicketRow, Pick<PlaceRow, 'kind' | 'category' | 'section' | 'row' | 'seat'> {}

function withPlace(db: Db): Knex.QueryBuilder {
  return db('tickets').join('places', (on) => on.on('places.event_id', 'tickets.event_id').andOn('places.place', 'tickets.place'))
    .select('tickets.*', 'places.kind', 'places.category', 'places.section', 'places.row', 'places.seat');
}

export async function insertTickets(trx: Knex.Transaction, tickets: readonly TicketRow[]): Promise<void> {
  await insertMany(trx, 'tickets', tickets);
}

export async function ticketsOfOrder(db: Db, order_id: string): Promise<TicketWithPlace[]> {
  return withPlace(db).where({ order_id });
}

export async function findTicket(db: Db, id: string): Promise<TicketWithPlace | undefined> {
  return withPlace(db).where('tickets.id', id).first();
}

/** The newest ticket on a place. */
export async function ticketOnPlace(db: Db, event_id: string, place: string): Promise<TicketWithPlace | undefined> {
  return withPlace(db).where({ 'tickets.event_id': event_id, 'tickets.place': place }).orderBy('revision', 'desc').first();
}

/** The newest ticket of each place that has one. */
export async function newestTickets(db: Db, event_id: string, range: { after: number; to: number }): Promise<TicketRow[]> {
  return db('tickets').join('places', (on) => on.on('places.event_id', 'tickets.event_id').andOn('places.place', 'tickets.place'))
    .where('tickets.event_id', event_id).where('places.feed_seq', '>', range.after).where('places.feed_seq', '<=', range.to).whereRaw('tickets.revision = places.issued').select('tickets.*');
}

/** Every code of an event is one of these: place and revision, issued so far. */
export async function ticketByRevision(db: Db, event_id: string, place: string, revision: number): Promise<TicketWithPlace | undefined> {
  return withPlace(db).where({ 'tickets.event_id': event_id, 'tickets.place': place, revision }).first();
}
