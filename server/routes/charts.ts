/** Charts: endpoint to use case, one line each. */
import * as charts from '#server/contract/charts.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  categoriesOfChart,
  chartList,
  checkDrawing,
  fetchDrawing,
  importDrawing,
} from '#server/services/event/charts.ts';

export function chartRoutes({ serve, ctx }: Routing): void {
  serve(charts.listCharts, ({ query }) => chartList(ctx, query));
  serve(charts.chartCategories, ({ params }) => categoriesOfChart(ctx, params.chartKey));
  serve(charts.checkDrawing, ({ body }) => checkDrawing(ctx, body.drawing));
  serve(charts.importDrawing, ({ body }, { actor }) =>
    importDrawing(ctx, body.drawing, { key: body.key, source: body.source ?? null, actor }),
  );
  serve(charts.fetchDrawing, ({ body }) => fetchDrawing(ctx, body));
}
