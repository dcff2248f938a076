/**
 * Watches an event's prices after Stripe has refused one: opens a break for the office, and
 * closes it when Stripe sells the price again.
 */
import { listOpenBreaks } from '#db/reconcile/breaks.ts';
import { findEvent } from '#db/event/events.ts';
import { doubtPrices } from '#server/services/event/prices.ts';
import type { Ctx } from '#server/services/context.ts';
import { comparePrices, renewAll } from './comparison-parts.ts';

const againMs = 60_000;
const about = { kinds: ['price_not_sellable'] as const };

/**
 * Idempotent by event. Returns when to check again; null if all prices can be sold or the event
 * is no longer on sale.
 */
export async function watchPrices(ctx: Ctx, event_id: string): Promise<number | null> {
  const event = await findEvent(ctx.db, event_id);
  if (event?.status !== 'published' || event.starts_at <= ctx.now()) return null;
  const step = async () => {};
  await comparePrices(ctx, [event], step);
  await renewAll(ctx, step, { ...about, event_id });
  const left = await listOpenBreaks(ctx.db, about.kinds, event_id);
  if (left.length > 0) return ctx.now() + againMs;
  await doubtPrices(ctx);
  return null;
}
