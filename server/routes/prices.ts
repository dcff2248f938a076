/** Prices: each route connects an endpoint to its use case. */
import * as matrix from '#server/contract/price-matrix.ts';
import * as prices from '#server/contract/prices.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  eventMatrix,
  saveEventPrices,
  saveShowPrices,
  showMatrix,
} from '#server/services/event/price-matrix.ts';
import { findPrices, priceForOffice, pricesByList } from '#server/services/event/prices.ts';

export function priceRoutes({ serve, ctx }: Routing): void {
  serve(matrix.readEventPrices, ({ params }) => eventMatrix(ctx, params.eventId));
  serve(matrix.saveEventPrices, ({ params, body }, { actor }) =>
    saveEventPrices(ctx, params.eventId, body, actor),
  );
  serve(matrix.readShowPrices, ({ params }) => showMatrix(ctx, params.showId));
  serve(matrix.saveShowPrices, ({ params, body }, { actor }) =>
    saveShowPrices(ctx, params.showId, body, actor),
  );
  serve(prices.readPrice, ({ params }) => priceForOffice(ctx, params.priceId));
  serve(prices.findPrices, ({ query }) =>
    findPrices(ctx, { search: query.search, most: prices.mostFound }),
  );
  serve(prices.readPrices, ({ params }) => pricesByList(ctx, params.priceIds, prices.mostPrices));
}
