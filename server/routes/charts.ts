/** Charts: each route connects an endpoint to its use case. */
import * as charts from '#server/contract/charts.ts';
import type { Routing } from '#server/http/serve.ts';
import * as desk from '#server/services/chart/desk.ts';
import { holders } from '#server/services/chart/use.ts';
import { mintDesignerToken } from '#server/services/chart/designer-token.ts';
import { wholeChoice } from '#server/services/event/whole-choice.ts';
import {
  categoriesOfChart,
  chartList,
  checkDrawing,
  fetchDrawing,
  importDrawing,
} from '#server/services/chart/charts.ts';

export function chartRoutes({ serve, ctx }: Routing): void {
  serve(charts.listCharts, ({ query }) => chartList(ctx, query));
  serve(charts.chartCategories, ({ params }) => categoriesOfChart(ctx, params.chartKey));
  serve(charts.chartWholes, ({ params, query }) => wholeChoice(ctx, params.chartKey, query));
  serve(charts.checkDrawing, ({ body }) => checkDrawing(ctx, body.drawing));
  serve(charts.importDrawing, ({ body }, { actor }) =>
    importDrawing(ctx, body.drawing, { key: body.key, source: body.source ?? null, actor }),
  );
  serve(charts.fetchDrawing, ({ body }) => fetchDrawing(ctx, body));
  serve(charts.readChart, ({ params }) => desk.chartDetail(ctx, params.chartKey));
  serve(charts.chartHolders, ({ body }) => holders(ctx, body.order_ids));
  serve(charts.chartTemplates, () => desk.chartTemplates(ctx));
  serve(charts.makeChart, ({ body }, { user }) => desk.makeChart(ctx, body, user));
  serve(charts.copyChart, ({ params, body }, { user }) =>
    desk.copyChart(ctx, { chart_key: params.chartKey, name: body.name }, user),
  );
  serve(charts.renameChart, ({ params, body }, { user }) =>
    desk.renameChart(ctx, { chart_key: params.chartKey, name: body.name }, user),
  );
  serve(charts.archiveChart, ({ params, body }, { user }) =>
    desk.archiveChart(ctx, { chart_key: params.chartKey, archived: body.archived }, user),
  );
  serve(charts.chartVersions, ({ params }) => desk.chartVersions(ctx, params.chartKey));
  serve(charts.restoreChart, ({ params, body }, { user }) =>
    desk.restoreChart(ctx, { chart_key: params.chartKey, ...body }, user),
  );
  serve(charts.exportDrawing, ({ params }) => desk.exportDrawing(ctx, params.chartKey));
  serve(charts.mintDesignerToken, ({ params }, caller) =>
    mintDesignerToken(ctx, caller, params.chartKey),
  );
}
