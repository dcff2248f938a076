/**
 * Proposes other seats for some tickets of an order, close together and at the least cost. It
 * uses the engine that moves whole events to another hall (RULES H2).
 */
import { ProviderRefused } from '#server/adapters/provider.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { spotsOf } from '#server/domain/seat/hall-geometry.ts';
import type { Group } from '#server/domain/seat/rehousing.ts';
import { wholeTermsOf } from '#server/domain/event/whole-terms.ts';
import type { EventRow } from '#db/rows.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import { orderAndEvent } from '#server/services/order/find-order.ts';
import { pricingNow } from '#server/services/event/prices.ts';
import type { Ctx } from '#server/services/context.ts';
import { chartOf } from '#server/services/event/chart.ts';
import { guestsOf, newHallOf, readHouse } from '#server/services/rehousing/house.ts';
import { solveAside } from '#server/services/rehousing/solve.ts';

/**
 * Proposes seats other than the present ones; empty if there are none for all tickets.
 * @throws Refusal order_not_found, ticket_not_found, provider_silent
 */
export async function proposeMove(ctx: Ctx, order_id: string, ticket_ids: readonly string[]) {
  const { event } = await orderAndEvent(ctx, order_id);
  const pricing = await pricingNow(ctx, event);
  const house = await readHouse(ctx, event, pricing);
  const lines = ticket_ids.map((id) => {
    const line = house.lines.find((one) => one.order_id === order_id && one.ticket_id === id);
    if (!line) throw new Refusal('ticket_not_found');
    return line;
  });
  const group: Group = {
    id: order_id,
    guests: guestsOf(house, lines),
    fixed: null,
    since: 0,
    banned: new Set([
      ...lines.map(({ object_label }) => object_label),
      ...(house.banned.get(order_id) ?? []),
    ]),
  };
  const { objects, spots } = await openPlaces(ctx, event);
  const names = new Set(pricing.map(({ category }) => category));
  const as = Object.fromEntries(
    objects.map(({ category_key, category }) => [
      category_key,
      names.has(category_key) ? category_key : category,
    ]),
  );
  const terms = wholeTermsOf(event);
  const { places } = newHallOf({ objects, spots, categories: [] }, { as, terms }, pricing);
  const { seats } = await solveAside({ hall: places, groups: [group], stay: false });
  return {
    tickets: lines.flatMap(({ id, ticket_id }) => {
      const object = seats.get(house.guests.get(id)?.id ?? '');
      return object === undefined || ticket_id === null ? [] : [{ ticket_id, object }];
    }),
  };
}

/** The chart with only free places for sale; seats of contingents count as not for sale. */
async function openPlaces(ctx: Ctx, event: EventRow) {
  const key = event.seatsio_event_key;
  const all = await ctx.seats.objects(key);
  const areas = all.flatMap(({ kind, label }) => (kind === 'area' ? [label] : []));
  const infos = areas.length === 0 ? new Map<string, never>() : await ctx.seats.infos(key, areas);
  const objects = all.map((object): SeatObject => {
    const places = object.kind === 'area' ? (infos.get(object.label)?.area?.free ?? 0) : 1;
    const isOpen = object.status === 'free' && object.channel === null && places > 0;
    return { ...object, places, for_sale: object.for_sale && isOpen };
  });
  const chart = event.chart_key ?? (await chartOf(ctx, key));
  // If the chart cannot be read, the proposal goes without the distances between seats.
  const unread = (error: unknown): null => {
    if (error instanceof ProviderRefused) return null;
    throw error;
  };
  const drawing = chart === null ? null : await ctx.charts.drawing(chart).catch(unread);
  return { objects, spots: spotsOf(drawing) };
}
