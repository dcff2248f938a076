/** The rows of an event's taken objects, of an area's taken places, and of tokens' holds. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';

interface ObjectRow {
  label: string;
  status: string;
  hold_token: string | null;
  order_id: string | null;
  ticket_type: string | null;
  extra_data: string | null;
  resale_listing_id: string | null;
  held_from: string | null;
}
/** A missing channel, token or ticket type is an empty text, as all three are in the key. */
export interface PlaceRow {
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
const OF_LABELS = 'AND label IN (SELECT value FROM json_each(?))';

export function objectOf(sql: Reader, eventId: number, label: string) {
  return sql.get<ObjectRow>(
    `SELECT ${OBJECT} FROM seatsio_objects WHERE event_id = ? AND label = ?`,
    eventId,
    label,
  );
}

export function placesOf(sql: Reader, eventId: number, label: string) {
  return sql.all<PlaceRow>(
    `SELECT ${PLACE} FROM seatsio_places WHERE event_id = ? AND label = ?`,
    eventId,
    label,
  );
}

/** The taken objects of the whole event, or those of some labels. */
export async function takenIn(
  sql: Reader,
  eventId: number,
  labels?: readonly string[],
): Promise<{ objects: ObjectRow[]; places: PlaceRow[] }> {
  const only = labels ? OF_LABELS : '';
  const values = labels ? [eventId, JSON.stringify(labels)] : [eventId];
  return {
    objects: await sql.all<ObjectRow>(
      `SELECT ${OBJECT} FROM seatsio_objects WHERE event_id = ? ${only}`,
      ...values,
    ),
    places: await sql.all<PlaceRow>(
      `SELECT ${PLACE} FROM seatsio_places WHERE event_id = ? ${only}`,
      ...values,
    ),
  };
}

/**
 * How many objects are taken on the chart's coming events, by a booking or a channel; an area
 * counts once per event.
 */
export async function countTaken(sql: Reader, chartId: number): Promise<number> {
  const row = await sql.get<{ taken: number }>(
    `SELECT count(*) AS taken FROM (
       SELECT event_id, label FROM seatsio_objects WHERE status <> 'free' AND event_id IN (SELECT id FROM seatsio_events WHERE chart_id = ? AND is_in_the_past = 0)
       UNION SELECT event_id, label FROM seatsio_places WHERE event_id IN (SELECT id FROM seatsio_events WHERE chart_id = ? AND is_in_the_past = 0)
       UNION SELECT e.id, o.value FROM seatsio_events e, json_each(e.channels) c, json_each(c.value, '$.objects') o WHERE e.chart_id = ? AND e.is_in_the_past = 0
       UNION SELECT e.id, p.key FROM seatsio_events e, json_each(e.channels) c, json_each(c.value, '$.areaPlaces') p
         WHERE e.chart_id = ? AND e.is_in_the_past = 0 AND CAST(p.value AS INTEGER) > 0)`,
    chartId,
    chartId,
    chartId,
    chartId,
  );
  return row?.taken ?? 0;
}

export function putObject(sql: Writer, eventId: number, row: ObjectRow) {
  return sql.run(
    `INSERT INTO seatsio_objects (event_id, ${OBJECT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (event_id, label) DO UPDATE SET status = excluded.status, hold_token = excluded.hold_token, order_id = excluded.order_id,
     ticket_type = excluded.ticket_type,
     extra_data = excluded.extra_data, resale_listing_id = excluded.resale_listing_id, held_from = excluded.held_from`,
    eventId,
    row.label,
    row.status,
    row.hold_token,
    row.order_id,
    row.ticket_type,
    row.extra_data,
    row.resale_listing_id,
    row.held_from,
  );
}

export function removeObject(sql: Writer, eventId: number, label: string) {
  return sql.run('DELETE FROM seatsio_objects WHERE event_id = ? AND label = ?', eventId, label);
}

export function addPlace(sql: Writer, eventId: number, row: PlaceRow) {
  return sql.run(
    `INSERT INTO seatsio_places (event_id, ${PLACE}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    eventId,
    row.label,
    row.channel,
    row.status,
    row.hold_token,
    row.ticket_type,
    row.quantity,
  );
}

export function removePlaces(sql: Writer, eventId: number, label: string) {
  return sql.run('DELETE FROM seatsio_places WHERE event_id = ? AND label = ?', eventId, label);
}

/** The objects that a token holds on one event, except places of areas. */
export function heldObjects(sql: Reader, eventId: number, token: string) {
  return sql.all<Pick<ObjectRow, 'label' | 'ticket_type'>>(
    'SELECT label, ticket_type FROM seatsio_objects WHERE hold_token = ? AND event_id = ? ORDER BY label',
    token,
    eventId,
  );
}

/** The places of areas that a token holds on one event, counted by ticket type. */
export function heldPlaces(sql: Reader, eventId: number, token: string) {
  return sql.all<Pick<PlaceRow, 'label' | 'ticket_type' | 'quantity'>>(
    `SELECT label, ticket_type, sum(quantity) AS quantity FROM seatsio_places WHERE hold_token = ? AND hold_token <> '' AND event_id = ?
     GROUP BY label, ticket_type ORDER BY label, ticket_type`,
    token,
    eventId,
  );
}

/** How many places of an event the live tokens of a network hold. */
export async function countHeldBy(sql: Reader, eventId: number, network: string): Promise<number> {
  const tokens = `hold_token IN (SELECT token FROM seatsio_hold_tokens WHERE network = ? AND settled = 0)`;
  const row = await sql.get<{ held: number }>(
    `SELECT (SELECT count(*) FROM seatsio_objects WHERE event_id = ? AND ${tokens})
      + (SELECT COALESCE(sum(quantity), 0) FROM seatsio_places WHERE event_id = ? AND hold_token <> '' AND ${tokens}) AS held`,
    eventId,
    network,
    eventId,
    network,
  );
  return row?.held ?? 0;
}

/** The labels that a token holds on any event. */
export function heldLabels(sql: Reader, token: string) {
  return sql.all<{ event_id: number; label: string }>(
    `SELECT event_id, label FROM seatsio_objects WHERE hold_token = ?
     UNION SELECT event_id, label FROM seatsio_places WHERE hold_token = ? AND hold_token <> ''`,
    token,
    token,
  );
}
