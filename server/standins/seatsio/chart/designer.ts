/** The designer's calls: they read, save, publish, discard and restore versions of a drawing. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { checkDrawing } from '#server/drawing/check/check.ts';
import { isUsable } from '#server/drawing/check/findings.ts';
import { findChart, planOf } from '#server/standins/seatsio/catalog/catalog.ts';
import { requireChart, type ChartRow } from '#server/standins/seatsio/statements/charts.ts';
import {
  addVersion,
  maybeDrawingOf,
  publishedVersions,
  setDraft,
  versionRow,
  type Author,
} from '#server/standins/seatsio/statements/drawings.ts';
import { countEvents } from '#server/standins/seatsio/statements/events.ts';
import { countTaken } from '#server/standins/seatsio/statements/objects.ts';
import { ApiError, badRequest } from '#server/standins/seatsio/errors.ts';
import { keyRoute, readJson, sendText } from '#server/standins/seatsio/router.ts';
import { takenOnChart } from './chart-bookings.ts';
import { addChart } from './chart-store.ts';
import { DRAWING_LIMIT, draftOf, makePublished } from './chart-versions.ts';
import {
  authorOf,
  currentOf,
  describeSaved,
  isoOf,
  nameOf,
  requireCurrent,
} from './designer-version.ts';
import { parseDrawing, readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { shorten } from './import.ts';
import { presenceRoute } from './presence.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type {
  DesignerChart,
  DesignerPublished,
  DesignerSaved,
  DesignerVersion,
} from '#server/standins/seatsio/wire.ts';

async function describe(ctx: Seatsio, chart: ChartRow): Promise<DesignerChart> {
  const saved = await versionRow(ctx.sql, chart.id, currentOf(chart));
  const published = await versionRow(ctx.sql, chart.id, chart.published_version);
  return {
    ...(await describeSaved(ctx, chart)),
    key: chart.key,
    name: chart.name,
    archived: chart.archived === 1,
    isDraft: chart.draft_version !== null,
    savedBy: saved.saved_by,
    publishedVersion: chart.published_version,
    publishedAt: isoOf(published.published_at),
    publishedBy: published.published_by,
    events: await countEvents(ctx.sql, chart.id),
    taken: await countTaken(ctx.sql, chart.id),
  };
}

function versionNotFound(version: string): ApiError {
  return new ApiError(404, 'VERSION_NOT_FOUND', { message: `Version not found: ${version}` });
}

async function textOfVersion(ctx: Seatsio, chart: ChartRow, version: number): Promise<string> {
  const text = await maybeDrawingOf(ctx.sql, chart.id, version);
  if (text === undefined) throw versionNotFound(String(version));
  return text;
}

function askedVersion(chart: ChartRow, { query }: Call): number {
  const asked = query.get('version') ?? 'current';
  if (asked === 'current') return currentOf(chart);
  if (asked === 'published') return chart.published_version;
  if (!/^\d{1,15}$/.test(asked))
    throw badRequest('#/version: current, published or a number expected');
  return Number(asked);
}

/** Saves a draft, even if the chart has no events. */
async function saveDraft(
  ctx: Writing,
  chart: ChartRow,
  { text, author }: { text: string; author: Author },
): Promise<DesignerSaved> {
  const version = await addVersion(ctx.sql, chart.id, { text, author });
  await setDraft(ctx.sql, chart, version);
  return { version, savedAt: isoOf(author.at) };
}

async function save(
  ctx: Writing,
  call: Call<'chart'>,
  workspace: Workspace,
): Promise<DesignerSaved> {
  const chart = await findChart(ctx, workspace, call.params.chart);
  await requireCurrent(ctx, chart, call);
  readDrawing(parseDrawing(call.body));
  return saveDraft(ctx, chart, { text: call.body, author: authorOf(ctx, call) });
}

async function restore(
  ctx: Writing,
  call: Call<'chart'>,
  workspace: Workspace,
): Promise<DesignerSaved> {
  const { version } = readJson(call, v.object({ version: v.pipe(v.number(), v.integer()) }));
  const chart = await findChart(ctx, workspace, call.params.chart);
  await requireCurrent(ctx, chart, call);
  const text = await textOfVersion(ctx, chart, version);
  return saveDraft(ctx, chart, { text, author: authorOf(ctx, call) });
}

