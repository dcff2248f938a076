/**
 * Prices from Stripe, cached for a minute: an amount never changes there, only whether the price
 * is active.
 */
import type { StripePrice } from '#server/adapters/stripe-money.ts';
import type { EventRow } from '#db/rows.ts';
import { putSetting, readSetting } from '#db/settings.ts';
import {
  faultOf,
  pricingOf,
  sellable,
  type CategoryPricing,
  type Price,
  type PricedCategory,
} from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { foldText, searchWords } from '#server/domain/text/search.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';

const freshMs = 60_000;
/** While Stripe does not answer, only one visitor in this time waits for it. */
const quietMs = 5_000;
/** So soon every process of the house doubts what one of them found to be wrong. */
const doubtMs = 2_000;
/** When what was remembered of prices last turned out to be wrong. */
const doubtKey = 'prices_doubted_at';

/** While Stripe is silent the last known ones serve, whatever their age. */
const known = memo<Price | null>({
  freshMs,
  quietMs,
  keptMs: Number.POSITIVE_INFINITY,
  most: 10_000,
});

/**
 * Prices that may be sold now; while Stripe is silent the last known ones serve, and the checkout
 * has the last word.
 */
export async function pricesOf(ctx: Ctx, pricing: readonly CategoryPricing[]): Promise<Price[]> {
  return pricesById(ctx, [
    ...new Set(pricing.flatMap(({ ticketTypes }) => ticketTypes.map((type) => type.price_id))),
  ]);
}

/**
 * What every paid ticket of the event costs on top; null without a fee. A fee that Stripe no
 * longer sells stops the sale, because less than was agreed would be paid.
 */
export async function feePriceOf(
  ctx: Ctx,
  event: Pick<EventRow, 'fee_price_id'>,
): Promise<Price | null> {
  if (event.fee_price_id === null) return null;
  const [fee] = await pricesById(ctx, [event.fee_price_id]);
  if (!fee) throw new Refusal('checkout_refused', { price_id: event.fee_price_id });
  return fee;
}

/** What an event sells now, for how much. @throws Refusal provider_silent, checkout_refused */
export async function pricingNow(ctx: Ctx, event: EventRow): Promise<PricedCategory[]> {
  const offered = pricingOf(event);
  return sellable(offered, await pricesOf(ctx, offered), await feePriceOf(ctx, event));
}

async function pricesById(ctx: Ctx, ids: readonly string[]): Promise<Price[]> {
  await outdateDoubted(ctx);
  try {
    return (await askTogether(ctx, ids)).filter((price) => price !== null);
  } catch (error) {
    const last = ids.map((id) => known.last(ctx.memory, id));
    if (last.includes(undefined)) throw error;
    ctx.log.warn({ err: error }, 'prices: Stripe does not answer, the last known ones serve');
    return last.flatMap((price) => price?.value ?? []);
  }
}

/** One question to Stripe for all of these that must be asked for. */
function askTogether(ctx: Ctx, ids: readonly string[]): Promise<(Price | null)[]> {
  const asked: string[] = [];
  let question: Promise<Map<string, Price>> | undefined;
  const ask = async (id: string) => {
    asked.push(id);
    question ??= Promise.resolve()
      .then(() => ctx.payments.prices(asked))
      .then((prices) => new Map(prices.map((price) => [price.id, price])));
    return (await question).get(id) ?? null;
  };
  return Promise.all(
    ids.map((key) => known.get(ctx.memory, { key, now: ctx.now, ask: () => ask(key) })),
  );
}

/**
 * A price that is put into an event may have been made at Stripe a moment ago: what was
 * remembered of it counts no longer.
 */
export function forgetPrices(ctx: Ctx, ids: readonly string[]): void {
  for (const id of ids) known.forget(ctx.memory, id);
}

/**
 * The prices among these that Stripe does not sell now, asked anew if they are remembered as
 * sold; every process asks anew then.
 */
