/** An event's prices in the form of the seating chart. */
import {
  fullPrice,
  fullPriceOf,
  typesInCategory,
  type PricedCategory,
} from '#server/domain/price/pricing.ts';
import type { WholeOffer } from './whole.ts';

type Type = PricedCategory['ticketTypes'][number];

/** Objects that are sold whole. */
interface Whole extends WholeOffer {
  category: string;
  category_key: string;
  labels: string[];
}

/**
 * The `pricing` option of the chart, in euros: one ticket type gives a single price, several a
 * list (RULES P3). An object that is sold whole has the price of all its places.
 */
export function chartPricing(pricing: readonly PricedCategory[], whole: readonly Whole[] = []) {
  return [
    ...whole.map(({ category, category_key: key, labels: objects, places, price_per: per }) => ({
      objects,
      ...pricesIn(typesInCategory(pricing, { key, label: category }), (type) =>
        fullPriceOf(type, { places, per }),
      ),
    })),
    ...pricing.map(({ category, ticketTypes }) => ({
      category,
      ...pricesIn(ticketTypes, fullPrice),
    })),
  ];
}

function pricesIn(types: readonly Type[], centsOf: (type: Type) => number) {
  const [only, ...more] = types;
  return only !== undefined && more.length === 0
    ? { price: centsOf(only) / 100 }
    : {
        ticketTypes: types.map((type) => ({
          ticketType: type.ticketType,
          label: type.label,
          price: centsOf(type) / 100,
        })),
      };
}