/** Refuses more than the vendor, whose designer cannot draw such errors. */
async function publish(
  ctx: Writing,
  call: Call<'chart'>,
  workspace: Workspace,
): Promise<DesignerPublished> {
  const chart = await findChart(ctx, workspace, call.params.chart);
  const version = draftOf(chart);
  await requireCurrent(ctx, chart, call);
  const findings = checkDrawing(JSON.parse(await textOfVersion(ctx, chart, version)));
  if (!isUsable(findings))
    throw new ApiError(400, 'DRAWING_REFUSED', {
      message: 'The drawing has errors',
      data: { findings: shorten(findings) },
    });
  await makePublished(ctx, workspace, { chart, version, by: nameOf(call) });
  return { publishedVersion: version };
}

async function discard(
  ctx: Writing,
  call: Call<'chart'>,
  workspace: Workspace,
): Promise<DesignerSaved> {
  const chart = await findChart(ctx, workspace, call.params.chart);
  const draft_version = draftOf(chart);
  await requireCurrent(ctx, chart, call);
  await setDraft(ctx.sql, { id: chart.id, draft_version }, null);
  return describeSaved(ctx, await requireChart(ctx.sql, chart.id));
}

/**
 * Makes a chart from the body, or from the current drawing if there is none. A designer whose
 * save was refused uses it, so that nothing is lost.
 */
async function saveCopy(
  ctx: Writing,
  call: Call<'chart'>,
  workspace: Workspace,
): Promise<{ key: string }> {
  const chart = await findChart(ctx, workspace, call.params.chart);
  const name = call.query.get('name')?.trim() || `${chart.name} (copia)`;
  const sent = call.body === '' ? await textOfVersion(ctx, chart, currentOf(chart)) : call.body;
  const drawing = { ...parseDrawing(sent), name: name.slice(0, 500) };
  const { key } = await addChart(ctx, workspace, {
    key: randomUUID(),
    text: JSON.stringify(drawing),
    by: nameOf(call),
  });
  return { key };
}

async function listVersions(ctx: Seatsio, chart: ChartRow): Promise<DesignerVersion[]> {
  const rows = await publishedVersions(ctx.sql, chart.id);
  return Array.fromAsync(rows, async ({ version, published_at, published_by }) => {
    const plan = await planOf(ctx, { id: chart.id, version }, { mode: 'ALL_BY_SEAT' });
    return {
      version,
      name: plan.drawing.name,
      publishedAt: isoOf(published_at),
      publishedBy: published_by,
      isPublished: version === chart.published_version,
      places: plan.objects.reduce((sum, { capacity }) => sum + capacity, 0),
    };
  });
}

export const designerRoutes: Route[] = [
  keyRoute('GET', '/charts/:chart/designer', async (ctx, call, workspace) =>
    describe(ctx, await findChart(ctx, workspace, call.params.chart)),
  ),
  keyRoute('GET', '/charts/:chart/designer/drawing', async (ctx, call, workspace) => {
    const chart = await findChart(ctx, workspace, call.params.chart);
    const version = askedVersion(chart, call);
    const text = await textOfVersion(ctx, chart, version);
    call.response.setHeader('ETag', `"${version}"`);
    return sendText(call.response, text);
  }),
  keyRoute('POST', '/charts/:chart/designer/drawing', save, DRAWING_LIMIT),
  keyRoute('POST', '/charts/:chart/designer/actions/publish', publish),
  keyRoute('POST', '/charts/:chart/designer/actions/discard', discard),
  keyRoute('POST', '/charts/:chart/designer/actions/restore', restore),
  keyRoute('POST', '/charts/:chart/designer/actions/save-copy', saveCopy, DRAWING_LIMIT),
  keyRoute('GET', '/charts/:chart/designer/versions', async (ctx, call, workspace) => ({
    items: await listVersions(ctx, await findChart(ctx, workspace, call.params.chart)),
  })),
  keyRoute('GET', '/charts/:chart/designer/taken', async (ctx, call, workspace) =>
    takenOnChart(ctx, await findChart(ctx, workspace, call.params.chart)),
  ),
  presenceRoute,
];
