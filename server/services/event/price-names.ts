/**
 * Renames products at Stripe to the names that the office typed last, so that checkout and page
 * show the same. A task does it, so no request waits for Stripe.
 */
import type { Trx } from '#db/engine/dialect.ts';
import * as rows from '#db/payment/made-prices.ts';
import type { MadePriceRow } from '#db/rows.ts';
import { productNames } from '#server/domain/price/price-matrix.ts';
import { pricedOf, type PricePhase } from '#server/domain/price/phase.ts';
import type { CategoryPricing } from '#server/domain/price/pricing.ts';
import type { Ctx } from '#server/services/context.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { productOf } from './made-prices.ts';

interface Named {
  id: string;
  title: string;
  seat_pricing: readonly CategoryPricing[];
  price_phases: readonly PricePhase[] | null;
  fee_price_id: string | null;
}

/**
 * Call it in the transaction that saves the names: it queues the renaming of prices that the
 * office typed. Removed prices keep their names.
 */
export async function queueRenames(ctx: Ctx, trx: Trx, before: Named, after: Named): Promise<void> {
  const names = productNames(called(before));
  const renamed = [...productNames(called(after))].flatMap(([price_id, name]) =>
    names.has(price_id) && names.get(price_id) !== name ? [price_id] : [],
  );
  for (const { id } of await rows.madeAmong(trx, renamed))
    await queueTask(ctx, trx, { task: 'name_price', subject: id });
}

function called(named: Named): Named {
  return { ...named, title: named.title || named.id };
}

/**
 * Idempotent. Stores the name when Stripe has it, then runs again, because the office may have
 * changed the name meanwhile.
 */
export async function namePrice(ctx: Ctx, id: string): Promise<number | null> {
  const row = await rows.findMadePrice(ctx.db, id);
  if (!row || row.price_id === null || row.state === 'archived') return null;
  const name = await wantedName(ctx, row, row.price_id);
  if (name === row.name) return null;
  await ctx.payments.nameProduct(productOf(id), name);
  ctx.fault('price_named');
  await rows.renameMadePrice(ctx.db, id, name);
  return ctx.now();
}

/** The present name while an event or show uses it; otherwise the show's before a date's. */
async function wantedName(ctx: Ctx, row: MadePriceRow, price_id: string): Promise<string> {
  const naming = await rows.titlesWithPrice(ctx.db, price_id);
  const names = naming.flatMap((one) => {
    const pricing = pricedOf(one);
    return productNames(called(pricing)).get(price_id) ?? [];
  });
  return names.includes(row.name) ? row.name : (names[0] ?? row.name);
}
