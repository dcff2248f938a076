/**
 * Looks at the prices of an event where Stripe has refused one: the office is told once, and no
 * more as soon as Stripe sells them again.
 */
import { listOpenBreaks } from '#db/reconcile/breaks.ts';
import { findEvent } from '#db/event/events.ts';
import { doubtPrices } from '#server/services/event/prices.ts';
import type { Ctx } from '#server/services/context.ts';
import { comparePrices, renewAll } from './comparison-parts.ts';

const againMs = 60_000;
const about = { kinds: ['price_not_sellable'] as const };

/**
 * Idempotent by event; returns when to look again, or null when all is sold, or nothing any more.
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
