/** The coming evenings on a chart with their list prices, for who publishes another drawing. */
import { readEvent } from '#server/contract/event-desk.ts';
import { mostPrices, readPrices } from '#server/contract/prices.ts';
import { call } from '#apps/shared/api.ts';
import { formatListDate } from '#apps/shared/format.ts';
import type { ChartDetail } from './chart-detail.ts';

/** Prices are in cents; the list names the next evenings only, `more` counts the others. */
export async function readEvenings({ used }: ChartDetail) {
  const evenings = await Promise.all(
    used.next.map(async ({ event_id, title, starts_at }) => {
      const { attributes } = await call(readEvent, { params: { eventId: event_id } });
      const cents = await centsOf(
        attributes.seat_pricing.flatMap(({ ticketTypes }) =>
          ticketTypes.map(({ price_id }) => price_id),
        ),
      );
      return {
        title,
        when: formatListDate(starts_at),
        href: `/admin/events/${encodeURIComponent(event_id)}`,
        prices: attributes.seat_pricing.map(({ category, ticketTypes }) => ({
          category,
          cents: ticketTypes.flatMap(({ price_id }) => cents.get(price_id) ?? []),
        })),
      };
    }),
  );
  return { evenings, more: used.coming - used.next.length };
}

async function centsOf(ids: readonly string[]): Promise<Map<string, number>> {
  const wanted = [...new Set(ids)].slice(0, mostPrices);
  if (wanted.length === 0) return new Map();
  const { items } = await call(readPrices, { params: { priceIds: wanted.join(',') } });
  return new Map(
    items.flatMap(({ id, unit_amount }) => (unit_amount === null ? [] : [[id, unit_amount]])),
  );
}
