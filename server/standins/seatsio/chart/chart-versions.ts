/** The two drawings of a chart, the published one and its draft: read, saved, published, discarded. */
import { settingsFor } from '#server/standins/seatsio/company/accounts.ts';
import { drawingText, findChart } from '#server/standins/seatsio/event/catalog.ts';
import { refuseLostBookings } from './chart-bookings.ts';
import { refuseFaults, validateDrawing } from './chart-validation.ts';
import { transact } from '#server/standins/seatsio/context.ts';
import { parseDrawing, readDrawing } from './drawing.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { writeLog } from '#server/standins/seatsio/company/event-log.ts';
import { keyRoute, sendText, sent } from '#server/standins/seatsio/router.ts';
import type { ChartRow } from '#server/standins/seatsio/event/catalog.ts';
import type { Seatsio, Tell, Workspace } from '#server/standins/seatsio/context.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';

export const DRAWING_LIMIT = 8 * 1024 * 1024;

export function hasEvents(ctx: Seatsio, chart: Pick<ChartRow, 'id'>): boolean {
  return (
    ctx.sql.one('SELECT 1 FROM seatsio_events WHERE chart_id = ? LIMIT 1', chart.id) !== undefined
  );
}

/** @throws ApiError 404 DRAFT_NOT_FOUND */
export function draftOf(chart: ChartRow): number {
  if (chart.draft_version === null)
    throw new ApiError(404, 'DRAFT_NOT_FOUND', {
      message: `Draft version not found: chart ${chart.key} has none`,
    });
  return chart.draft_version;
}

/** `draft` or `published`, as in the path. */
export function versionOf(chart: ChartRow, which: string): number {
  return which === 'draft' ? draftOf(chart) : chart.published_version;
}

/** The version that the next edit starts from. */
export function latestText(ctx: Seatsio, chart: ChartRow): string {
  return drawingText(ctx, chart.id, chart.draft_version ?? chart.published_version);
}

/** A number never comes again, because what is computed of a version is kept under it. */
function addVersion(ctx: Seatsio, chart: ChartRow, text: string): number {
  const { last_version: version } = ctx.sql.one<{ last_version: number }>(
    'UPDATE seatsio_charts SET last_version = MAX(last_version, published_version, COALESCE(draft_version, 0)) + 1 WHERE id = ? RETURNING last_version',
    chart.id,
  )!;
  ctx.sql.run(
    'INSERT INTO seatsio_drawings (chart_id, version, drawing) VALUES (?, ?, ?)',
    chart.id,
    version,
    text,
  );
  return version;
}

interface Publishing {
  chart: ChartRow;
  version: number;
  tell: Tell;
}

/** Open charts of its events hear that everything is new. */
function makePublished(
  ctx: Seatsio,
  workspace: Workspace,
  { chart, version, tell }: Publishing,
): void {
  const drawing = readDrawing(parseDrawing(drawingText(ctx, chart.id, version)));
  const events = ctx.sql.all<{ id: number }>(
    'SELECT id FROM seatsio_events WHERE chart_id = ?',
    chart.id,
  );
  if (events.length > 0) {
    refuseFaults(ctx, workspace, {
      drawing,
      refused: `Failed to publish chart [key: ${chart.key}]: invalid draft drawing`,
    });
    refuseLostBookings(ctx, chart, drawing);
  }
  ctx.sql.run(
    'UPDATE seatsio_charts SET published_version = ?, draft_version = NULL, name = ? WHERE id = ?',
    version,
    drawing.name,
    chart.id,
  );
  ctx.sql.run(
    'DELETE FROM seatsio_drawings WHERE chart_id = ? AND version <> ?',
    chart.id,
    version,
  );
  writeLog(ctx, workspace.id, { type: 'chart.published', key: chart.key });
  for (const { id } of events) tell(id, null);
}

/**
 * Published without being a draft first.
 * @throws ApiError 400 DRAWING_VALIDATION_FAILED, OBJECTS_NOT_FREE
 */
export function publishDrawing(
  ctx: Seatsio,
  workspace: Workspace,
  { chart, text, tell }: { chart: ChartRow; text: string; tell: Tell },
): void {
  makePublished(ctx, workspace, { chart, version: addVersion(ctx, chart, text), tell });
}

/**
 * [DOC] a chart that has events gets a draft, or its draft is replaced; one without, or with drafts switched off, is changed at once.
 * @throws ApiError 400 as publishing does, when it is changed at once
 */
