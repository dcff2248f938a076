/**
 * Renames a chart, ours: changes the published drawing and the draft immediately, where the
 * vendor would make a draft.
 */
import * as v from 'valibot';
import { drawingText, findChart } from '#server/standins/seatsio/catalog/catalog.ts';
import { keyRoute, readJson } from '#server/standins/seatsio/router.ts';
import {
  renameRow,
  setVersions,
  type ChartRow,
} from '#server/standins/seatsio/statements/charts.ts';
import { copyVersion } from '#server/standins/seatsio/statements/drawings.ts';
import { parseDrawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import type { Writing } from '#server/standins/seatsio/context.ts';
import type { Route } from '#server/standins/seatsio/router.ts';

const body = v.object({ name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(500)) });

/**
 * Saves the renamed drawing as a new version, because values are cached by version; the new
 * version replaces the old one in the list.
 */
async function renamed(
  ctx: Writing,
  chart: ChartRow,
  { version, name }: { version: number; name: string },
): Promise<number> {
  const drawing = { ...parseDrawing(await drawingText(ctx, chart.id, version)), name };
  return copyVersion(ctx.sql, chart.id, { version, text: JSON.stringify(drawing) });
}

/** {name}; open designers learn that the chart has changed. */
export const renameRoute: Route = keyRoute(
  'POST',
  '/charts/:chart/actions/rename',
  async (ctx, call, workspace) => {
    const { name } = readJson(call, body);
    const chart = await findChart(ctx, workspace, call.params.chart);
    const published = await renamed(ctx, chart, { version: chart.published_version, name });
    const draft =
      chart.draft_version === null
        ? null
        : await renamed(ctx, chart, { version: chart.draft_version, name });
    await renameRow(ctx.sql, chart.id, name);
    await setVersions(ctx.sql, chart.id, { published, draft });
    return undefined;
  },
);
