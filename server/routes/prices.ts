/** Prices: endpoint to use case, one line each. */
import * as prices from '#server/contract/prices.ts';
import type { Routing } from '#server/http/serve.ts';
import { findPrices, priceForOffice, pricesByList } from '#server/services/booking/prices.ts';

export function priceRoutes({ serve, ctx }: Routing): void {
  serve(prices.readPrice, ({ params }) => priceForOffice(ctx, params.priceId));
  serve(prices.findPrices, ({ query }) =>
    findPrices(ctx, { search: query.search, most: prices.mostFound }),
  );
  serve(prices.readPrices, ({ params }) => pricesByList(ctx, params.priceIds, prices.mostPrices));
}
