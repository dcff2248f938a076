/** Reports: each route connects an endpoint to its use case. */
import * as reports from '#server/contract/reports.ts';
import type { Routing } from '#server/http/serve.ts';
import { reportFile } from '#server/services/reports/figure-file.ts';
import { readReportOf } from '#server/services/reports/report.ts';

export function reportRoutes({ serve, ctx }: Routing): void {
  serve(reports.readReportFile, ({ params, query }) => reportFile(ctx, params.report, query));
  serve(reports.readReport, ({ params, query }) => readReportOf(ctx, params.report, query));
}
