/** Charts: endpoint to use case, one line each. */
import {
  chartCategories,
  checkDrawing,
  fetchDrawing,
  importDrawing,
  listCharts,
} from '#server/contract/charts.ts';
import { serve, type House } from '#server/http/serve.ts';
import {
  categoriesOfChart,
  chartList,
  checkDrawing as check,
  fetchDrawing as fetchFrom,
  importDrawing as bringIn,
} from '#server/services/event/charts.ts';

export function chartRoutes(house: House): void {
  serve(house, listCharts, () => chartList(house.ctx));
  serve(house, chartCategories, ({ params }) => categoriesOfChart(house.ctx, params.chartKey));
  serve(house, checkDrawing, ({ body }) => check(house.ctx, body.drawing));
  serve(house, importDrawing, ({ body }, { user }) =>
    bringIn(house.ctx, body.drawing, {
      key: body.key,
      source: body.source ?? null,
      actor: `user:${user.id}`,
    }),
  );
  serve(house, fetchDrawing, ({ body }) => fetchFrom(house.ctx, body));
}
