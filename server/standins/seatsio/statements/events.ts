/** The rows of events and seasons, which share one table. */
import { readPage } from './paging.ts';
import type { Reader, Writer } from '#server/standins/kit/store.ts';
import { requireRow } from '#server/standins/kit/row.ts';

export type EventKind = 'event' | 'season' | 'partial';

export interface EventRow {
  id: number;
  workspace_id: number;
  key: string;
  chart_id: number;
  name: string | null;
  date: string | null;
  table_booking_config: string;
  object_categories: string | null;
  categories: string | null;
  channels: string;
  for_sale_config: string | null;
  is_in_the_past: number;
  created_at: number;
  updated_at: number | null;
  sequence: number;
  kind: EventKind;
  /** The top-level season of a partial season or of an event in a season. */
  season_id: number | null;
  for_sale_propagated: number;
  /** How many places one hold token may hold with calls without a key; null: the usual number. */
  most_held: number | null;
  /** 1 if only admitted tokens may hold with calls without a key. */
  only_admitted: number;
  /** Changes whenever the row changes, except for the sequence. */
  revision: number;
}

/** The columns that every call needs; other columns may list many thousand labels. */
export type Hot = Pick<
  EventRow,
  'id' | 'chart_id' | 'revision' | 'sequence' | 'kind' | 'season_id'
>;

/**
 * Random, not a counter: a rolled-back counter would give the same number to other content, but
 * values are cached by it.
 */
const NEW_REVISION = 'new_revision()';

export function eventById(sql: Reader, id: number) {
  return sql.get<EventRow>('SELECT * FROM seatsio_events WHERE id = ?', id);
}

export function eventByKey(sql: Reader, workspaceId: number, key: string) {
  return sql.get<EventRow>(
    'SELECT * FROM seatsio_events WHERE workspace_id = ? AND key = ?',
    workspaceId,
    key,
  );
}

export function hotByKey(sql: Reader, workspaceId: number, key: string) {
  return sql.get<Hot>(
    'SELECT id, chart_id, revision, sequence, kind, season_id FROM seatsio_events WHERE workspace_id = ? AND key = ?',
    workspaceId,
    key,
  );
}

export async function requireEvent(sql: Reader, id: number): Promise<EventRow> {
  return requireRow(await eventById(sql, id), `event ${id}`);
}

export function standingOf(sql: Reader, id: number) {
  return sql.get<Pick<EventRow, 'id' | 'kind' | 'season_id'>>(
    'SELECT id, kind, season_id FROM seatsio_events WHERE id = ?',
    id,
  );
}

/** In id order; the events must exist. */
export async function keysOfEvents(sql: Reader, ids: number[]): Promise<string[]> {
  return Array.fromAsync(ids, async (id) => {
    const row = await sql.get<{ key: string }>('SELECT key FROM seatsio_events WHERE id = ?', id);
    return requireRow(row, `event ${id}`).key;
  });
}

export function companyEvent(sql: Reader, companyId: number, id: number) {
  return sql.get<EventRow>(
    'SELECT * FROM seatsio_events WHERE id = ? AND workspace_id IN (SELECT id FROM seatsio_workspaces WHERE company_id = ?)',
    id,
    companyId,
  );
}

/** Sorted by workspace, then by chart. */
export function eventsOfCompany(sql: Reader, companyId: number) {
  return sql.all<EventRow>(
    `SELECT e.* FROM seatsio_events e JOIN seatsio_workspaces w ON w.id = e.workspace_id WHERE w.company_id = ?
     ORDER BY e.workspace_id, e.chart_id, e.id`,
    companyId,
  );
}

/** Newest first. */
export function eventsOnChart(sql: Reader, chartId: number, limit: number) {
  return sql.all<EventRow>(
    'SELECT * FROM seatsio_events WHERE chart_id = ? ORDER BY id DESC LIMIT ?',
    chartId,
    limit,
  );
}

/** Events that are not marked as past. */
export function comingEventsOnChart(sql: Reader, chartId: number) {
  return sql.all<EventRow>(
    'SELECT * FROM seatsio_events WHERE chart_id = ? AND is_in_the_past = 0',
    chartId,
  );
}

export function allEventsOnChart(sql: Reader, chartId: number) {
  return sql.all<EventRow>('SELECT * FROM seatsio_events WHERE chart_id = ?', chartId);
}

export async function hasEvents(sql: Reader, chartId: number): Promise<boolean> {
  const one = await sql.get('SELECT 1 FROM seatsio_events WHERE chart_id = ? LIMIT 1', chartId);
  return one !== undefined;
}

export async function countEvents(sql: Reader, chartId: number): Promise<number> {
  const row = await sql.get<{ events: number }>(
    'SELECT count(*) AS events FROM seatsio_events WHERE chart_id = ?',
    chartId,
  );
  return row?.events ?? 0;
}

