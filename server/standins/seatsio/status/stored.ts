/** What is written down about the objects of one event or season itself; an object without a row is free. */
import { FREE } from './status-rule.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { ObjectState, Place } from './status-rule.ts';

interface ObjectRow extends Omit<ObjectState, 'places' | 'overridden'> {
  label: string;
}
interface PlaceRow {
  label: string;
  channel: string;
  status: string;
  hold_token: string;
  ticket_type: string;
  quantity: number;
}

const OBJECT =
  'label, status, hold_token, order_id, ticket_type, extra_data, resale_listing_id, held_from';
const PLACE = 'label, channel, status, hold_token, ticket_type, quantity';

/** In the table no channel, no token and no ticket type are empty texts, because all three are part of the key. */
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
  const row = await ctx.sql.get<ObjectRow>(
    `SELECT ${OBJECT} FROM seatsio_objects WHERE event_id = ? AND label = ?`,
    eventId,
    label,
  );
  const places = (
    await ctx.sql.all<PlaceRow>(
      `SELECT ${PLACE} FROM seatsio_places WHERE event_id = ? AND label = ?`,
      eventId,
      label,
    )
  ).map(placeOf);
  return row || places.length > 0 ? { ...FREE, ...row, places } : FREE;
}

/** Of something that is sold at once: half the questions. */
export async function readStoredWhole(
  ctx: Seatsio,
  eventId: number,
  label: string,
): Promise<ObjectState> {
  const row = await ctx.sql.get<ObjectRow>(
    `SELECT ${OBJECT} FROM seatsio_objects WHERE event_id = ? AND label = ?`,
    eventId,
    label,
  );
  return row ? { ...row, places: [] } : FREE;
}

const OF_LABELS = 'AND label IN (SELECT value FROM json_each(?))';

/** Of the whole event, or of some labels of it, label -> state; what is missing is free. */
export async function readStoredStates(
  ctx: Seatsio,
  eventId: number,
  labels?: readonly string[],
): Promise<Map<string, ObjectState>> {
  const states = new Map<string, ObjectState>();
  const [only, values] = labels
    ? ([OF_LABELS, [eventId, JSON.stringify(labels)]] as const)
    : (['', [eventId]] as const);
  for (const row of await ctx.sql.all<ObjectRow>(
    `SELECT ${OBJECT} FROM seatsio_objects WHERE event_id = ? ${only}`,
    ...values,
  ))
    states.set(row.label, { ...row, places: [] });
  for (const row of await ctx.sql.all<PlaceRow>(
    `SELECT ${PLACE} FROM seatsio_places WHERE event_id = ? ${only}`,
    ...values,
  )) {
    const state = states.get(row.label) ?? { ...FREE, places: [] };
    state.places.push(placeOf(row));
    states.set(row.label, state);
  }
  return states;
}

/** `before` is what was read in the same transaction: what was not there need not be taken away. */
export async function writeState(
  ctx: Writing,
  eventId: number,
  { label, before, state }: { label: string; before: ObjectState; state: ObjectState },
): Promise<void> {
  const { status, hold_token, order_id, ticket_type, extra_data, resale_listing_id, held_from } =
    state;
  if (status === 'free' && order_id === null && extra_data === null) {
    await ctx.sql.run(
      'DELETE FROM seatsio_objects WHERE event_id = ? AND label = ?',
      eventId,
      label,
    );
  } else {
    await ctx.sql.run(
      `INSERT INTO seatsio_objects (event_id, ${OBJECT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (event_id, label) DO UPDATE SET status = excluded.status, hold_token = excluded.hold_token, order_id = excluded.order_id,
       ticket_type = excluded.ticket_type,
       extra_data = excluded.extra_data, resale_listing_id = excluded.resale_listing_id, held_from = excluded.held_from`,
      eventId,
      label,
      status,
      hold_token,
      order_id,
      ticket_type,
      extra_data,
      resale_listing_id,
      held_from,
    );
  }
  if (before.places.length > 0)
    await ctx.sql.run(
      'DELETE FROM seatsio_places WHERE event_id = ? AND label = ?',
      eventId,
      label,
    );
  for (const place of state.places) {
    await ctx.sql.run(
      `INSERT INTO seatsio_places (event_id, ${PLACE}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      eventId,
      label,
      place.channel ?? '',
      place.status,
      place.hold_token ?? '',
      place.ticket_type ?? '',
      place.quantity,
    );
  }
}

export interface TokenHold {
  label: string;
  quantity: number;
  ticket_type: string | null;
}

/** What a token holds on one event, areas with one entry per ticket type. */
export async function readHolds(
  ctx: Seatsio,
  eventId: number,
  token: string,
): Promise<TokenHold[]> {
  const seats = await ctx.sql.all<{ label: string; ticket_type: string | null }>(
    'SELECT label, ticket_type FROM seatsio_objects WHERE hold_token = ? AND event_id = ? ORDER BY label',
    token,
    eventId,
  );
  const places = await ctx.sql.all<{ label: string; ticket_type: string; quantity: number }>(
    `SELECT label, ticket_type, sum(quantity) AS quantity FROM seatsio_places WHERE hold_token = ? AND hold_token <> '' AND event_id = ?
     GROUP BY label, ticket_type ORDER BY label, ticket_type`,
    token,
    eventId,
  );
  return [
    ...seats.map(({ label, ticket_type }) => ({ label, ticket_type, quantity: 1 })),
    ...places.map((place) => ({
      label: place.label,
      quantity: place.quantity,
      ticket_type: place.ticket_type || null,
    })),
  ];
}

/** Everything that a token holds, on whatever event. */
export async function readHeldLabels(
  ctx: Seatsio,
  token: string,
): Promise<{ event_id: number; label: string }[]> {
  return ctx.sql.all(
    `SELECT event_id, label FROM seatsio_objects WHERE hold_token = ?
     UNION SELECT event_id, label FROM seatsio_places WHERE hold_token = ? AND hold_token <> ''`,
    token,
    token,
  );
}
