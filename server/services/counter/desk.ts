/** The counter's first screen: the caller's drawer, the tills, the events that can be sold. */
import { countByEvent, eventsForSale } from '#db/event/events.ts';
import type { EventRow } from '#db/rows.ts';
import { listHall } from '#db/seat/seats.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { isCounterOpen, mostCounterSeats } from '#server/domain/counter/counter.ts';
import { saleConventionsOf, saleRulesOf } from '#server/domain/price/sale-rule.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { may } from '#server/domain/user/rights.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { rulesNow } from '#server/services/event/price-rules.ts';
import { offerAt } from '#server/services/event/prices.ts';
import type { Ctx } from '#server/services/context.ts';
import { contingentsOnMap } from '#server/services/seat-map/contingent-terms.ts';
import { publishedEvent, wholeObjectsOf } from '#server/services/event/events.ts';
import type { Seller } from './sell.ts';
import { ownShift } from './shifts.ts';
import { counterSettings } from './tills.ts';
import { namedSeatOf } from '#server/domain/seat/typed-index.ts';

/** An event that began longer ago than this is over. */
const longestMs = 24 * 3_600_000;

/** The first screen, with the events soonest first. */
export async function counterDesk(ctx: Ctx, seller: Seller) {
  const now = ctx.now();
  const published = await eventsForSale(ctx.db, { starts_after: now - longestMs, limit: 200 });
  const events = published.filter((event) => isCounterOpen(event, now));
  const counts = await countByEvent(
    ctx.db,
    events.map(({ id }) => id),
  );
  return {
    shift: await ownShift(ctx, seller),
    settings: await counterSettings(ctx),
    may_price_by_hand: may(seller.role, 'price_by_hand'),
    may_sell_groups: may(seller.role, 'sell_groups'),
    events: events.map((event) => {
      const { places, free } = requireValue(counts.get(event.id), 'count');
      return { ...event, places, places_left: free };
    }),
  };
}

/** Refuses hold_expired, provider_silent. */
export async function widenHold(ctx: Ctx, hold_token: string): Promise<void> {
  await ctx.seats.widenHold(hold_token, mostCounterSeats).catch((error: unknown) => {
    if (error instanceof ProviderRefused) throw new Refusal('hold_expired', {}, error);
    throw error;
  });
}

/** One event for the till. Refuses event_not_found, provider_silent. */
export async function tillFor(ctx: Ctx, event_id: string) {
  const event = await publishedEvent(ctx, event_id);
  const places = await listHall(ctx.db, event_id);
  const rules = await rulesNow(ctx, event);
  const sale = { now: ctx.now(), channel: 'till' } as const;
  const { pricing, per_order } = await offerAt(ctx, event, { at: sale.now, channel: 'till' });
  return {
    event: {
      ...event,
      sale_paused: event.sale_paused === 1,
      ended: endOf(event, ctx.now()),
      seatsio_workspace_key: ctx.seats.workspaceKey,
    },
    chart: ctx.chart,
    pricing,
    per_order,
    price_rules: saleRulesOf(rules, sale),
    conventions: saleConventionsOf(rules, sale),
    seats: seatsToType(places),
    whole_objects: await wholeObjectsOf(ctx, event),
    contingents: await contingentsOnMap(ctx, event_id),
  };
}

/** A standing area and an object sold whole are each one seat to type. */
function seatsToType(places: Awaited<ReturnType<typeof listHall>>) {
  const objects = new Map(places.map((place) => [place.object_label, place]));
  return [...objects.values()].map(({ object_label: object, kind, section, row, seat, in_whole }) =>
    namedSeatOf({ object, kind, section, row, seat, in_whole: in_whole === 1 }),
  );
}

/** Why a sale would be refused, so that the till shows it before the seller chooses a seat. */
function endOf(event: EventRow, now: number): 'cancelled' | 'over' | null {
  if (event.status === 'cancelled') return 'cancelled';
  return isCounterOpen(event, now) ? null : 'over';
}
