/**
 * Makes at Stripe the prices that the office types, and archives those that nothing sells any
 * more. Our row is stored before the call, and a task finishes interrupted work (RULES O9).
 */
import type { Trx } from '#db/engine/dialect.ts';
import * as rows from '#db/payment/made-prices.ts';
import type { MadePriceRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { forgetPrices } from './prices.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { happened } from '#server/services/kit/happened.ts';

/** By then Stripe has answered every request, and every booking at the old price has ended. */
const settleAfterMs = 5 * 60_000;
/** Stripe limits calls per second. */
const atOnce = 4;

export interface PriceWish {
  /** The text that a buyer reads at the checkout: "La locandiera · Platea, Intero". */
  name: string;
  unit_amount: number;
}

/**
 * Price ids at Stripe, in the order of the wishes. `subject`: the id of their event or show.
 * @throws Refusal provider_silent
 */
export async function makePrices(
  ctx: Ctx,
  wishes: readonly PriceWish[],
  { subject, actor }: { subject: string; actor: Actor },
): Promise<string[]> {
  if (wishes.length === 0) return [];
  const made = await storeWishes(ctx, wishes, { subject, actor });
  const ids: string[] = [];
  for (let first = 0; first < made.length; first += atOnce) {
    const some = made.slice(first, first + atOnce);
    // Waits for all calls to end before it reports a failure.
    const answers = await Promise.allSettled(some.map((row) => makeAtStripe(ctx, row)));
    for (const answer of answers) {
      if (answer.status === 'rejected') throw answer.reason;
      ids.push(answer.value);
    }
  }
  return ids;
}

async function storeWishes(
  ctx: Ctx,
  wishes: readonly PriceWish[],
  { subject, actor }: { subject: string; actor: Actor },
): Promise<MadePriceRow[]> {
  const created_at = ctx.now();
  const made: MadePriceRow[] = wishes.map(({ name, unit_amount }) => ({
    id: ctx.newId(),
    name,
    unit_amount,
    state: 'making',
    price_id: null,
    actor,
    created_at,
  }));
  await transact(ctx.db, async (trx) => {
    await rows.insertMadePrices(trx, made);
    for (const { id } of made) await settleLater(ctx, trx, id);
    await happened(ctx, trx, {
      actor,
      action: 'prices_typed',
      subject,
      detail: { prices: wishes },
    });
  });
  return made;
}

function settleLater(ctx: Ctx, trx: Trx, id: string): Promise<void> {
  return queueTask(ctx, trx, {
    task: 'settle_price',
    subject: id,
    run_at: ctx.now() + settleAfterMs,
  });
}

/** The product's id at Stripe, chosen by us so that a repeated call finds the product. */
export function productOf(id: string): string {
  return `botteghino_${id}`;
}

async function makeAtStripe(ctx: Ctx, { id, name, unit_amount }: MadePriceRow): Promise<string> {
  const product_id = productOf(id);
  await ctx.payments.makeProduct({ id: product_id, name }, `product-${id}`);
  ctx.fault('product_made');
  const price_id = await ctx.payments.makePrice({ product_id, unit_amount }, `price-${id}`);
  const isOurs = await transact(ctx.db, (trx) =>
    rows.turnMadePrice(trx, id, { from: ['making'], state: 'live', price_id }),
  );
  // The task has begun to archive this price, because the call took too long.
  if (!isOurs) throw new Refusal('provider_silent');
  return price_id;
}

/**
 * Called in the transaction that removes prices from an event or a show: a task archives those
 * that the office typed, once no booking can still use them.
 */
export async function queueRetirement(
  ctx: Ctx,
  trx: Trx,
  price_ids: readonly string[],
): Promise<void> {
  for (const { id } of await rows.madeAmong(trx, price_ids)) await settleLater(ctx, trx, id);
}

/**
 * Makes a price for sale at Stripe if an event or show names it, otherwise archives it;
 * idempotent.
 */
export async function settlePrice(ctx: Ctx, id: string): Promise<number | null> {
  const row = await rows.findMadePrice(ctx.db, id);
  if (!row || row.state === 'archived') return null;
  const due = row.created_at + settleAfterMs;
  if (row.state === 'making' && due > ctx.now()) return due;
  const isNamed = () => row.price_id !== null && rows.isPriceNamed(ctx.db, row.price_id);
  if (await isNamed()) return restore(ctx, row);
  await transact(ctx.db, (trx) =>
    rows.turnMadePrice(trx, id, { from: ['making', 'live'], state: 'retiring' }),
  );
  await ctx.payments.sellProduct(productOf(id), false);
  ctx.fault('price_retired');
  // An event may have taken the price meanwhile.
  if (await isNamed()) return restore(ctx, row);
  await transact(ctx.db, (trx) =>
    rows.turnMadePrice(trx, id, { from: ['retiring'], state: 'archived' }),
  );
  forgetPrices(ctx, row.price_id === null ? [] : [row.price_id]);
  return null;
}

async function restore(ctx: Ctx, { id, price_id }: MadePriceRow): Promise<null> {
  const now = await rows.findMadePrice(ctx.db, id);
  if (now?.state !== 'retiring') return null;
  await ctx.payments.sellProduct(productOf(id), true);
  await transact(ctx.db, (trx) =>
    rows.turnMadePrice(trx, id, { from: ['retiring'], state: 'live' }),
  );
  forgetPrices(ctx, price_id === null ? [] : [price_id]);
  return null;
}
