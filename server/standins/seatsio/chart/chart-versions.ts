/** Reads, saves, publishes and discards a chart's drawings, the published one and the draft. */
import { allEventsOnChart, hasEvents } from '#server/standins/seatsio/statements/events.ts';
import type { ChartRow } from '#server/standins/seatsio/statements/charts.ts';
import {
  addVersion,
  setDraft,
  setPublished,
} from '#server/standins/seatsio/statements/drawings.ts';
import { settingsFor } from '#server/standins/seatsio/company/accounts.ts';
import { drawingText, findChart } from '#server/standins/seatsio/catalog/catalog.ts';
import { refuseLostBookings } from './chart-bookings.ts';
import { refuseFaults, validateDrawing } from './chart-validation.ts';
import { parseDrawing, readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { writeLog } from '#server/standins/seatsio/company/event-log.ts';
import { keyRoute, sendText, sent } from '#server/standins/seatsio/router.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';

/** A stadium of 50,000 seats takes 6 to 12 MB. */
export const DRAWING_LIMIT = 30 * 1024 * 1024;

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
async function latestText(ctx: Seatsio, chart: ChartRow): Promise<string> {
  return drawingText(ctx, chart.id, chart.draft_version ?? chart.published_version);
}

interface Publishing {
  chart: ChartRow;
  version: number;
  by?: string | null;
}

/**
 * Publishes a version; open pages of the chart's events read everything anew.
 * @throws ApiError 400 DRAWING_VALIDATION_FAILED, OBJECTS_NOT_FREE
 */
export async function makePublished(
  ctx: Writing,
  workspace: Workspace,
  { chart, version, by = null }: Publishing,
): Promise<void> {
  const drawing = readDrawing(parseDrawing(await drawingText(ctx, chart.id, version)));
  const events = await allEventsOnChart(ctx.sql, chart.id);
  if (events.length > 0) {
    await refuseFaults(ctx, workspace, {
      drawing,
      refused: `Failed to publish chart [key: ${chart.key}]: invalid draft drawing`,
    });
    await refuseLostBookings(ctx, chart, version);
  }
  await setPublished(ctx.sql, chart.id, {
    version,
    name: drawing.name,
    author: { at: ctx.now(), by },
  });
  await writeLog(ctx, workspace.id, { type: 'chart.published', key: chart.key });
  for (const { id } of events) ctx.tell(id, null);
}

/**
 * Publishes without a draft.
 * @throws ApiError 400 DRAWING_VALIDATION_FAILED, OBJECTS_NOT_FREE
 */
export async function publishDrawing(
  ctx: Writing,
  workspace: Workspace,
  { chart, text }: { chart: ChartRow; text: string },
): Promise<void> {
  await makePublished(ctx, workspace, {
    chart,
    version: await addVersion(ctx.sql, chart.id, { text, author: { at: ctx.now(), by: null } }),
  });
}

/**
 * [DOC] A change of a chart with events goes into its draft. Without events, or with drafts
 * switched off, it is published immediately.
 * @throws ApiError 400 DRAWING_VALIDATION_FAILED, OBJECTS_NOT_FREE when it is published
 */
async function saveDrawing(
  ctx: Writing,
  workspace: Workspace,
  { chart, text }: { chart: ChartRow; text: string },
): Promise<void> {
  const author = { at: ctx.now(), by: null };
  const version = await addVersion(ctx.sql, chart.id, { text, author });
  const waits =
    chart.draft_version !== null ||
    ((await hasEvents(ctx.sql, chart.id)) &&
      (await settingsFor(ctx, workspace)).draftChartDrawingsEnabled);
  if (!waits) return makePublished(ctx, workspace, { chart, version });
  await setDraft(ctx.sql, chart, version);
}

/** Saves the current drawing after `change` has edited it. */
export async function editDrawing(
  ctx: Writing,
  workspace: Workspace,
  { key, change }: { key: string; change: (drawing: Record<string, unknown>) => void },
): Promise<undefined> {
  const chart = await findChart(ctx, workspace, key);
  const drawing = parseDrawing(await latestText(ctx, chart));
  change(drawing);
  await saveDrawing(ctx, workspace, { chart, text: JSON.stringify(drawing) });

  return undefined;
}

async function validate(
  ctx: Seatsio,
  workspace: Workspace,
  { key, which }: { key: string; which: string },
) {
  const chart = await findChart(ctx, workspace, key);
  return validateDrawing(
    ctx,
    workspace,
    readDrawing(parseDrawing(await drawingText(ctx, chart.id, versionOf(chart, which)))),
  );
}

async function sendDrawing(
  ctx: Seatsio,
  call: Call<'chart'>,
  { workspace, which }: { workspace: Workspace; which: string },
): Promise<typeof sent> {
  const chart = await findChart(ctx, workspace, call.params.chart);
  return sendText(call.response, await drawingText(ctx, chart.id, versionOf(chart, which)));
}

export const chartVersionRoutes: Route[] = [
  /** -> the drawing, exactly as it was sent */
  keyRoute('GET', '/charts/:chart/version/published', (ctx, call, workspace) =>
    sendDrawing(ctx, call, { workspace, which: 'published' }),
  ),
  keyRoute('GET', '/charts/:chart/version/draft', (ctx, call, workspace) =>
    sendDrawing(ctx, call, { workspace, which: 'draft' }),
  ),
  /** Ours, in place of the vendor's designer: replaces the current drawing. Up to 30 MB. */
  keyRoute(
    'POST',
    '/charts/:chart/version/draft',
    async (ctx, call, workspace) => {
      readDrawing(parseDrawing(call.body));
      await saveDrawing(ctx, workspace, {
        chart: await findChart(ctx, workspace, call.params.chart),
        text: call.body,
      });
      return undefined;
    },
    DRAWING_LIMIT,
  ),
  /** @throws 400 DRAWING_VALIDATION_FAILED, OBJECTS_NOT_FREE; 404 DRAFT_NOT_FOUND */
  keyRoute('POST', '/charts/:chart/version/draft/actions/publish', async (ctx, call, workspace) => {
    const chart = await findChart(ctx, workspace, call.params.chart);
    await makePublished(ctx, workspace, { chart, version: draftOf(chart) });

    return undefined;
  }),
  keyRoute('POST', '/charts/:chart/version/draft/actions/discard', async (ctx, call, workspace) => {
    const chart = await findChart(ctx, workspace, call.params.chart);
    const draft_version = draftOf(chart);
    await setDraft(ctx.sql, { id: chart.id, draft_version }, null);
    return undefined;
  }),
  /** -> {errors: […], warnings: […]} */
  keyRoute('POST', '/charts/:chart/version/published/actions/validate', (ctx, call, workspace) =>
    validate(ctx, workspace, { key: call.params.chart, which: 'published' }),
  ),
  keyRoute('POST', '/charts/:chart/version/draft/actions/validate', (ctx, call, workspace) =>
    validate(ctx, workspace, { key: call.params.chart, which: 'draft' }),
  ),
];
