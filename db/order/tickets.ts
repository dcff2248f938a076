/** Tickets in SQL, with their places. */
import type { Knex } from 'knex';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { samePlaceAs, seatColumns } from '#db/joins.ts';
import type { New, OrderRow, PlaceRow, TicketRow } from '#db/rows.ts';
import { insertMany } from '#db/engine/statements.ts';

/** A ticket with the names of its place. */
export interface TicketWithPlace
  extends
    TicketRow,
    Pick<
      PlaceRow,
      | 'kind'
      | 'category'
      | 'category_key'
      | 'section'
      | 'row'
      | 'seat'
      | 'entrance'
      | 'earlier_codes'
      | 'restricted_view'
      | 'accessible'
      | 'companion'
    > {}

/** Those of the tickets that were sold with re-entry. */
export async function ticketsOfReentry(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = db<TicketRow>('tickets')
    .whereIn('id', ids as string[])
    .where({ reentry: 1 });
  return new Set(await found.pluck('id'));
}

function withPlace(db: Db): Knex.QueryBuilder {
  return db('tickets')
    .join('places', samePlaceAs('tickets'))
    .select(
      'tickets.*',
      'places.category',
      'places.category_key',
      'places.entrance',
      'places.earlier_codes',
      'places.restricted_view',
      'places.accessible',
      'places.companion',
      ...seatColumns,
    );
}

export async function insertTickets(trx: Trx, tickets: readonly New<TicketRow>[]): Promise<void> {
  await insertMany(trx, 'tickets', tickets);
}

export async function ticketsOfOrder(db: Db, order_id: string): Promise<TicketWithPlace[]> {
  return withPlace(db).where({ order_id });
}

export async function findTicket(db: Db, id: string): Promise<TicketWithPlace | undefined> {
  return withPlace(db).where('tickets.id', id).first();
}

/** The newest ticket on a place. */
export async function ticketOnPlace(
  db: Db,
  event_id: string,
  place: string,
): Promise<TicketWithPlace | undefined> {
  return withPlace(db)
    .where({ 'tickets.event_id': event_id, 'tickets.place': place })
    .orderBy('revision', 'desc')
    .first();
}

/** The good tickets on these places. */
export async function validTicketsOn(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<TicketWithPlace[]> {
  return withPlace(db)
    .where({ 'tickets.event_id': event_id, 'tickets.state': 'valid' })
    .whereIn('tickets.place', places as string[])
    .orderBy('tickets.place');
}

/**
 * The ticket on this place that has this revision or, after a change of holder or a reissue, the
 * next one.
 */
export async function ticketByRevision(
  db: Db,
  event_id: string,
  place: string,
  revision: number,
): Promise<TicketWithPlace | undefined> {
  return withPlace(db)
    .where({ 'tickets.event_id': event_id, 'tickets.place': place })
    .where('revision', '>=', revision)
    .orderBy('revision')
    .first();
}

export type EndedTicket = Pick<TicketRow, 'id' | 'place' | 'holder_email'>;

/** Ends these tickets and returns them; tickets that ended earlier are not changed. */
export async function endTickets(
  trx: Trx,
  order_id: string,
  {
    places,
    state,
    ended_at,
  }: { places: readonly string[]; state: TicketRow['state']; ended_at: number },
): Promise<EndedTicket[]> {
  return (
    trx<TicketRow>('tickets')
      .where({ order_id })
      .whereIn('place', places as string[])
      .whereIn('state', ['valid', 'unpaid'])
      // Its place is not waited for any more.
      .update({ state, ended_at, let_go_at: null })
      .returning(['id', 'place', 'holder_email'])
  );
}

/** The valid tickets of some orders or an event whose holders have an address. */
export async function addressedTickets(
  db: Db,
  of: { order_ids: readonly string[] } | { event_id: string },
): Promise<
  (Pick<TicketRow, 'id' | 'order_id' | 'revision' | 'holder_email'> &
    Pick<OrderRow, 'buyer_email'>)[]
> {
  return db('tickets')
    .join('orders', 'orders.id', 'tickets.order_id')
    .where('tickets.state', 'valid')
    .whereNotNull('tickets.holder_email')
    .where((b) => {
      if ('event_id' in of) b.where('tickets.event_id', of.event_id);
      else b.whereIn('tickets.order_id', of.order_ids as string[]);
    })
    .orderBy('tickets.id')
    .select('tickets.id', 'tickets.order_id', 'tickets.revision', 'tickets.holder_email')
    .select('orders.buyer_email');
}

export async function noteForDoor(trx: Trx, id: string, door_note: string | null): Promise<void> {
  await trx<TicketRow>('tickets').where({ id }).update({ door_note });
}

/** Changes the holder's name, and the revision with it; the caller has locked the event's row. */
export async function nameTicket(
  trx: Trx,
  id: string,
  changes: Pick<TicketRow, 'holder' | 'holder_email' | 'revision' | 'holder_changes' | 'code_end'>,
): Promise<void> {
  await trx<TicketRow>('tickets').where({ id }).update(changes);
}

/** Notes the link that the buyer has given to a guest. */
export async function noteHandedOn(db: Db, id: string, handed_link: string): Promise<void> {
  await db<TicketRow>('tickets').where({ id }).update({ handed_link });
}

/**
 * Makes refunded tickets valid again; a unique index refuses if the place has another valid one.
 */
export async function reviveTickets(
  trx: Trx,
  order_id: string,
  places: readonly string[],
): Promise<TicketRow[]> {
  return trx<TicketRow>('tickets')
    .where({ order_id })
    .whereIn('place', places as string[])
    .whereIn('state', ['void', 'refunded'])
    .update({ state: 'valid', ended_at: null })
    .returning('*');
}