export async function withdrawnAmong(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const isWithdrawn = (id: string) => known.last(ctx.memory, id)?.value === null;
  const believed = ids.filter((id) => !isWithdrawn(id));
  for (const id of believed) known.outdate(ctx.memory, id);
  await askTogether(ctx, believed);
  if (believed.some(isWithdrawn)) await doubtPrices(ctx);
  return ids.filter(isWithdrawn);
}

/** What any process of the house remembers of prices counts no longer. */
export async function doubtPrices(ctx: Ctx): Promise<void> {
  await putSetting(ctx.db, doubtKey, String(ctx.now()));
}

const doubts = memo<string | null>({ freshMs: doubtMs, keptMs: Number.POSITIVE_INFINITY });

async function outdateDoubted(ctx: Ctx): Promise<void> {
  const ask = async () => {
    const doubt = await readSetting(ctx.db, doubtKey);
    const before = doubts.last(ctx.memory)?.value ?? null;
    if (doubt !== before) known.outdate(ctx.memory);
    return doubt;
  };
  await doubts.get(ctx.memory, { now: ctx.now, ask });
}

/** Stripe's ids; anything else would be another address there. */
const priceId = /^[\w-]{1,100}$/;

/** Stripe counts calls per second: a long list is asked for in pieces. */
const pieceSize = 10;

/** As they are at Stripe now, in the order asked for, and which of them it does not know. */
export async function pricesForOffice(ctx: Ctx, ids: readonly string[]) {
  const wanted = [...new Set(ids)];
  const askable = wanted.filter((id) => priceId.test(id));
  const known = new Map<string, StripePrice>();
  for (let at = 0; at < askable.length; at += pieceSize) {
    for (const price of await ctx.payments.priceFacts(askable.slice(at, at + pieceSize)))
      known.set(price.id, price);
  }
  const items = wanted.flatMap((id) => known.get(id) ?? []).map(inWords);
  return { items, unknown: wanted.filter((id) => !known.has(id)) };
}

function inWords(price: StripePrice) {
  return { ...price, sellable: faultOf(price) === null, why_not: faultOf(price) };
}

/** A search asks again with every letter that is typed: Stripe is asked once in this time. */
const sharedList = memo<Awaited<ReturnType<Ctx['payments']['activePrices']>>>({ freshMs: 15_000 });

/**
 * What may be put into an event, newest first, found by words of product, nickname, lookup key,
 * code or amount; `more`: the list goes on.
 * @throws Refusal provider_silent
 */
export async function findPrices(
  ctx: Ctx,
  { search = '', most }: { search?: string; most: number },
) {
  const { prices, more } = await sharedList.get(ctx.payments, {
    now: ctx.now,
    ask: () => ctx.payments.activePrices(),
  });
  const words = searchWords(search);
  const found = prices.filter(
    (price) =>
      faultOf(price) === null &&
      words.every((word) => wordsOf(price).includes(word) || foldText(price.id).startsWith(word)),
  );
  return { items: found.slice(0, most).map(inWords), more: more || found.length > most };
}

/** Not its code, in which any letter may stand: that is found by its beginning. */
function wordsOf({ nickname, lookup_key, product, unit_amount }: StripePrice): string {
  return foldText(
    [product.name, nickname, lookup_key, (unit_amount! / 100).toFixed(2).replace('.', ',')]
      .filter((word) => word !== null)
      .join(' '),
  );
}

/** @throws Refusal bad_request: more than `most`, or none */
export async function pricesByList(ctx: Ctx, list: string, most: number) {
  const ids = list
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (ids.length === 0 || ids.length > most)
    throw new Refusal('bad_request', { field: 'priceIds', most });
  return pricesForOffice(ctx, ids);
}

export async function priceForOffice(ctx: Ctx, id: string) {
  const {
    items: [price],
  } = await pricesForOffice(ctx, [id]);
  if (!price) throw new Refusal('price_not_found');
  return price;
}
