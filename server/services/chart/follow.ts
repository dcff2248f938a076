/**
 * After a chart was published again, gives its coming events the places, names and categories of
 * the new drawing, and sends them to the phones (RULES H4).
 */
import { eventsOnCharts, findEvent, lockEvent, updateEvent } from '#db/event/events.ts';
import type { EventRow, PlaceRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { replaceHall } from '#db/seat/rehousings.ts';
import { categoriesOf, placesInUse, touchPlaces } from '#db/seat/seats.ts';
import { renameCategories, surchargesOf } from '#server/domain/price/surcharge.ts';
import { followsChartMs } from '#server/domain/event/event.ts';
import { followSectors, giftTermsOf } from '#server/domain/papers/gift-meter.ts';
import { followCategories, pricingOf, type CategoryPricing } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { takeDoorTurn } from '#server/services/kit/happened.ts';
import type { Ctx } from '#server/services/context.ts';
import { keepOutOlder, placesForBook, withLost } from '#server/services/event/places.ts';
import { noteLicence } from '#server/services/event/licence.ts';
import { saveInShow } from '#server/services/event/show-rows.ts';

/** Idempotent: makes the places in our database equal to those at the seat map. */
export async function followChart(ctx: Ctx, chart_key: string): Promise<null> {
  const events = await eventsOnCharts(ctx.db, [chart_key], {
    starts_after: ctx.now() - followsChartMs,
  });
  for (const { id, status } of events) {
    const event = status === 'cancelled' ? undefined : await findEvent(ctx.db, id);
    if (!event) continue;
    await noteLicence(ctx, event);
    await followEvent(ctx, event);
  }
  return null;
}

async function followEvent(ctx: Ctx, of: EventRow): Promise<void> {
  const { id, seatsio_event_key } = of;
  const hall = placesForBook(ctx, of, await ctx.seats.objects(seatsio_event_key));
  await transact(ctx.db, async (trx) => {
    await keepOutOlder(ctx, trx, hall);
    const event = await lockEvent(trx, id);
    // Meanwhile the office has given the event another hall.
    if (event?.seatsio_event_key !== seatsio_event_key) return;
    // Its objects have other places now, so the task begins again.
    if (event.whole_terms !== of.whole_terms) throw new Refusal('try_again');
    const drawn = new Set(hall.map(({ place }) => place));
    const missing = (await placesInUse(trx, id)).filter(({ place }) => !drawn.has(place));
    // The seat map refuses a drawing without a sold place, unless the place is sold at this very
    // moment; its buyer keeps it.
    if (missing.length > 0)
      ctx.log.error(
        { event_id: id, places: missing.map(({ place }) => place) },
        'places that are sold are not drawn any more',
      );
    await followPrices(ctx, trx, { event, hall });
    const kept = missing.map((row) => {
      const { feed_seq: _, ...place } = row;
      return place;
    });
    const places = await replaceHall(trx, id, await withLost(trx, [...hall, ...kept]));
    if (places.length === 0) return;
    const { feed_seq } = await takeDoorTurn(trx, { act: 'chart_published', event_id: id });
    await touchPlaces(trx, id, { places, feed_seq });
  });
}

/** Gives prices and gifts the new labels of their categories, which they name by label. */
async function followPrices(
  ctx: Ctx,
  trx: Trx,
  {
    event,
    hall,
  }: { event: EventRow; hall: readonly Pick<PlaceRow, 'category' | 'category_key'>[] },
): Promise<void> {
  const nameOf = ({ category, category_key }: Pick<PlaceRow, 'category' | 'category_key'>) => ({
    key: category_key,
    label: category,
  });
  const labels = {
    before: (await categoriesOf(trx, event.id)).map(nameOf),
    now: hall.map(nameOf),
  };
  const pricing = followCategories(pricingOf(event), labels);
  const gifts = followSectors(giftTermsOf(event), labels);
  if (pricing === null && gifts === null) return;
  const followed = {
    ...(pricing && { seat_pricing: JSON.stringify(pricing), ...surchargesOn(event, pricing) }),
    ...(gifts && { gift_terms: JSON.stringify(gifts) }),
  };
  const inShow = await saveInShow(ctx, trx, event, { ...event, ...followed });
  await updateEvent(trx, event.id, { ...inShow, ...followed, updated_at: ctx.now() });
}

/** The surcharges with the names that the price list now has. */
function surchargesOn(
  event: EventRow,
  pricing: readonly CategoryPricing[],
): Partial<Pick<EventRow, 'surcharges'>> {
  if (event.surcharges === null) return {};
  const names = new Map(
    pricingOf(event).map((entry, at) => [entry.category, pricing[at]?.category]),
  );
  const renamed = renameCategories(surchargesOf(event), (name) => names.get(name) ?? name);
  return { surcharges: JSON.stringify(renamed) };
}
