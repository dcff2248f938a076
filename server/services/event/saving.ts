/**
 * What all saves of a date share, whether through its own form or its show's: keep its pictures,
 * renew the phones' lists, count the buyers to tell.
 */
import { randomBytes } from 'node:crypto';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { countOrders } from '#db/event/events.ts';
import { useImages } from '#db/event/images.ts';
import type { EventRow } from '#db/rows.ts';
import { missingOf } from '#server/domain/event/event-form.ts';
import { type CategoryPricing, pricingOf } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { imagesOf } from './form.ts';

export function newEpoch(): string {
  return randomBytes(8).toString('hex');
}

/** @throws Refusal image_unknown */
export async function keepImages(
  ctx: Ctx,
  trx: Trx,
  event: Pick<EventRow, 'event_ball_image' | 'band_ball_image' | 'banner_image'>,
): Promise<void> {
  if (!(await useImages(trx, imagesOf(event), ctx.now())))
    throw new Refusal('image_unknown', {
      fields: ['event_ball_image', 'band_ball_image', 'banner_image'],
    });
}

/**
 * A program of before 1.2.0 would sell a place twice that was let go, and not end an order that
 * waits for a click; one of before 1.5.0 would sell at the last prices.
 */
export async function keepOutBlind(
  ctx: Ctx,
  trx: Trx,
  event: Pick<EventRow, 'free_confirm' | 'free_until_minutes' | 'price_phases'>,
): Promise<void> {
  const { free_confirm, free_until_minutes, price_phases } = event;
  if (price_phases !== null) await raiseFloor(ctx, trx, '1.5.0');
  if (free_confirm === 1 || free_until_minutes !== null) await raiseFloor(ctx, trx, '1.2.0');
}

/** Buyers are told of a change in these fields. */
const whenAndWhere = ['starts_at', 'venue_title', 'venue_address'];

/** How many buyers must be told of these changes; null if buyers are not told of any of them. */
export async function buyersToTell(
  db: Db,
  before: EventRow,
  changed: Record<string, unknown>,
): Promise<number | null> {
  const moved = before.status === 'published' && whenAndWhere.some((field) => field in changed);
  return moved ? (await countOrders(db, before.id)).buyers : null;
}

/** Whether phones must take the whole list again: its gates, names or kept places change. */
export function isListChanged(
  before: EventRow,
  { seat_pricing, changed }: { seat_pricing: readonly CategoryPricing[]; changed: object },
): boolean {
  return (
    gatesChanged(before, seat_pricing) ||
    'nominative' in changed ||
    'buyer_search' in changed ||
    'free_until_minutes' in changed
  );
}

function gatesChanged(before: EventRow, seat_pricing: readonly CategoryPricing[]): boolean {
  const spell = (pricing: readonly CategoryPricing[]) =>
    JSON.stringify(
      pricing
        .filter(({ gate }) => gate)
        .map(({ category, gate }) => [category, gate])
        .toSorted(),
    );
  return spell(pricingOf(before)) !== spell(seat_pricing);
}

/**
 * An event on sale must stay complete, but its day may have passed.
 * @throws Refusal event_incomplete
 */
export function requireComplete(
  form: { title: string; venue_title: string; seat_pricing: readonly CategoryPricing[] },
  places: number,
): void {
  const missing = missingOf({
    form: { ...form, starts_at: 1 },
    now: 0,
    needs_day: false,
    places,
    categories: form.seat_pricing.filter(({ ticketTypes }) => ticketTypes.length > 0).length,
    unsaid: 0,
    whole_places: false,
    site: [],
  });
  if (missing.length > 0) throw new Refusal('event_incomplete', { missing });
}
