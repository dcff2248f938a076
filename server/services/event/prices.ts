/**
 * Prices from Stripe, cached for a minute: only whether a price is active can change. Later a
 * cached price is shown while Stripe is asked anew, and a sale waits a moment for the answer.
 */
import type { StripePrice } from '#server/adapters/stripe-money.ts';
import type { EventRow } from '#db/rows.ts';
import { putSetting, readSetting } from '#db/settings.ts';
import {
  faultOf,
  sellable,
  type CategoryPricing,
  type Price,
  type PricedCategory,
} from '#server/domain/price/pricing.ts';
import type { Fees } from '#server/domain/price/fees.ts';
import {
  feesPerOrder,
  flatPresale,
  surchargesOf,
  type SoldSurcharge,
} from '#server/domain/price/surcharge.ts';
import { surchargesIn } from '#server/domain/price/surcharge-times.ts';
import type { SaleChannel } from '#server/domain/price/rule.ts';
import { pricingAt } from '#server/domain/price/phase.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { foldText, searchWords } from '#server/domain/text/search.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';
import { knownMs, pagePatienceMs, whilePersonWaits } from '#server/services/kit/patience.ts';

const freshMs = 60_000;
/** While Stripe does not answer, it is asked again after this time. */
const quietMs = 5_000;
/** After this time all processes ask Stripe again for a price that one of them found changed. */
const doubtMs = 2_000;
/** The setting with the time at which a cached price last turned out to be wrong. */
const doubtKey = 'prices_doubted_at';

/** While Stripe does not answer, cached prices of any age are used. */
const known = memo<Price | null>({
  freshMs,
  servedMs: knownMs,
  quietMs,
  keptMs: Number.POSITIVE_INFINITY,
  most: 10_000,
});

/** How long a caller waits for Stripe if the prices are known: a page not at all. */
interface Patience {
  waitMs?: number;
}

/**
 * The prices that may be sold now. While Stripe does not answer, cached ones; Stripe checks them
 * at the checkout.
 */
export async function pricesOf(
  ctx: Ctx,
  pricing: readonly CategoryPricing[],
  patience: Patience = {},
): Promise<Price[]> {
  const ids = pricing.flatMap(({ ticketTypes }) => ticketTypes.map((type) => type.price_id));
  return pricesById(ctx, [...new Set(ids)], patience);
}

/**
 * The fee on every paid ticket of the event; null without a fee. If Stripe no longer sells the
 * fee, the sale stops, because buyers would pay too little.
 */
export async function feePriceOf(
  ctx: Ctx,
  event: Pick<EventRow, 'fee_price_id'>,
  patience: Patience = {},
): Promise<Price | null> {
  if (event.fee_price_id === null) return null;
  const [fee] = await pricesById(ctx, [event.fee_price_id], patience);
  if (!fee) throw new Refusal('checkout_refused', { price_id: event.fee_price_id });
  return fee;
}

/** Where and when something is sold: the surcharges depend on it. */
export interface SaleMoment {
  at: number;
  channel: SaleChannel;
}

/** All surcharges of such a sale; `fee`: the price of the presale fee that has one. */
export function surchargesWith(
  event: Pick<EventRow, 'surcharges' | 'starts_at'>,
  fee: Price | null,
  sale: SaleMoment,
): SoldSurcharge[] {
  const { starts_at } = event;
  const others = surchargesIn(surchargesOf(event), { ...sale, starts_at });
  return fee === null ? others : [flatPresale(fee.unit_amount), ...others];
}

/** What an event sells, with amounts. @throws Refusal provider_silent, checkout_refused */
export async function offerAt(
  ctx: Ctx,
  event: EventRow,
  sale: SaleMoment,
): Promise<{ pricing: PricedCategory[]; per_order: Fees }> {
  const offered = pricingAt(event, sale.at);
  const patience = { waitMs: pagePatienceMs };
  const [prices, fee] = await Promise.all([
    pricesOf(ctx, offered, patience),
    feePriceOf(ctx, event, patience),
  ]);
  const surcharges = surchargesWith(event, fee, sale);
  return { pricing: sellable(offered, prices, surcharges), per_order: feesPerOrder(surcharges) };
}

