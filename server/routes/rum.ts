/** Counters of visits: endpoint to use case, one line each. */
import { readVisits, sendVisitEvents } from '#server/contract/rum.ts';
import { serve, type House } from '#server/http/serve.ts';
import { countVisit, visitReport } from '#server/services/site/visits.ts';

export function rumRoutes(house: House): void {
  serve(house, sendVisitEvents, ({ body }) => countVisit(house.ctx, body));
  serve(house, readVisits, () => visitReport(house.ctx));
}
