/** The one store of what every object of an event is right now; an object without a row is free. */
import { FREE } from './status-rule.ts';
import type { Seatsio } from './context.ts';
import type { ObjectState, Place } from './status-rule.ts';

interface ObjectRow extends Omit<ObjectState, 'places'> { label: string }
interface PlaceRow extends Place { label: string; hold_token: string; ticket_type: string }

const OBJECT = 'label, status, hold_token, order_id, ticket_type, extra_data, resale_listing_id';
const PLACE = 'label, status, hold_token, ticket_type, quantity';

/** In the table no token and no ticket type are empty texts, because both are part of the key. */
function placeOf({ status, hold_token, ticket_type, quantity }: PlaceRow): Place {
  return { status, hold_token: hold_token || null, ticket_type: ticket_type || null, quantity };
}

export function readState(ctx: Seatsio, eventId: number, label: string): ObjectState {
  const row = ctx.sql.one<ObjectRow>(`SELECT ${OBJECT} FROM seatsio_objects WHERE event_id = ? AND label = ?`, eventId, label);
  const places = ctx.sql.all<PlaceRow>(`SELECT ${PLACE} FROM seatsio_places WHERE event_id = ? AND label = ?`, eventId, label).map(placeOf);
  return row || places.length > 0 ? { ...FREE, ...row, places } : FREE;
}

/** Of a whole event, label -> state; what is missing is free. */
export function readStates(ctx: Seatsio, eventId: number): Map<string, ObjectState> {
  const states = new Map<string, ObjectState>();
  for (const row of ctx.sql.all<ObjectRow>(`SELECT ${OBJECT} FROM seatsio_objects WHERE event_id = ?`, eventId)) states.set(row.label, { ...row, places: [] });
  for (const row of ctx.sql.all<PlaceRow>(`SELECT ${PLACE} FROM seatsio_places WHERE event_id = ?`, eventId)) {
    const state = states.get(row.label) ?? { ...FREE, places: [] };
    state.places.push(placeOf(row));
    states.set(row.label, state);
  }
  return states;
}

export function writeState(ctx: Seatsio, eventId: number, { label, state }: { label: string; state: ObjectState }): void {
  const { status, hold_token, order_id, ticket_type, extra_data, resale_listing_id } = state;
  if (status === 'free' && order_id === null && extra_data === null) {
    ctx.sql.run('DELETE FROM seatsio_objects WHERE event_id = ? AND label = ?', eventId, label);
  } else {
    ctx.sql.run(
      `INSERT INTO seatsio_objects (event_id, ${OBJECT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (event_id, label) DO UPDATE SET status = excluded.status, hold_token = excluded.hold_token, order_id = excluded.order_id,
       ticket_type = excluded.ticket_type,
       extra_data = excluded.extra_data, resale_listing_id = excluded.resale_listing_id`,
      eventId, label, status, hold_token, order_id, ticket_type, extra_data, resale_listing_id,
    );
  }
  ctx.sql.run('DELETE FROM seatsio_places WHERE event_id = ? AND label = ?', eventId, label);
  for (const place of state.places) {
    ctx.sql.run(
      `INSERT INTO seatsio_places (event_id, ${PLACE}) VALUES (?, ?, ?, ?, ?, ?)`, eventId, label, place.status, place.hold_token ?? '',
      place.ticket_type ?? '', place.quantity,
    );
  }
}

export interface Logged { label: string; status: string; quantity: number; order_id: string | null; hold_token: string | null; extra_data: string | null }
export type OriginType = 'API_CALL' | 'HELD_BY_USER' | 'HOLD_RELEASED_BY_USER' | 'HOLD_EXPIRED';
export interface Origin { type: OriginType; ip: string | null }

export function logChange(ctx: Seatsio, eventId: number, { change, origin }: { change: Logged; origin: Origin }): void {
  ctx.sql.run(
    `INSERT INTO seatsio_status_changes (event_id, label, status, quantity, order_id, hold_token, extra_data, origin_type, origin_ip, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    eventId, change.label, change.status, change.quantity, change.order_id, change.hold_token, change.extra_data, origin.type, origin.ip, ctx.now(),
  );
}

export interface TokenHold { label: string; quantity: number; ticket_type: string | null }

/** What a token holds on one event, areas with one entry per ticket type. */
export function readHolds(ctx: Seatsio, eventId: number, token: string): TokenHold[] {
  const seats = ctx.sql.all<{ label: string; ticket_type: string | null }>(
    'SELECT label, ticket_type FROM seatsio_objects WHERE hold_token = ? AND event_id = ? ORDER BY label', token, eventId,
  );
  const places = ctx.sql.all<PlaceRow>(
    `SELECT ${PLACE} FROM seatsio_places WHERE hold_token = ? AND hold_token <> '' AND event_id = ? ORDER BY label, ticket_type`, token, eventId,
  );
  return [
    ...seats.map(({ label, ticket_type }) => ({ label, ticket_type, quantity: 1 })),
    ...places.map((place) => ({ label: place.label, quantity: place.quantity, ticket_type: place.ticket_type || null })),
  ];
}

/** Everything that a token holds, on whatever event. */
export function readHeldLabels(ctx: Seatsio, token: string): { event_id: number; label: string }[] {
  return ctx.sql.all(
    `SELECT event_id, label FROM seatsio_objects WHERE hold_token = ?
     UNION SELECT event_id, label FROM seatsio_places WHERE hold_token = ? AND hold_token <> ''`,
    token, token,
  );
}