/** What the site sells now or at another moment. @throws Refusal as offerAt() */
export async function pricingNow(
  ctx: Ctx,
  event: EventRow,
  at = ctx.now(),
): Promise<PricedCategory[]> {
  return (await offerAt(ctx, event, { at, channel: 'site' })).pricing;
}

async function pricesById(ctx: Ctx, ids: readonly string[], patience: Patience): Promise<Price[]> {
  await outdateDoubted(ctx);
  return (await askTogether(ctx, ids, patience)).filter((price) => price !== null);
}

/** Asks Stripe once for all prices that are not cached. */
function askTogether(
  ctx: Ctx,
  ids: readonly string[],
  { waitMs = 0 }: Patience = {},
): Promise<(Price | null)[]> {
  const asked: string[] = [];
  let question: Promise<Map<string, Price>> | undefined;
  const ask = async (id: string) => {
    asked.push(id);
    question ??= Promise.resolve()
      .then(() => ctx.payments.prices(asked))
      .catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'prices: Stripe does not answer, the known ones serve');
        throw error;
      })
      .then((prices) => new Map(prices.map((price) => [price.id, price])));
    return (await question).get(id) ?? null;
  };
  return Promise.all(
    ids.map((key) => known.get(ctx.memory, { key, now: ctx.now, ask: () => ask(key), waitMs })),
  );
}

/** Call it for prices put into an event: they may have been made at Stripe a moment ago. */
export function forgetPrices(ctx: Ctx, ids: readonly string[]): void {
  for (const id of ids) known.forget(ctx.memory, id);
}

/**
 * Those of these prices that Stripe does not sell now. Asks Stripe again for prices that the
 * cache has as sold, and if the cache was wrong, makes all processes ask again.
 */
export async function withdrawnAmong(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const isWithdrawn = (id: string) => known.last(ctx.memory, id)?.value === null;
  const believed = ids.filter((id) => !isWithdrawn(id));
  for (const id of believed) known.outdate(ctx.memory, id);
  await askTogether(ctx, believed);
  if (believed.some(isWithdrawn)) await doubtPrices(ctx);
  return ids.filter(isWithdrawn);
}

/** Makes all processes ask Stripe again for their cached prices. */
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

/** The form of Stripe's price ids; other characters could change the path of the request. */
const priceId = /^[\w-]{1,100}$/;

/** Stripe limits calls per second, so a long list is read in pieces of this length. */
const pieceSize = 10;

/** The prices as Stripe has them now, in the order of `ids`, and the ids that it lacks. */
export async function pricesForOffice(ctx: Ctx, ids: readonly string[]) {
  const wanted = [...new Set(ids)];
  const askable = wanted.filter((id) => priceId.test(id));
  const known = new Map<string, StripePrice>();
  for (let at = 0; at < askable.length; at += pieceSize) {
    const piece = askable.slice(at, at + pieceSize);
    // A house with hundreds of prices has more pieces than one patience has time for.
    for (const price of await whilePersonWaits(() => ctx.payments.priceFacts(piece)))
      known.set(price.id, price);
  }
  const items = wanted.flatMap((id) => known.get(id) ?? []).map(inWords);
  return { items, unknown: wanted.filter((id) => !known.has(id)) };
}

function inWords(price: StripePrice) {
  return { ...price, sellable: faultOf(price) === null, why_not: faultOf(price) };
}

/** A search runs again with every typed letter, so its answer is shared for a while. */
const sharedList = memo<Awaited<ReturnType<Ctx['payments']['activePrices']>>>({ freshMs: 15_000 });

/**
 * Sellable prices, newest first, found by words of product, nickname or lookup key, by price id
 * or by amount; `more`: there are others.
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

/** Without the price id, because its letters are random; it is searched by its beginning. */
function wordsOf({ nickname, lookup_key, product, unit_amount }: StripePrice): string {
  return foldText(
    [product.name, nickname, lookup_key, (unit_amount! / 100).toFixed(2).replace('.', ',')]
      .filter((word) => word !== null)
      .join(' '),
  );
}

/** @throws Refusal bad_request for no ids or more than `most` */
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