export function revisionsIn(sql: Reader, seasonId: number) {
  return sql.all<Pick<EventRow, 'id' | 'revision'>>(
    'SELECT id, revision FROM seatsio_events WHERE season_id = ? OR id = ?',
    seasonId,
    seasonId,
  );
}

/** Newest first. */
export function pageOfEvents(sql: Reader, query: URLSearchParams, workspaceId: number) {
  return readPage<EventRow>(sql, query, {
    select: 'SELECT * FROM seatsio_events',
    where: 'workspace_id = ?',
    values: [workspaceId],
  });
}

type NewEventRow = Omit<
  EventRow,
  'id' | 'is_in_the_past' | 'updated_at' | 'sequence' | 'revision' | 'most_held' | 'only_admitted'
>;

export function addEvent(sql: Writer, row: NewEventRow) {
  return sql.run(
    `INSERT INTO seatsio_events (workspace_id, key, chart_id, name, date, table_booking_config, object_categories, categories, channels, for_sale_config,
       kind, season_id, for_sale_propagated, created_at, revision)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${NEW_REVISION})`,
    row.workspace_id,
    row.key,
    row.chart_id,
    row.name,
    row.date,
    row.table_booking_config,
    row.object_categories,
    row.categories,
    row.channels,
    row.for_sale_config,
    row.kind,
    row.season_id,
    row.for_sale_propagated,
    row.created_at,
  );
}

type Own = Pick<EventRow, 'key' | 'name' | 'date' | 'is_in_the_past' | 'for_sale_propagated'>;

export function updateOwn(sql: Writer, id: number, row: Own & { updated_at: number }) {
  return sql.run(
    `UPDATE seatsio_events SET key = ?, name = ?, date = ?, is_in_the_past = ?, for_sale_propagated = ?, updated_at = ?, revision = ${NEW_REVISION}
     WHERE id = ?`,
    row.key,
    row.name,
    row.date,
    row.is_in_the_past,
    row.for_sale_propagated,
    row.updated_at,
    id,
  );
}

type Shared = Pick<EventRow, 'table_booking_config' | 'object_categories' | 'categories'>;

/** Updates an event, or a season with all its members. */
export function updateShared(sql: Writer, id: number, row: Shared) {
  return sql.run(
    `UPDATE seatsio_events SET table_booking_config = ?, object_categories = ?, categories = ?, revision = ${NEW_REVISION}
     WHERE id = ? OR season_id = ?`,
    row.table_booking_config,
    row.object_categories,
    row.categories,
    id,
    id,
  );
}

/** Moves an event, or a season with all its members, to another chart. */
export function setChart(
  sql: Writer,
  id: number,
  { chartId, now }: { chartId: number; now: number },
) {
  return sql.run(
    `UPDATE seatsio_events SET chart_id = ?, updated_at = ?, revision = ${NEW_REVISION} WHERE id = ? OR season_id = ?`,
    chartId,
    now,
    id,
    id,
  );
}

export function setChannels(
  sql: Writer,
  id: number,
  { channels, now }: { channels: object[]; now: number },
) {
  return sql.run(
    `UPDATE seatsio_events SET channels = ?, updated_at = ?, revision = ${NEW_REVISION} WHERE id = ?`,
    JSON.stringify(channels),
    now,
    id,
  );
}

export function setForSaleConfig(
  sql: Writer,
  id: number,
  { config, now }: { config: object | null; now: number },
) {
  return sql.run(
    `UPDATE seatsio_events SET for_sale_config = ?, updated_at = ?, revision = ${NEW_REVISION} WHERE id = ?`,
    config && JSON.stringify(config),
    now,
    id,
  );
}

/** Our own setting, so `updated_at` stays the same for the vendor's clients. */
export function setMostHeld(sql: Writer, id: number, most: number | null) {
  return sql.run(
    `UPDATE seatsio_events SET most_held = ?, revision = ${NEW_REVISION} WHERE id = ?`,
    most,
    id,
  );
}

export function setOnlyAdmitted(sql: Writer, id: number, only: boolean) {
  return sql.run(
    `UPDATE seatsio_events SET only_admitted = ?, revision = ${NEW_REVISION} WHERE id = ?`,
    only ? 1 : 0,
    id,
  );
}

/** Marks a season as changed because its members changed. */
export function touchEvent(sql: Writer, id: number, now: number) {
  return sql.run(
    `UPDATE seatsio_events SET revision = ${NEW_REVISION}, updated_at = ? WHERE id = ?`,
    now,
    id,
  );
}

export function removeEvent(sql: Writer, id: number) {
  return sql.run('DELETE FROM seatsio_events WHERE id = ?', id);
}
