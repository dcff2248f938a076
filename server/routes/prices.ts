/** Prices: endpoint to use case, one line each. */
import { mostPrices, readPrice, readPrices } from '#server/contract/prices.ts';
import { serve, type House } from '#server/http/serve.ts';
import { priceForOffice, pricesByList } from '#server/services/prices.ts';

export function priceRoutes(house: House): void {
  serve(house, readPrice, ({ params }) => priceForOffice(house.ctx, params.priceId));
  serve(house, readPrices, ({ params }) => pricesByList(house.ctx, params.priceIds, mostPrices));
}
