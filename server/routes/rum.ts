/** Counters of visits: endpoint to use case, one line each. */
import * as rum from '#server/contract/rum.ts';
import type { Routing } from '#server/http/serve.ts';
import { countVisit, visitReport } from '#server/services/site/visits.ts';

export function rumRoutes({ serve, ctx }: Routing): void {
  serve(rum.sendVisitEvents, ({ body }) => countVisit(ctx, body));
  serve(rum.readVisits, () => visitReport(ctx));
}
