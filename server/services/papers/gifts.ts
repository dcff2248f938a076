/** How many tickets of an event were given for nothing, by sector (RULES L10). */
import { freeTickets, placesByCategory } from '#db/papers/summaries.ts';
import { giftSectors, giftTermsOf } from '#server/domain/papers/gift-meter.ts';
import type { Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { pricingNow } from '#server/services/event/prices.ts';
import { inPatience, pagePatienceMs } from '#server/services/kit/patience.ts';

/** @throws Refusal event_not_found */
export async function giftsOfEvent(ctx: Ctx, event_id: string) {
  const event = await knownEvent(ctx, event_id);
  const terms = giftTermsOf(event);
  // While Stripe does not answer, gifts are counted without their price.
  const asked = pricingNow(ctx, event).catch(() => null);
  const sectors = giftSectors({
    terms,
    hall: await placesByCategory(ctx.db, event_id),
    free: await freeTickets(ctx.db, event_id),
    pricing: await inPatience(asked, null, pagePatienceMs),
  });
  return { vat_percent: event.vat_percent, not_counted: terms?.not_counted ?? [], sectors };
}
