/**
 * The price matrix of an event or a show: the price of each sector (a category of the hall) and
 * ticket type, typed in euros and made at Stripe.
 */
import { hallCategories, soldByPrice } from '#db/payment/made-prices.ts';
import { datesOf } from '#db/event/shows.ts';
import type { MatrixAsk } from '#server/contract/price-matrix.ts';
import { entryOfSector, stateOf, typesOf } from '#server/domain/price/price-matrix.ts';
import { phaseAt, pricedOf, type PricePhase } from '#server/domain/price/phase.ts';
import type { CategoryPricing } from '#server/domain/price/pricing.ts';
import { readOwnFields, type SharedField } from '#server/domain/event/show.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { editable, updateEvent } from './desk.ts';
import { knownEvent } from './events.ts';
import { formOf } from './form.ts';
import { amountsOf, pricedBy, type Priced } from './typed-prices.ts';
import { changeShow, knownShow, requireShowAsSeen, showForOffice } from './shows.ts';

const priceFields: readonly SharedField[] = ['seat_pricing', 'price_phases', 'fee_price_id'];

/** @throws Refusal event_not_found, provider_silent */
export async function eventMatrix(ctx: Ctx, id: string) {
  const event = await knownEvent(ctx, id);
  const dates = event.show_id === null ? [event] : await datesOf(ctx.db, [event.show_id]);
  const own = readOwnFields(event.own_fields);
  return {
    ...(await matrixOf(ctx, event, [id])),
    status: event.status,
    phase_now: phaseAt(event, ctx.now())?.id ?? null,
    show_id: event.show_id,
    show_dates: dates.length,
    differs: priceFields.some((field) => own.includes(field)),
  };
}

/** @throws Refusal show_not_found, provider_silent */
export async function showMatrix(ctx: Ctx, id: string) {
  const show = await knownShow(ctx, id);
  const coming = (await datesOf(ctx.db, [id])).filter(
    (date) => date.status !== 'cancelled' && date.starts_at > ctx.now(),
  );
  const ids = coming.map((date) => date.id);
  return {
    ...(await matrixOf(ctx, show, ids)),
    title: show.title,
    dates: coming.map((date) => ({
      ...date,
      differs: priceFields.some((field) => readOwnFields(date.own_fields).includes(field)),
    })),
  };
}

async function matrixOf(ctx: Ctx, priced: Priced, event_ids: readonly string[]) {
  const { seat_pricing: pricing, price_phases, fee_price_id } = pricedOf(priced);
  const types = typesOf(pricing);
  const amounts = await amountsOf(ctx, priced);
  const sold = await soldByPrice(ctx.db, event_ids);
  const hall = await hallCategories(ctx.db, event_ids);
  const strays = pricing
    .filter(({ category }) =>
      hall.every((known) => known.category !== category && known.category_key !== category),
    )
    .map(({ category }) => ({ category, category_key: category, places: 0 }));
  const sectors = [...hall, ...strays].map((sector) => {
    const entry = entryOfSector(pricing, sector);
    const isHere = (line: { category: string; category_key: string }) =>
      line.category === sector.category && line.category_key === sector.category_key;
    return {
      category: entry?.category ?? nameOf(sector, hall),
      label: sector.category,
      places: sector.places,
      state: stateOf(entry),
      cells: (entry?.ticketTypes ?? []).map(({ ticketType, price_id }) => ({
        ticketType,
        price_id,
        cents: amounts.get(price_id) ?? null,
        sold: sold
          .filter((line) => isHere(line) && line.price_id === price_id)
          .reduce((sum, line) => sum + line.n, 0),
      })),
    };
  });
  const fee =
    fee_price_id === null
      ? null
      : { price_id: fee_price_id, cents: amounts.get(fee_price_id) ?? null };
  const phases = price_phases.map(({ prices, ...phase }) => ({
    ...phase,
    cells: cellsOfPhase(prices, { pricing, amounts, sold }),
  }));
  return { version: priced.version, types, sectors, fee, phases };
}

interface Known {
  pricing: readonly CategoryPricing[];
  amounts: ReadonlyMap<string, number>;
  sold: Awaited<ReturnType<typeof soldByPrice>>;
}

/** The cells in which a phase has a price of its own. */
function cellsOfPhase(prices: PricePhase['prices'], { pricing, amounts, sold }: Known) {
  return pricing.flatMap(({ category, ticketTypes }) =>
    ticketTypes.flatMap(({ ticketType, price_id: last }) => {
      const price_id = prices[last];
      if (price_id === undefined) return [];
      const lines = sold.filter(
        (line) =>
          line.price_id === price_id &&
          (line.category === category || line.category_key === category),
      );
      const places = lines.reduce((sum, line) => sum + line.n, 0);
      return [
        { category, ticketType, price_id, cents: amounts.get(price_id) ?? null, sold: places },
      ];
    }),
  );
}

/** The sector's label, or its key if two sectors have the same label. */
function nameOf(
  sector: { category: string; category_key: string },
  hall: readonly { category: string }[],
): string {
  const same = hall.filter(({ category }) => category === sector.category);
  return same.length > 1 ? sector.category_key : sector.category;
}

/**
 * Makes new prices at Stripe, then saves the event through its form. Refuses as the contract of
 * saveEventPrices says.
 */
export async function saveEventPrices(
  ctx: Ctx,
  id: string,
  { version, prices }: { version: number; prices: MatrixAsk },
  actor: Actor,
) {
  const event = await editable(ctx, id, version);
  const priced = await pricedBy(ctx, prices, { before: event, subject: id, actor });
  await updateEvent(ctx, id, { ask: { ...formOf(event), ...priced, version }, actor });
  return eventMatrix(ctx, id);
}

interface ShowPrices {
  version: number;
  prices: MatrixAsk;
  dates: readonly { id: string; version: number }[];
}

/** The same for the prices that all dates of a show share. */
export async function saveShowPrices(
  ctx: Ctx,
  id: string,
  { version, dates, prices }: ShowPrices,
  actor: Actor,
) {
  const show = await knownShow(ctx, id);
  const { form: before } = await showForOffice(ctx, id);
  await requireShowAsSeen(ctx, show, { version, dates, form: before });
  const priced = await pricedBy(ctx, prices, { before: show, subject: id, actor });
  const form = { ...before, ...priced };
  await changeShow(ctx, id, { version, dates, tell_buyers: 0, form }, actor);
  return showMatrix(ctx, id);
}
