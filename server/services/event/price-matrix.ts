/**
 * The price matrix of an event or a show: the price of each sector (a category of the hall) and
 * ticket type, typed in euros and made at Stripe.
 */
import { hallCategories, soldByPrice } from '#db/payment/made-prices.ts';
import type { EventRow } from '#db/rows.ts';
import { datesOf } from '#db/event/shows.ts';
import type { MatrixAsk } from '#server/contract/price-matrix.ts';
import {
  entryOfSector,
  feeName,
  pricingOfMatrix,
  productName,
  soldName,
  stateOf,
  typesOf,
} from '#server/domain/price/price-matrix.ts';
import { type CategoryPricing, pricingOf } from '#server/domain/price/pricing.ts';
import { readOwnFields, type SharedField } from '#server/domain/event/show.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { pagePatienceMs } from '#server/services/kit/patience.ts';
import { pricesOf } from './prices.ts';
import { editable, updateEvent } from './desk.ts';
import { knownEvent } from './events.ts';
import { formOf } from './form.ts';
import { makePrices, type PriceWish } from './made-prices.ts';
import { changeShow, knownShow, requireShowAsSeen, showForOffice } from './shows.ts';

const priceFields: readonly SharedField[] = ['seat_pricing', 'fee_price_id'];

type Priced = Pick<EventRow, 'title' | 'version' | 'seat_pricing' | 'fee_price_id'>;

/** @throws Refusal event_not_found, provider_silent */
export async function eventMatrix(ctx: Ctx, id: string) {
  const event = await knownEvent(ctx, id);
  const dates = event.show_id === null ? [event] : await datesOf(ctx.db, [event.show_id]);
  const own = readOwnFields(event.own_fields);
  return {
    ...(await matrixOf(ctx, event, [id])),
    status: event.status,
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
  const pricing = pricingOf(priced);
  const types = typesOf(pricing);
  const { fee_price_id } = priced;
  const amounts = await amountsOf(ctx, pricing, fee_price_id);
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
  return { version: priced.version, types, sectors, fee };
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
 * The amount in cents of each price that Stripe sells now, by price id.
 * @throws Refusal provider_silent
 */
async function amountsOf(
  ctx: Ctx,
  pricing: readonly CategoryPricing[],
  fee_price_id: string | null,
): Promise<Map<string, number>> {
  const fee = {
    category: '',
    ticketTypes: [{ price_id: fee_price_id ?? '', ticketType: '', label: '' }],
  };
  const asked = fee_price_id === null ? pricing : [...pricing, fee];
  const prices = await pricesOf(ctx, asked, { waitMs: pagePatienceMs });
  return new Map(prices.map(({ id, unit_amount }) => [id, unit_amount]));
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

/** A cell of the matrix: an existing price, or an amount in cents. */
type Money = { price_id: string } | { cents: number };
/** Finds the price id of a cell; `made`: the ids of the new prices. */
type FindPrice = (made: readonly string[]) => string;
interface Pricing {
  before: Priced;
  subject: string;
  actor: Actor;
}

/** A new price for a typed amount, unless the cell's present price has this amount. */
async function pricedBy(ctx: Ctx, ask: MatrixAsk, { before, subject, actor }: Pricing) {
  const pricing = pricingOf(before);
  const amounts = await amountsOf(ctx, pricing, before.fee_price_id);
  const wishes: PriceWish[] = [];
  const priceFor = (cell: Money, known: string | undefined, name: string): FindPrice => {
    if ('price_id' in cell) return () => cell.price_id;
    if (known !== undefined && amounts.get(known) === cell.cents) return () => known;
    const full = productName(before.title || subject, name);
    const nth = wishes.push({ name: full, unit_amount: cell.cents }) - 1;
    return (made) => requireValue(made[nth], 'price');
  };
  const sectors = ask.sectors.map((sector) => ({
    ...sector,
    cells: sector.cells.map((cell) => {
      const known = knownId(pricing, sector.category, cell.ticketType);
      const name = soldName(sector.category, labelOf(ask, cell.ticketType));
      return { ticketType: cell.ticketType, find: priceFor(cell, known, name) };
    }),
  }));
  const fee = ask.fee && priceFor(ask.fee, before.fee_price_id ?? undefined, feeName);
  const made = await makePrices(ctx, wishes, { subject, actor });
  const found = sectors.map((sector) => ({
    ...sector,
    cells: sector.cells.map(({ ticketType, find }) => ({ ticketType, price_id: find(made) })),
  }));
  return {
    seat_pricing: pricingOfMatrix({ types: ask.types, sectors: found }, pricing),
    fee_price_id: fee && fee(made),
  };
}

function knownId(
  pricing: readonly CategoryPricing[],
  category: string,
  ticketType: string,
): string | undefined {
  const entry = pricing.find((known) => known.category === category);
  return entry?.ticketTypes.find((type) => type.ticketType === ticketType)?.price_id;
}

function labelOf({ types }: MatrixAsk, ticketType: string): string {
  return types.find((type) => type.ticketType === ticketType)?.label ?? ticketType;
}
