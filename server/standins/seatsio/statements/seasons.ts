/** The events of seasons and partial seasons, and the season bookings that events override. */
import type { EventRow } from './events.ts';
import type { Reader, Writer } from '#server/standins/kit/store.ts';

/** Partial seasons and events, in the order in which they were made. */
export function membersOf(sql: Reader, seasonId: number) {
  return sql.all<Pick<EventRow, 'id' | 'kind' | 'is_in_the_past'>>(
    'SELECT id, kind, is_in_the_past FROM seatsio_events WHERE season_id = ? ORDER BY id',
    seasonId,
  );
}

/** All pairs of a partial season and one of its events, for one season. */
export function partialMembersOf(sql: Reader, seasonId: number) {
  return sql.all<{ partial_id: number; event_id: number }>(
    'SELECT partial_id, event_id FROM seatsio_season_events JOIN seatsio_events ON id = partial_id WHERE season_id = ? ORDER BY partial_id',
    seasonId,
  );
}

export function addMember(sql: Writer, partialId: number, eventId: number) {
  return sql.run(
    'INSERT INTO seatsio_season_events (partial_id, event_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    partialId,
    eventId,
  );
}

/** Also removes the overrides; false if the event was not a member. */
export async function removeMember(
  sql: Writer,
  partialId: number,
  eventId: number,
): Promise<boolean> {
  const { changes } = await sql.run(
    'DELETE FROM seatsio_season_events WHERE partial_id = ? AND event_id = ?',
    partialId,
    eventId,
  );
  await sql.run(
    'DELETE FROM seatsio_overrides WHERE season_id = ? AND event_id = ?',
    partialId,
    eventId,
  );
  return changes > 0;
}

/** How many of a season's booked places the event overrides. */
export interface OverrideRow {
  event_id: number;
  label: string;
  season_id: number;
  quantity: number;
}

/** An event's overrides, of all labels or of one. */
export function overridesOf(sql: Reader, eventId: number, label?: string) {
  return label === undefined
    ? sql.all<OverrideRow>('SELECT * FROM seatsio_overrides WHERE event_id = ?', eventId)
    : sql.all<OverrideRow>(
        'SELECT * FROM seatsio_overrides WHERE event_id = ? AND label = ?',
        eventId,
        label,
      );
}

/** The overrides of a season and its partial seasons, of all labels or of one. */
export function overridesIn(sql: Reader, seasonId: number, label?: string) {
  const where = 'season_id IN (SELECT id FROM seatsio_events WHERE id = ? OR season_id = ?)';
  return label === undefined
    ? sql.all<OverrideRow>(`SELECT * FROM seatsio_overrides WHERE ${where}`, seasonId, seasonId)
    : sql.all<OverrideRow>(
        `SELECT * FROM seatsio_overrides WHERE ${where} AND label = ?`,
        seasonId,
        seasonId,
        label,
      );
}

/** Reduces the overrides of a label on every event of the season to `most`. */
export function limitOverrides(
  sql: Writer,
  seasonId: number,
  { label, most }: { label: string; most: number },
) {
  return most === 0
    ? sql.run('DELETE FROM seatsio_overrides WHERE season_id = ? AND label = ?', seasonId, label)
    : sql.run(
        'UPDATE seatsio_overrides SET quantity = ? WHERE season_id = ? AND label = ? AND quantity > ?',
        most,
        seasonId,
        label,
        most,
      );
}

type OverrideKey = Omit<OverrideRow, 'quantity'>;

/** Records that the event overrides one more place. */
export function addOverride(sql: Writer, { event_id, label, season_id }: OverrideKey) {
  return sql.run(
    `INSERT INTO seatsio_overrides (event_id, label, season_id, quantity) VALUES (?, ?, ?, 1)
     ON CONFLICT (event_id, label, season_id) DO UPDATE SET quantity = seatsio_overrides.quantity + 1`,
    event_id,
    label,
    season_id,
  );
}

/** Records that the event overrides one place less. */
export async function removeOverride(
  sql: Writer,
  { event_id, label, season_id }: OverrideKey,
): Promise<void> {
  const key = [event_id, label, season_id] as const;
  const { changes } = await sql.run(
    'UPDATE seatsio_overrides SET quantity = quantity - 1 WHERE event_id = ? AND label = ? AND season_id = ? AND quantity > 1',
    ...key,
  );
  if (changes === 0)
    await sql.run(
      'DELETE FROM seatsio_overrides WHERE event_id = ? AND label = ? AND season_id = ?',
      ...key,
    );
}
