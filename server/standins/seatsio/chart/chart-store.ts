/** Makes charts from submitted drawings and from other charts. */
import {
  addChartRow,
  chartByKey,
  type ChartRow,
} from '#server/standins/seatsio/statements/charts.ts';
import { addDrawing } from '#server/standins/seatsio/statements/drawings.ts';
import { randomUUID } from 'node:crypto';
import { drawingText } from '#server/standins/seatsio/catalog/catalog.ts';
import { parseDrawing, readDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { writeLog } from '#server/standins/seatsio/company/event-log.ts';
import type { Writing } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';

interface NewChart {
  key: string;
  text: string;
  name: string;
  /** The name of the person who made it. */
  by?: string | null;
}

/** Must be called in a transaction. */
export async function insertChart(
  ctx: Writing,
  workspace: Workspace,
  { key, name, text, by = null }: NewChart,
): Promise<ChartRow> {
  const chart = await addChartRow(ctx.sql, workspace.id, { key, name });
  const author = { at: ctx.now(), by };
  await addDrawing(ctx.sql, chart.id, { version: 1, text, author, isPublished: true });
  await writeLog(ctx, workspace.id, { type: 'chart.created', key });
  return chart;
}

/**
 * Publishes the text unchanged as a new chart.
 * @throws ApiError 400 when the text is not a drawing, CHART_KEY_ALREADY_EXISTS
 */
export async function addChart(
  ctx: Writing,
  workspace: Workspace,
  { key, text, by }: { key: string; text: string; by?: string | null },
): Promise<ChartRow> {
  const { name } = readDrawing(parseDrawing(text));

  if (await chartByKey(ctx.sql, workspace.id, key))
    throw new ApiError(400, 'CHART_KEY_ALREADY_EXISTS', {
      message: `A chart with key ${key} already exists`,
    });
  return insertChart(ctx, workspace, { key, name, text, by });
}

interface Copying {
  chart: ChartRow;
  version: number;
  to: Workspace;
  suffix?: string;
}

/** Publishes one version as a new chart; `suffix` is appended to its name. */
export async function copyChart(
  ctx: Writing,
  { chart, version, to, suffix = '' }: Copying,
): Promise<ChartRow> {
  const text = await drawingText(ctx, chart.id, version);
  if (suffix === '') return addChart(ctx, to, { key: randomUUID(), text });
  const drawing = parseDrawing(text);
  drawing['name'] =
    `${typeof drawing['name'] === 'string' ? drawing['name'] : chart.name}${suffix}`;
  return addChart(ctx, to, { key: randomUUID(), text: JSON.stringify(drawing) });
}
