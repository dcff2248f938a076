/** Changes of hall: each route connects an endpoint to its use case. */
import * as rehousings from '#server/contract/rehousings.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  dropRehousing,
  hallForOffice,
  proposeRehousing,
  quoteCategories,
  rehousingForOffice,
  seatByHand,
  solveRest,
} from '#server/services/rehousing/plan.ts';
import { markForRefund } from '#server/services/rehousing/mark.ts';
import { previewRehousingMail } from '#server/services/rehousing/letter.ts';
import { changeNews, suggestPlace } from '#server/services/rehousing/news.ts';
import { callOffRehousing, resumeSale, startRehousing } from '#server/services/rehousing/run.ts';

export function rehousingRoutes({ serve, ctx }: Routing): void {
  serve(rehousings.readRehousing, ({ params }) => rehousingForOffice(ctx, params.eventId));
  serve(rehousings.rehousingHall, ({ params }) => hallForOffice(ctx, params.eventId));
  serve(rehousings.previewRehousingMail, ({ params, query }) =>
    previewRehousingMail(ctx, params.eventId, query),
  );
  serve(rehousings.proposeRehousing, ({ params, body }, { actor }) =>
    proposeRehousing(ctx, params.eventId, body, actor),
  );
  serve(rehousings.suggestRehousingPlace, ({ params, query }) =>
    suggestPlace(ctx, params.eventId, query.chart_key),
  );
  serve(rehousings.changeRehousingNews, ({ params, body: { version, news } }, { actor }) =>
    changeNews(ctx, params.eventId, { version, actor, ...news }),
  );
  serve(rehousings.quoteCategories, ({ params, body }) =>
    quoteCategories(ctx, params.eventId, body),
  );
  serve(rehousings.solveRehousing, ({ params, body }, { actor }) =>
    solveRest(ctx, params.eventId, { ...body, actor }),
  );
  serve(rehousings.seatByHand, ({ params, body }, { actor }) =>
    seatByHand(ctx, params.eventId, { ...body, actor }),
  );
  serve(rehousings.markForRefund, ({ params, body }, { actor }) =>
    markForRefund(ctx, params.eventId, { ...body, actor }),
  );
  serve(rehousings.dropRehousing, ({ params, query }, { actor }) =>
    dropRehousing(ctx, params.eventId, { ...query, actor }),
  );
  serve(rehousings.startRehousing, ({ params, body }, { actor }) =>
    startRehousing(ctx, params.eventId, { ...body, actor }),
  );
  serve(rehousings.callOffRehousing, ({ params }, { actor }) =>
    callOffRehousing(ctx, params.eventId, actor),
  );
  serve(rehousings.resumeSale, ({ params }, { actor }) => resumeSale(ctx, params.eventId, actor));
}
