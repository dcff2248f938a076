/** Prices: endpoint to use case, one line each. */
import {
  findPrices,
  mostFound,
  mostPrices,
  readPrice,
  readPrices,
} from '#server/contract/prices.ts';
import { serve, type House } from '#server/http/serve.ts';
import {
  findPrices as find,
  priceForOffice,
  pricesByList,
} from '#server/services/booking/prices.ts';

export function priceRoutes(house: House): void {
  serve(house, readPrice, ({ params }) => priceForOffice(house.ctx, params.priceId));
  serve(house, findPrices, ({ query }) =>
    find(house.ctx, { search: query.search, most: mostFound }),
  );
  serve(house, readPrices, ({ params }) => pricesByList(house.ctx, params.priceIds, mostPrices));
}
