/** Amounts are Stripe's; they are kept for a minute, because a price's amount never changes there, only whether it is sold. */
import { ProviderSilent } from '#server/adapters/provider.ts';
import type { CategoryPricing, Price } from '#server/domain/pricing.ts';
import type { Ctx } from './context.ts';

const freshMs = 60_000;
const kept = new WeakMap<Ctx['payments'], Map<string, { price: Price | null; at: number }>>();

/** Prices that may be sold now; while Stripe is silent the last known ones serve, and the checkout has the last word. */
export async function pricesOf(ctx: Ctx, pricing: readonly CategoryPricing[]): Promise<Price[]> {
  const cache = kept.get(ctx.payments) ?? new Map<string, { price: Price | null; at: number }>();
  kept.set(ctx.payments, cache);
  const ids = [...new Set(pricing.flatMap(({ ticketTypes }) => ticketTypes.map((type) => type.price_id)))];
  const stale = ids.filter((id) => (cache.get(id)?.at ?? Number.NEGATIVE_INFINITY) <= ctx.now() - freshMs);
  if (stale.length > 0) {
    try {
      const found = new Map((await ctx.payments.prices(stale)).map((price) => [price.id, price]));
      for (const id of stale) cache.set(id, { price: found.get(id) ?? null, at: ctx.now() });
    } catch (error) {
      if (!(error instanceof ProviderSilent) || !stale.every((id) => cache.has(id))) throw error;
      ctx.log.warn({ err: error }, 'prices: Stripe is silent, the last known ones serve');
    }
  }
  return ids.flatMap((id) => cache.get(id)?.price ?? []);
}
