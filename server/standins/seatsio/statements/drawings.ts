/**
 * The drawings of charts, one for each stored version: the draft, the published one, and earlier
 * published ones.
 */
import type { Reader, Writer } from '#server/standins/kit/store.ts';
import type { ChartRow } from './charts.ts';
import { requireRow } from '#server/standins/kit/row.ts';

/**
 * A version without its drawing; a field is null if the caller did not send it or an older
 * release did not store it.
 */
interface VersionRow {
  version: number;
  saved_at: number | null;
  saved_by: string | null;
  /** The open designer that saved it. */
  saved_tab: string | null;
  /** 0 if it was only a draft. */
  was_published: number;
  published_at: number | null;
  published_by: string | null;
}

/** Who saves or publishes, and when. */
export interface Author {
  at: number;
  by: string | null;
  tab?: string | null;
}

const VERSION = 'version, saved_at, saved_by, saved_tab, was_published, published_at, published_by';
/** How many published drawings stay stored, the current one included. */
const KEPT = 30;

/** A version number is never used twice, because values are cached by it. */
async function nextVersion(sql: Writer, chartId: number): Promise<number> {
  const chart = await sql.get<
    Pick<ChartRow, 'last_version' | 'published_version' | 'draft_version'>
  >(
    'SELECT last_version, published_version, draft_version FROM seatsio_charts WHERE id = ?',
    chartId,
  );
  const { last_version, published_version, draft_version } = requireRow(chart, `chart ${chartId}`);
  const next = Math.max(last_version, published_version, draft_version ?? 0) + 1;
  await sql.run('UPDATE seatsio_charts SET last_version = ? WHERE id = ?', next, chartId);
  return next;
}

export async function addVersion(
  sql: Writer,
  chartId: number,
  { text, author }: { text: string; author: Author },
): Promise<number> {
  const version = await nextVersion(sql, chartId);
  await addDrawing(sql, chartId, { version, text, author });
  return version;
}

/** Inserts a drawing, perhaps as published: a later update would rewrite the large row. */
export function addDrawing(
  sql: Writer,
  chartId: number,
  {
    version,
    text,
    author,
    isPublished = false,
  }: { version: number; text: string; author: Author; isPublished?: boolean },
) {
  return sql.run(
    'INSERT INTO seatsio_drawings (chart_id, version, drawing, saved_at, saved_by, saved_tab, was_published, published_at, published_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    chartId,
    version,
    text,
    author.at,
    author.by,
    author.tab ?? null,
    isPublished ? 1 : 0,
    isPublished ? author.at : null,
    isPublished ? author.by : null,
  );
}

/** Copies a version with another text; its new number makes open designers notice the change. */
export async function copyVersion(
  sql: Writer,
  chartId: number,
  { version, text }: { version: number; text: string },
): Promise<number> {
  const next = await nextVersion(sql, chartId);
  await sql.run(
    'UPDATE seatsio_drawings SET version = ?, drawing = ?, saved_tab = NULL WHERE chart_id = ? AND version = ?',
    next,
    text,
    chartId,
    version,
  );
  return next;
}

/** The drawing's text; the version must exist. */
export async function drawingOf(sql: Reader, chartId: number, version: number): Promise<string> {
  const drawing = await maybeDrawingOf(sql, chartId, version);
  return requireRow(drawing, `version ${version} of chart ${chartId}`);
}

export async function maybeDrawingOf(
  sql: Reader,
  chartId: number,
  version: number,
): Promise<string | undefined> {
  const row = await sql.get<{ drawing: string }>(
    'SELECT drawing FROM seatsio_drawings WHERE chart_id = ? AND version = ?',
    chartId,
    version,
  );
  return row?.drawing;
}

/** The version must exist. */
export async function versionRow(
  sql: Reader,
  chartId: number,
  version: number,
): Promise<VersionRow> {
  const row = await sql.get<VersionRow>(
    `SELECT ${VERSION} FROM seatsio_drawings WHERE chart_id = ? AND version = ?`,
    chartId,
    version,
  );
  return requireRow(row, `version ${version} of chart ${chartId}`);
}

/** Newest first. */
export function publishedVersions(sql: Reader, chartId: number) {
  return sql.all<VersionRow>(
    `SELECT ${VERSION} FROM seatsio_drawings WHERE chart_id = ? AND was_published = 1 ORDER BY version DESC`,
    chartId,
  );
}

/**
 * Publishes a version for all events. Deletes earlier drafts and the oldest published versions
 * beyond the limit.
 */
export async function setPublished(
  sql: Writer,
  chartId: number,
  { version, name, author }: { version: number; name: string; author: Author },
): Promise<void> {
  await sql.run(
    'UPDATE seatsio_charts SET published_version = ?, draft_version = NULL, name = ? WHERE id = ?',
    version,
    name,
    chartId,
  );
  await markPublished(sql, chartId, { version, author });
  await sql.run(
    `DELETE FROM seatsio_drawings WHERE chart_id = ? AND version <> ? AND (was_published = 0 OR version NOT IN
       (SELECT version FROM seatsio_drawings WHERE chart_id = ? AND was_published = 1 ORDER BY version DESC LIMIT ${KEPT}))`,
    chartId,
    version,
    chartId,
  );
}

function markPublished(
  sql: Writer,
  chartId: number,
  { version, author }: { version: number; author: Author },
) {
  return sql.run(
    'UPDATE seatsio_drawings SET was_published = 1, published_at = ?, published_by = ? WHERE chart_id = ? AND version = ?',
    author.at,
    author.by,
    chartId,
    version,
  );
}

/**
 * Makes this version the draft (null: there is none) and deletes the previous draft's drawing.
 */
export async function setDraft(
  sql: Writer,
  { id, draft_version }: Pick<ChartRow, 'id' | 'draft_version'>,
  version: number | null,
): Promise<void> {
  await sql.run('UPDATE seatsio_charts SET draft_version = ? WHERE id = ?', version, id);
  await sql.run(
    'DELETE FROM seatsio_drawings WHERE chart_id = ? AND version = ?',
    id,
    draft_version,
  );
}
