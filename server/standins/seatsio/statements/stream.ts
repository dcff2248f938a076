/** The numbered changes of each event, from which a reconnecting browser catches up. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';

/** At least this many changes are stored; a browser that missed more reads everything anew. */
const STREAM_KEPT = 500;
/** Older changes are deleted in batches of this size, so that most changes need no deletion. */
const FORGOTTEN_AT_ONCE = 50;

/** `labels` null: all may have changed. Returns the change's number; undefined without event. */
export async function addToStream(
  sql: Writer,
  eventId: number,
  labels: readonly string[] | null,
): Promise<number | undefined> {
  const event = await sql.get<{ sequence: number }>(
    'UPDATE seatsio_events SET sequence = sequence + 1 WHERE id = ? RETURNING sequence',
    eventId,
  );
  if (!event) return undefined;
  await sql.run(
    'INSERT INTO seatsio_stream (event_id, sequence, labels) VALUES (?, ?, ?)',
    eventId,
    event.sequence,
    labels && JSON.stringify(labels),
  );
  if (event.sequence % FORGOTTEN_AT_ONCE === 0)
    await sql.run(
      'DELETE FROM seatsio_stream WHERE event_id = ? AND sequence <= ?',
      eventId,
      event.sequence - STREAM_KEPT,
    );
  return event.sequence;
}

/** The changes after a number, oldest first: JSON lists of labels, or null for everything. */
export async function readStream(
  sql: Reader,
  eventId: number,
  since: number,
): Promise<{ sequence: number; labels: string | null }[]> {
  return sql.all(
    'SELECT sequence, labels FROM seatsio_stream WHERE event_id = ? AND sequence > ? ORDER BY sequence',
    eventId,
    since,
  );
}

/** The latest number of each of these events. */
export function sequencesOf(sql: Reader, eventIds: readonly number[]) {
  return sql.all<{ id: number; sequence: number }>(
    'SELECT id, sequence FROM seatsio_events WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))',
    JSON.stringify(eventIds),
  );
}
