/** Amounts are Stripe's; they are kept for a minute, because a price's amount never changes there, only whether it is sold. */
import type { CategoryPricing, Price } from '#server/domain/pricing.ts';
import type { Ctx } from './context.ts';

const freshMs = 60_000;
/** While Stripe does not answer, only one visitor in this time waits for it. */
const quietMs = 5_000;

interface Kept { prices: Map<string, { price: Price | null; at: number }>; asking: Map<string, Promise<void>>; failure: { at: number; error: unknown } | null }
const kept = new WeakMap<Ctx['payments'], Kept>();

/** Prices that may be sold now; while Stripe is silent the last known ones serve, and the checkout has the last word. */
export async function pricesOf(ctx: Ctx, pricing: readonly CategoryPricing[]): Promise<Price[]> {
  const memory = kept.get(ctx.payments) ?? { prices: new Map(), asking: new Map(), failure: null };
  kept.set(ctx.payments, memory);
  const ids = [...new Set(pricing.flatMap(({ ticketTypes }) => ticketTypes.map((type) => type.price_id)))];
  const stale = ids.filter((id) => (memory.prices.get(id)?.at ?? Number.NEGATIVE_INFINITY) <= ctx.now() - freshMs);
  try {
    if (stale.length > 0) await askOnce(ctx, memory, stale);
  } catch (error) {
    if (!stale.every((id) => memory.prices.has(id))) throw error;
    ctx.log.warn({ err: error }, 'prices: Stripe does not answer, the last known ones serve');
  }
  return ids.flatMap((id) => memory.prices.get(id)?.price ?? []);
}

/** All who want the same prices at the same moment share one question, and all who come just after a failure its answer. */
async function askOnce(ctx: Ctx, memory: Kept, ids: readonly string[]): Promise<void> {
  if (memory.failure && memory.failure.at > ctx.now() - quietMs) throw memory.failure.error;
  const key = ids.join();
  const question = memory.asking.get(key) ?? ask(ctx, memory, ids).finally(() => memory.asking.delete(key));
  memory.asking.set(key, question);
  await question;
}

async function ask(ctx: Ctx, memory: Kept, ids: readonly string[]): Promise<void> {
  try {
    const found = new Map((await ctx.payments.prices(ids)).map((price) => [price.id, price]));
    for (const id of ids) memory.prices.set(id, { price: found.get(id) ?? null, at: ctx.now() });
    memory.failure = null;
  } catch (error) {
    memory.failure = { at: ctx.now(), error };
    throw error;
  }
}
