/** Charts: listed, read, and brought in from drawings. */
import { readdirSync, readFileSync } from 'node:fs';
import { drawingText, findChart, planOf } from './catalog.ts';
import { ApiError, badRequest } from './errors.ts';
import { readDrawing } from './drawing.ts';
import { flattenDrawing } from './plan.ts';
import { readPage } from './paging.ts';
import { keyRoute, openRoute } from './router.ts';
import { findCaller } from './workspaces.ts';
import type { Category, ChartRow } from './catalog.ts';
import type { Seatsio, Workspace } from './context.ts';
import type { Drawing } from './drawing.ts';
import type { Route } from './router.ts';

const UPLOAD_LIMIT = 8 * 1024 * 1024;

function drawingOf(ctx: Seatsio, chart: ChartRow): Drawing {
  return planOf(ctx, { id: chart.id, version: chart.published_version }, { mode: 'INHERIT' }).drawing;
}

/** Chart as the API shows it. */
export function describeChart(ctx: Seatsio, chart: ChartRow) {
  const used = ctx.sql.one('SELECT 1 FROM seatsio_events WHERE chart_id = ? LIMIT 1', chart.id) !== undefined;
  const drawing = drawingOf(ctx, chart);
  return {
    id: chart.id, key: chart.key, name: chart.name, status: chart.draft_version !== null ? 'PUBLISHED_WITH_DRAFT' : used ? 'PUBLISHED' : 'NOT_USED',
    tags: JSON.parse(chart.tags) as string[],
    archived: chart.archived === 1, publishedVersionThumbnailUrl: `/charts/${encodeURIComponent(chart.key)}/version/published/thumbnail`,
    venueType: drawing.venueType,
    zones: drawing.zones.map(({ key, label }) => ({ key, label })),
  };
}

/** The categories with their keys as they were drawn: numbers stay numbers. */
export function rawCategories(ctx: Seatsio, chart: ChartRow): Category[] {
  const raw = JSON.parse(drawingText(ctx, chart.id, chart.published_version)) as { categories?: { list?: Category[] } };
  return (raw.categories?.list ?? []).map(({ key, label, color, accessible }) => ({ key, label, color, accessible: accessible === true }));
}

/** @throws ApiError 400 when the text is no drawing or the key is taken */
function addChart(ctx: Seatsio, workspaceId: number, { key, text }: { key: string; text: string }): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('The body is no JSON');
  }
  const drawing = readDrawing(value);
  flattenDrawing(drawing, { mode: 'INHERIT' });
  if (ctx.sql.one('SELECT 1 FROM seatsio_charts WHERE workspace_id = ? AND key = ?', workspaceId, key)) throw new ApiError(
    400, 'CHART_KEY_ALREADY_EXISTS', { message: `A chart with key ${key} already exists` },
  );
  ctx.store.transaction(() => {
    const { lastInsertRowid } = ctx.sql.run(
      'INSERT INTO seatsio_charts (workspace_id, key, name, published_version) VALUES (?, ?, ?, 1)', workspaceId, key, drawing.name,
    );
    ctx.sql.run('INSERT INTO seatsio_drawings (chart_id, version, drawing) VALUES (?, 1, ?)', Number(lastInsertRowid), text);
  }).immediate();
}

/** Every drawing of the folder that the workspace does not have yet becomes a published chart; its key is the file's name. */
export function addOwnCharts(ctx: Seatsio, workspace: Workspace, folder: URL): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')).sort()) {
    const key = file.slice(0, -'.json'.length);
    if (ctx.sql.one('SELECT 1 FROM seatsio_charts WHERE workspace_id = ? AND key = ?', workspace.id, key)) continue;
    addChart(ctx, workspace.id, { key, text: readFileSync(new URL(file, folder), 'utf8') });
  }
}

/** `?filter` is part of the name, `?tag` a whole tag -> page of Chart. */
function listCharts(ctx: Seatsio, query: URLSearchParams, { workspace, archived }: { workspace: Workspace; archived: 0 | 1 }) {
  const page = readPage<ChartRow>(ctx.sql, query, {
    select: 'SELECT * FROM seatsio_charts',
    where: `workspace_id = ? AND archived = ? AND instr(lower(name), lower(?)) > 0 AND (? = '' OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?))`,
    values: [workspace.id, archived, query.get('filter') ?? '', query.get('tag') ?? '', query.get('tag') ?? ''],
  });
  return { ...page, items: page.items.map((chart) => describeChart(ctx, chart)) };
}

export const chartRoutes: Route[] = [
  keyRoute('GET', '/charts', (ctx, call, workspace) => listCharts(ctx, call.query, { workspace, archived: 0 })),
  keyRoute('GET', '/charts/archive', (ctx, call, workspace) => listCharts(ctx, call.query, { workspace, archived: 1 })),
  keyRoute('GET', '/charts/:chart', (ctx, call, workspace) => describeChart(ctx, findChart(ctx, workspace, call.params.chart!))),
  /** -> {categories:[{key, label, color, accessible}]} */
  keyRoute('GET', '/charts/:chart/categories', (ctx, call, workspace) => ({ categories: rawCategories(ctx, findChart(ctx, workspace, call.params.chart!)) })),
  /** -> the drawing as it was published */
  keyRoute('GET', '/charts/:chart/version/published', (ctx, call, workspace) => {
    const chart = findChart(ctx, workspace, call.params.chart!);
    return JSON.parse(drawingText(ctx, chart.id, chart.published_version)) as object;
  }),
];

/** Only mounted with a system secret. Basic user = a workspace's secret key, body = drawing JSON whatever its content type says, up to 8 MB. */
export const chartUploadRoute: Route = openRoute('POST', '/system/public/charts/:chart', (ctx, call) => {
  addChart(ctx, findCaller(ctx, call.request).id, { key: call.params.chart!, text: call.body });
  return undefined;
}, UPLOAD_LIMIT);
