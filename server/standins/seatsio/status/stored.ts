/** The stored states of the objects of one event or season; an object without a row is free. */
import {
  addPlace,
  heldObjects,
  heldPlaces,
  objectOf,
  placesOf,
  putObject,
  removeObject,
  removePlaces,
  takenIn,
  type PlaceRow,
} from '#server/standins/seatsio/statements/objects.ts';
import { FREE } from '#server/standins/seatsio/catalog/status-rule.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { ObjectState, Place } from '#server/standins/seatsio/catalog/status-rule.ts';

/**
 * In the table a missing channel, token or ticket type is an empty text, because all three belong
 * to the primary key.
 */
function placeOf({ channel, status, hold_token, ticket_type, quantity }: PlaceRow): Place {
  return {
    status,
    hold_token: hold_token || null,
    ticket_type: ticket_type || null,
    quantity,
    ...(channel === '' ? {} : { channel }),
  };
}

export async function readStored(
  ctx: Seatsio,
  eventId: number,
  label: string,
): Promise<ObjectState> {
  const row = await objectOf(ctx.sql, eventId, label);
  const places = (await placesOf(ctx.sql, eventId, label)).map(placeOf);
  return row || places.length > 0 ? { ...FREE, ...row, places } : FREE;
}

/** Skips the query for places, because an object sold as one has none. */
export async function readStoredWhole(
  ctx: Seatsio,
  eventId: number,
  label: string,
): Promise<ObjectState> {
  const row = await objectOf(ctx.sql, eventId, label);
  return row ? { ...row, places: [] } : FREE;
}

/** The states of the whole event or of some labels, by label; a missing one is free. */
export async function readStoredStates(
  ctx: Seatsio,
  eventId: number,
  labels?: readonly string[],
): Promise<Map<string, ObjectState>> {
  const states = new Map<string, ObjectState>();
  const { objects, places } = await takenIn(ctx.sql, eventId, labels);
  for (const row of objects) states.set(row.label, { ...row, places: [] });
  for (const row of places) {
    const state = states.get(row.label) ?? { ...FREE, places: [] };
    state.places.push(placeOf(row));
    states.set(row.label, state);
  }
  return states;
}

/** `before` must be read in the same transaction; it saves deleting what did not exist. */
export async function writeState(
  ctx: Writing,
  eventId: number,
  { label, before, state }: { label: string; before: ObjectState; state: ObjectState },
): Promise<void> {
  const { places, overridden: _overridden, ...row } = state;
  if (row.status === 'free' && row.order_id === null && row.extra_data === null)
    await removeObject(ctx.sql, eventId, label);
  else await putObject(ctx.sql, eventId, { ...row, label });
  if (before.places.length > 0) await removePlaces(ctx.sql, eventId, label);
  for (const place of places)
    await addPlace(ctx.sql, eventId, {
      ...place,
      label,
      channel: place.channel ?? '',
      hold_token: place.hold_token ?? '',
      ticket_type: place.ticket_type ?? '',
    });
}

interface TokenHold {
  label: string;
  quantity: number;
  ticket_type: string | null;
}

/** What a token holds on one event; an area has one entry per ticket type. */
export async function readHolds(
  ctx: Seatsio,
  eventId: number,
  token: string,
): Promise<TokenHold[]> {
  const seats = await heldObjects(ctx.sql, eventId, token);
  const places = await heldPlaces(ctx.sql, eventId, token);
  return [
    ...seats.map(({ label, ticket_type }) => ({ label, ticket_type, quantity: 1 })),
    ...places.map((place) => ({
      label: place.label,
      quantity: place.quantity,
      ticket_type: place.ticket_type || null,
    })),
  ];
}
