/** Counters of visits: each route connects an endpoint to its use case. */
import * as rum from '#server/contract/rum.ts';
import type { Routing } from '#server/http/serve.ts';
import { countVisit, visitReport } from '#server/services/site/visits.ts';

export function rumRoutes({ serve, ctx }: Routing): void {
  serve(rum.sendVisitEvents, ({ body }) => countVisit(ctx, body));
  serve(rum.readVisits, () => visitReport(ctx));
}
