/** The rows of charts; the drawings have their own table. */
import { readPage } from './paging.ts';
import type { Reader, Writer } from '#server/standins/kit/store.ts';
import { requireRow } from '#server/standins/kit/row.ts';

export interface ChartRow {
  id: number;
  workspace_id: number;
  key: string;
  name: string;
  /** A JSON list. */
  tags: string;
  archived: number;
  published_version: number;
  draft_version: number | null;
  /** The highest version number so far. */
  last_version: number;
  /** The hash of a drawing that came with a release; null for all other charts. */
  seed_hash: string | null;
}

export async function requireChart(sql: Reader, id: number): Promise<ChartRow> {
  // Columns are named, because a prepared statement must not change when a column is added.
  const chart = await sql.get<ChartRow>(
    `SELECT id, workspace_id, key, name, tags, archived, published_version, draft_version, last_version, seed_hash
     FROM seatsio_charts WHERE id = ?`,
    id,
  );
  return requireRow(chart, `chart ${id}`);
}

export function chartByKey(sql: Reader, workspaceId: number, key: string) {
  return sql.get<ChartRow>(
    'SELECT * FROM seatsio_charts WHERE workspace_id = ? AND key = ?',
    workspaceId,
    key,
  );
}

export function chartsOf(sql: Reader, workspaceId: number) {
  return sql.all<ChartRow>(
    'SELECT * FROM seatsio_charts WHERE workspace_id = ? ORDER BY name, key',
    workspaceId,
  );
}

export async function companyHasChart(sql: Reader, companyId: number, key: string) {
  const found = await sql.get(
    'SELECT 1 FROM seatsio_charts WHERE key = ? AND workspace_id IN (SELECT id FROM seatsio_workspaces WHERE company_id = ?)',
    key,
    companyId,
  );
  return found !== undefined;
}

interface ChartFilter {
  workspaceId: number;
  archived: 0 | 1;
  /** A part of the name. */
  name: string;
  /** A whole tag; empty for any tag. */
  tag: string;
  most: number | undefined;
}

export function pageOfCharts(sql: Reader, query: URLSearchParams, filter: ChartFilter) {
  const { workspaceId, archived, name, tag, most } = filter;
  return readPage<ChartRow>(sql, query, {
    select: 'SELECT * FROM seatsio_charts',
    where: `workspace_id = ? AND archived = ? AND instr(fold(name), fold(?)) > 0
      AND (? = '' OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?))`,
    values: [workspaceId, archived, name, tag, tag],
    most,
  });
}

/** Every tag once, also those of archived charts. */
export async function tagsOf(sql: Reader, workspaceId: number): Promise<string[]> {
  const rows = await sql.all<{ value: string }>(
    'SELECT DISTINCT value FROM seatsio_charts, json_each(tags) WHERE workspace_id = ? ORDER BY value',
    workspaceId,
  );
  return rows.map(({ value }) => value);
}

/** Adds a chart whose first version is published; `addDrawing` stores the drawing. */
export async function addChartRow(
  sql: Writer,
  workspaceId: number,
  { key, name }: { key: string; name: string },
): Promise<ChartRow> {
  const chart = await sql.get<ChartRow>(
    'INSERT INTO seatsio_charts (workspace_id, key, name, published_version, last_version) VALUES (?, ?, ?, 1, 1) RETURNING *',
    workspaceId,
    key,
    name,
  );
  return requireRow(chart, `chart ${key}`);
}

export function renameRow(sql: Writer, chartId: number, name: string) {
  return sql.run('UPDATE seatsio_charts SET name = ? WHERE id = ?', name, chartId);
}

/** Both drawings of the chart must exist. */
export function setVersions(
  sql: Writer,
  chartId: number,
  { published, draft }: { published: number; draft: number | null },
) {
  return sql.run(
    'UPDATE seatsio_charts SET published_version = ?, draft_version = ? WHERE id = ?',
    published,
    draft,
    chartId,
  );
}

export function setTags(sql: Writer, chartId: number, tags: string[]) {
  const list = JSON.stringify(tags);
  return sql.run('UPDATE seatsio_charts SET tags = ? WHERE id = ?', list, chartId);
}

export function setArchived(sql: Writer, chartId: number, archived: 0 | 1) {
  return sql.run('UPDATE seatsio_charts SET archived = ? WHERE id = ?', archived, chartId);
}

export function setSeedHash(sql: Writer, chartId: number, hash: string) {
  return sql.run('UPDATE seatsio_charts SET seed_hash = ? WHERE id = ?', hash, chartId);
}
