/**
 * Makes at Stripe the prices that the office types, and archives those that are no longer used.
 * Our row is stored before the call, and a task finishes work that was interrupted (RULES O9).
 */
import type { Trx } from '#db/engine/dialect.ts';
import * as rows from '#db/payment/made-prices.ts';
import type { MadePriceRow } from '#db/rows.ts';
import { putOffTasks } from '#db/outbox.ts';
import { transact } from '#db/engine/transact.ts';
import { formBounds } from '#server/domain/event/event.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { offerLastsMs } from './offers.ts';
import { forgetPrices } from './prices.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { happened } from '#server/services/kit/happened.ts';

/** After this time Stripe has answered every request. */
const settleAfterMs = 5 * 60_000;
/** A page may offer an old price so long, which covers a hold, and its booking is paid so late. */
const retireAfterMs = offerLastsMs + formBounds.pay_minutes[1] * 60_000 + settleAfterMs;
/** Stripe keeps an idempotency key for a day. */
const keysLastMs = 23 * 3_600_000;
const task = 'settle_price';
/** How many calls run together, because Stripe limits calls per second. */
const atOnce = 4;

export interface PriceWish {
  /** The text that a buyer reads at the checkout: "La locandiera · Platea, Intero". */
  name: string;
  unit_amount: number;
  /** The price that the present account does not know and that this one replaces. */
  instead_of?: string;
}

/**
 * Makes prices at Stripe and returns their ids, in the order of the wishes. `subject`: the id of
 * their event or show.
 * @throws Refusal provider_silent
 */
export async function makePrices(
  ctx: Ctx,
  wishes: readonly PriceWish[],
  { subject, actor }: { subject: string; actor: Actor },
): Promise<string[]> {
  return makeAll(ctx, await storeWishes(ctx, wishes, { subject, actor }));
}

/**
 * Makes prices in place of others. A repeated call goes on with those that it has begun, with the
 * same keys at Stripe, so that no price is made twice.
 * @throws Refusal provider_silent
 */
export async function makePricesAgain(
  ctx: Ctx,
  wishes: readonly Required<PriceWish>[],
  by: { subject: string; actor: Actor },
): Promise<string[]> {
  const since = ctx.now() - keysLastMs;
  const begun = await rows.begunInsteadOf(
    ctx.db,
    wishes.map(({ instead_of }) => instead_of),
    since,
  );
  const ofWish = ({ instead_of, unit_amount }: Required<PriceWish>) =>
    begun.find((row) => row.instead_of === instead_of && row.unit_amount === unit_amount);
  const made = await storeWishes(
    ctx,
    wishes.filter((wish) => !ofWish(wish)),
    by,
  );
  return makeAll(
    ctx,
    wishes.map((wish) =>
      requireValue(
        ofWish(wish) ?? made.find(({ instead_of }) => instead_of === wish.instead_of),
        'price',
      ),
    ),
  );
}

async function makeAll(ctx: Ctx, made: readonly MadePriceRow[]): Promise<string[]> {
  const ids: string[] = [];
  for (let first = 0; first < made.length; first += atOnce) {
    const some = made.slice(first, first + atOnce);
    // All calls must have ended before a failure is thrown.
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
  if (wishes.length === 0) return [];
  const made: MadePriceRow[] = wishes.map(({ name, unit_amount, instead_of = null }) => ({
    id: ctx.newId(),
    name,
    unit_amount,
    instead_of,
    state: 'making',
    price_id: null,
    actor,
    created_at,
  }));
  await transact(ctx.db, async (trx) => {
    await rows.insertMadePrices(trx, made);
    const run_at = created_at + settleAfterMs;
    for (const { id } of made) await queueTask(ctx, trx, { task, subject: id, run_at });
    await happened(ctx, trx, {
      actor,
      action: 'prices_typed',
      subject,
      detail: { prices: wishes },
    });
  });
  return made;
}

/** The product's id at Stripe; we choose it, so that a repeated call finds the product. */
export function productOf(id: string): string {
  return `botteghino_${id}`;
}

async function makeAtStripe(ctx: Ctx, { id, name, unit_amount }: MadePriceRow): Promise<string> {
  const product_id = productOf(id);
  await ctx.payments.makeProduct({ id: product_id, name }, `product-${id}`);
  ctx.fault('product_made');
  const price_id = await ctx.payments.makePrice({ product_id, unit_amount }, `price-${id}`);
  const isOurs = await transact(ctx.db, (trx) =>
    rows.turnMadePrice(trx, id, { from: ['making', 'live'], state: 'live', price_id }),
  );
  // The call took so long that the task has begun to archive this price.
  if (!isOurs) throw new Refusal('provider_silent');
  return price_id;
}

/**
 * Call it in the transaction that removes prices from an event or a show. A task later archives
 * those that the office typed, when no booking can still use them.
 */
export async function queueRetirement(
  ctx: Ctx,
  trx: Trx,
  price_ids: readonly string[],
): Promise<void> {
  const run_at = ctx.now() + retireAfterMs;
  const subjects = (await rows.madeAmong(trx, price_ids)).map(({ id }) => id);
  for (const subject of subjects) await queueTask(ctx, trx, { task, subject, run_at });
  // That of a price that was made a moment ago would come too early.
  await putOffTasks(trx, { task, subjects, run_at });
}

/**
 * Activates a price at Stripe if an event or show names it, otherwise archives it; idempotent.
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
