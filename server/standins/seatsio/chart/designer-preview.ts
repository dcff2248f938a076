/** What the chart designer of chart.js shows until it can draw: the chart as it is, and what is wrong with it in words. */
import { drawingText, findChart, planOf } from '#server/standins/seatsio/event/catalog.ts';
import { checkDrawing } from '#server/standins/seatsio/drawing/check/check.ts';
import { badRequest } from '#server/standins/seatsio/errors.ts';
import { keyRoute } from '#server/standins/seatsio/router.ts';
import { wireChart } from '#server/standins/seatsio/browser/wire-chart.ts';
import type { Route } from '#server/standins/seatsio/router.ts';
import type { DesignerPreview } from '#server/standins/seatsio/wire.ts';

export const designerPreviewRoutes: Route[] = [
  /** `?version=published|draft` (the draft, where there is one) -> DesignerPreview; 404 CHART_NOT_FOUND. */
  keyRoute(
    'GET',
    '/charts/:chart/designer-preview',
    async (ctx, call, workspace): Promise<DesignerPreview> => {
      const asked = call.query.get('version') ?? 'draft';
      if (asked !== 'published' && asked !== 'draft')
        throw badRequest('#/version: published or draft expected');
      const chart = await findChart(ctx, workspace, call.params.chart!);
      const version =
        asked === 'draft'
          ? (chart.draft_version ?? chart.published_version)
          : chart.published_version;
      const plan = await planOf(ctx, { id: chart.id, version }, { mode: 'INHERIT' });
      const categories = plan.categories.map(({ key, label, color, accessible }) => ({
        key: String(key),
        label,
        color,
        accessible,
      }));
      return {
        chart: wireChart(plan, {
          key: chart.key,
          version,
          categories,
          categoryOf: ({ categoryKey }) => categoryKey,
        }),
        isDraft: version === chart.draft_version,
        findings: checkDrawing(JSON.parse(await drawingText(ctx, chart.id, version))),
      };
    },
  ),
];
