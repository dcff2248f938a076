/** Prices from Stripe, cached for a minute: an amount never changes there, only whether the price is active. */
import type { StripePrice } from '#server/adapters/stripe-money.ts';
import type { EventRow } from '#db/rows.ts';
import { putSetting, readSetting } from '#db/settings.ts';
import { faultOf, type CategoryPricing, type Price } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { foldText, searchWords } from '#server/domain/text/search.ts';
import type { Ctx } from '#server/services/context.ts';
import { shareAnswers } from '#server/services/kit/shared-answer.ts';

const freshMs = 60_000;
/** While Stripe does not answer, only one visitor in this time waits for it. */
const quietMs = 5_000;
/** So soon every process of the house doubts what one of them found to be wrong. */
const doubtMs = 2_000;
/** When what was remembered of prices last turned out to be wrong. */
const doubtKey = 'prices_doubted_at';

interface Kept {
  prices: Map<string, { price: Price | null; at: number }>;
  asking: Map<string, Promise<void>>;
  failure: { at: number; error: unknown } | null;
  /** The doubt that is known here. */
  doubt: string | null;
}
const kept = new WeakMap<Ctx['memory'], Kept>();

function memoryOf(ctx: Ctx): Kept {
  const known = kept.get(ctx.memory);
  if (known) return known;
  const memory = { prices: new Map(), asking: new Map(), failure: null, doubt: null };
  kept.set(ctx.memory, memory);
  return memory;
}

/** Prices that may be sold now; while Stripe is silent the last known ones serve, and the checkout has the last word. */
export async function pricesOf(ctx: Ctx, pricing: readonly CategoryPricing[]): Promise<Price[]> {
  return pricesById(ctx, [
    ...new Set(pricing.flatMap(({ ticketTypes }) => ticketTypes.map((type) => type.price_id))),
  ]);
}

/** What every paid ticket of the event costs on top; null without a fee. A fee that Stripe no longer sells stops the sale: nobody may pay less than was agreed. */
export async function feePriceOf(
  ctx: Ctx,
  event: Pick<EventRow, 'fee_price_id'>,
): Promise<Price | null> {
  if (event.fee_price_id === null) return null;
  const [fee] = await pricesById(ctx, [event.fee_price_id]);
  if (!fee) throw new Refusal('checkout_refused', { price_id: event.fee_price_id });
  return fee;
}

async function pricesById(ctx: Ctx, ids: readonly string[]): Promise<Price[]> {
  const memory = memoryOf(ctx);
  await heedDoubt(ctx, memory);
  const stale = ids.filter(
    (id) => (memory.prices.get(id)?.at ?? Number.NEGATIVE_INFINITY) <= ctx.now() - freshMs,
  );
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
  const question =
    memory.asking.get(key) ?? ask(ctx, memory, ids).finally(() => memory.asking.delete(key));
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

/** A price that is put into an event may have been made at Stripe a moment ago: what was remembered of it counts no longer. */
export function forgetPrices(ctx: Ctx, ids: readonly string[]): void {
  for (const id of ids) kept.get(ctx.memory)?.prices.delete(id);
}

/** The prices among these that Stripe does not sell now, asked anew if they are remembered as sold; every process asks anew then. */
export async function withdrawnAmong(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const memory = memoryOf(ctx);
  const isKnown = (id: string) => memory.prices.get(id)?.price === null;
  const believed = ids.filter((id) => !isKnown(id));
  if (believed.length > 0) await ask(ctx, memory, believed);
  if (believed.some(isKnown)) await doubtPrices(ctx);
  return ids.filter(isKnown);
}

/** What any process of the house remembers of prices counts no longer. */
export async function doubtPrices(ctx: Ctx): Promise<void> {
  await putSetting(ctx.db, doubtKey, String(ctx.now()));
}

const sharedDoubt = shareAnswers<string | null>(doubtMs);

async function heedDoubt(ctx: Ctx, memory: Kept): Promise<void> {
  const read = () => readSetting(ctx.db, doubtKey);
  const doubt = await sharedDoubt.get(ctx.memory, { now: ctx.now(), ask: read });
  if (doubt === memory.doubt) return;
  memory.doubt = doubt;
  // Not forgotten: while Stripe is silent the last known ones serve.
  for (const known of memory.prices.values()) known.at = Number.NEGATIVE_INFINITY;
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

/** Whoever types a search asks again with every letter: Stripe is asked once in this time. */
const sharedList = shareAnswers<Awaited<ReturnType<Ctx['payments']['activePrices']>>>(15_000);

/** What may be put into an event, newest first, found by words of product, nickname, lookup key, code or amount; `more`: the list goes on. @throws Refusal provider_silent */
export async function findPrices(
  ctx: Ctx,
  { search = '', most }: { search?: string; most: number },
) {
  const { prices, more } = await sharedList.get(ctx.payments, {
    now: ctx.now(),
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