export function saveDrawing(
  ctx: Seatsio,
  workspace: Workspace,
  { chart, text, tell }: { chart: ChartRow; text: string; tell: Tell },
): void {
  const version = addVersion(ctx, chart, text);
  const waits =
    chart.draft_version !== null ||
    (hasEvents(ctx, chart) && settingsFor(ctx, workspace).draftChartDrawingsEnabled);
  if (!waits) return makePublished(ctx, workspace, { chart, version, tell });
  ctx.sql.run('UPDATE seatsio_charts SET draft_version = ? WHERE id = ?', version, chart.id);
  if (chart.draft_version !== null)
    ctx.sql.run(
      'DELETE FROM seatsio_drawings WHERE chart_id = ? AND version = ?',
      chart.id,
      chart.draft_version,
    );
}

/** Runs one change of a drawing: what `change` gives back is saved. */
export function editDrawing(
  ctx: Seatsio,
  workspace: Workspace,
  { key, change }: { key: string; change: (drawing: Record<string, unknown>) => void },
): undefined {
  transact(ctx, (tell) => {
    const chart = findChart(ctx, workspace, key);
    const drawing = parseDrawing(latestText(ctx, chart));
    change(drawing);
    saveDrawing(ctx, workspace, { chart, text: JSON.stringify(drawing), tell });
  });
  return undefined;
}

function validate(
  ctx: Seatsio,
  workspace: Workspace,
  { key, which }: { key: string; which: string },
) {
  const chart = findChart(ctx, workspace, key);
  return validateDrawing(
    ctx,
    workspace,
    readDrawing(parseDrawing(drawingText(ctx, chart.id, versionOf(chart, which)))),
  );
}

function sendDrawing(
  ctx: Seatsio,
  call: Call,
  { workspace, which }: { workspace: Workspace; which: string },
): typeof sent {
  const chart = findChart(ctx, workspace, call.params.chart!);
  return sendText(call.response, drawingText(ctx, chart.id, versionOf(chart, which)));
}

export const chartVersionRoutes: Route[] = [
  /** -> the drawing, letter by letter as it came */
  keyRoute('GET', '/charts/:chart/version/published', (ctx, call, workspace) =>
    sendDrawing(ctx, call, { workspace, which: 'published' }),
  ),
  keyRoute('GET', '/charts/:chart/version/draft', (ctx, call, workspace) =>
    sendDrawing(ctx, call, { workspace, which: 'draft' }),
  ),
  /** Ours, where the vendor has its designer: a whole drawing takes the place of the one that would be edited next. Up to 8 MB. */
  {
    ...keyRoute('POST', '/charts/:chart/version/draft', (ctx, call, workspace) => {
      readDrawing(parseDrawing(call.body));
      transact(ctx, (tell) =>
        saveDrawing(ctx, workspace, {
          chart: findChart(ctx, workspace, call.params.chart!),
          text: call.body,
          tell,
        }),
      );
      return undefined;
    }),
    limit: DRAWING_LIMIT,
  },
  /** @throws 400 DRAWING_VALIDATION_FAILED, OBJECTS_NOT_FREE; 404 DRAFT_NOT_FOUND */
  keyRoute('POST', '/charts/:chart/version/draft/actions/publish', (ctx, call, workspace) => {
    transact(ctx, (tell) => {
      const chart = findChart(ctx, workspace, call.params.chart!);
      makePublished(ctx, workspace, { chart, version: draftOf(chart), tell });
    });
    return undefined;
  }),
  keyRoute('POST', '/charts/:chart/version/draft/actions/discard', (ctx, call, workspace) => {
    transact(ctx, () => {
      const chart = findChart(ctx, workspace, call.params.chart!);
      ctx.sql.run(
        'DELETE FROM seatsio_drawings WHERE chart_id = ? AND version = ?',
        chart.id,
        draftOf(chart),
      );
      ctx.sql.run('UPDATE seatsio_charts SET draft_version = NULL WHERE id = ?', chart.id);
    });
    return undefined;
  }),
  /** -> {errors: […], warnings: […]} */
  keyRoute('POST', '/charts/:chart/version/published/actions/validate', (ctx, call, workspace) =>
    validate(ctx, workspace, { key: call.params.chart!, which: 'published' }),
  ),
  keyRoute('POST', '/charts/:chart/version/draft/actions/validate', (ctx, call, workspace) =>
    validate(ctx, workspace, { key: call.params.chart!, which: 'draft' }),
  ),
];
