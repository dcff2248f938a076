/** Reports: endpoint to use case, one line each. */
import * as reports from '#server/contract/reports.ts';
import type { Routing } from '#server/http/serve.ts';
import { readReportOf } from '#server/services/reports/report.ts';

export function reportRoutes({ serve, ctx }: Routing): void {
  serve(reports.readReport, ({ params, query }) => readReportOf(ctx, params.report, query));
}
