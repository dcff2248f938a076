/** Shows and their dates: each route connects an endpoint to its use case. */
import * as shows from '#server/contract/shows.ts';
import type { Routing } from '#server/http/serve.ts';
import { makeDates, previewDates } from '#server/services/event/new-dates.ts';
import { deleteShow } from '#server/services/event/deletion.ts';
import {
  changeShow,
  previewShow,
  showForOffice,
  showsForOffice,
} from '#server/services/event/shows.ts';

export function showRoutes({ serve, ctx }: Routing): void {
  serve(shows.listShows, ({ query }) => showsForOffice(ctx, query));
  serve(shows.readShow, ({ params }) => showForOffice(ctx, params.showId));
  serve(shows.previewShow, ({ params, body }) => previewShow(ctx, params.showId, body));
  serve(shows.changeShow, ({ params, body }, { actor }) =>
    changeShow(ctx, params.showId, body, actor),
  );
  serve(shows.deleteShow, ({ params, query }, { actor }) =>
    deleteShow(ctx, params.showId, { ...query, actor }),
  );
  serve(shows.previewDates, ({ params, body }) => previewDates(ctx, params.showId, body));
  serve(shows.makeDates, ({ params, body }, { actor }) =>
    makeDates(ctx, params.showId, { ...body, actor }),
  );
}
