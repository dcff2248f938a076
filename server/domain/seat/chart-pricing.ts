/** An event's prices in the form of the seating chart. */
import { fullPrice, type PricedCategory } from '#server/domain/price/pricing.ts';

/**
 * The `pricing` option of the chart, in euros: one ticket type gives a single price, several a
 * list (RULES P3).
 */
export function chartPricing(pricing: readonly PricedCategory[]) {
  return pricing.map(({ category, ticketTypes }) => {
    const [only, ...more] = ticketTypes;
    return only !== undefined && more.length === 0
      ? { category, price: fullPrice(only) / 100 }
      : {
          category,
          ticketTypes: ticketTypes.map((type) => ({
            ticketType: type.ticketType,
            label: type.label,
            price: fullPrice(type) / 100,
          })),
        };
  });
}
