/** The prices that the office types in a table: made at Stripe if no known one has the amount. */
import type { EventRow } from '#db/rows.ts';
import type { MatrixAsk } from '#server/contract/price-matrix.ts';
import {
  feeName,
  pricingOfMatrix,
  productName,
  soldName,
} from '#server/domain/price/price-matrix.ts';
import { everyPricing, pricedOf } from '#server/domain/price/phase.ts';
import type { CategoryPricing } from '#server/domain/price/pricing.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { pagePatienceMs } from '#server/services/kit/patience.ts';
import { makePrices, type PriceWish } from './made-prices.ts';
import { pricesOf } from './prices.ts';

export type Priced = Pick<
  EventRow,
  'title' | 'version' | 'seat_pricing' | 'price_phases' | 'fee_price_id'
>;

/**
 * The amount in cents of each price that Stripe sells now, by price id.
 * @throws Refusal provider_silent
 */
export async function amountsOf(ctx: Ctx, priced: Priced): Promise<Map<string, number>> {
  const { fee_price_id } = priced;
  const pricing = everyPricing(pricedOf(priced));
  const fee = {
    category: '',
    ticketTypes: [{ price_id: fee_price_id ?? '', ticketType: '', label: '' }],
  };
  const asked = fee_price_id === null ? pricing : [...pricing, fee];
  const prices = await pricesOf(ctx, asked, { waitMs: pagePatienceMs });
  return new Map(prices.map(({ id, unit_amount }) => [id, unit_amount]));
}

/** A cell of the table: an existing price, or an amount in cents. */
type Money = { price_id: string } | { cents: number };
/** Finds the price id of a cell; `made`: the ids of the new prices. */
type FindPrice = (made: readonly string[]) => string;

interface Pricing {
  before: Priced;
  subject: string;
  actor: Actor;
}

/** The columns of the typed table; phases stay as they are where the table does not say them. */
export async function pricedBy(ctx: Ctx, ask: MatrixAsk, { before, subject, actor }: Pricing) {
  const { seat_pricing } = pricedOf(before);
  const wishes = wishesFor(await amountsOf(ctx, before), before.title || subject);
  const cells = lastCells(ask, { seat_pricing, wishes });
  const phases = ask.phases && phaseCells(ask.phases, { ask, before, cells, wishes });
  const fee = ask.fee && wishes.priceFor(ask.fee, { known: before.fee_price_id, name: feeName });
  const made = await makePrices(ctx, wishes.list, { subject, actor });
  const found = ask.sectors.map((sector) => ({
    ...sector,
    cells: cells
      .filter(({ category }) => category === sector.category)
      .map(({ ticketType, find }) => ({ ticketType, price_id: find(made) })),
  }));
  const price_phases = phases?.map(({ prices, id = ctx.newId(), ...phase }) => ({
    id,
    ...phase,
    prices: Object.fromEntries(prices.map(({ last, early }) => [last(made), early(made)])),
  }));
  return {
    seat_pricing: pricingOfMatrix({ types: ask.types, sectors: found }, seat_pricing),
    ...(price_phases && { price_phases: price_phases.length === 0 ? null : price_phases }),
    fee_price_id: fee && fee(made),
  };
}

type Wishes = ReturnType<typeof wishesFor>;

/** New prices for typed amounts, unless the cell's present price has this amount. */
function wishesFor(amounts: ReadonlyMap<string, number>, title: string) {
  const list: PriceWish[] = [];
  const make = (name: string, unit_amount: number): FindPrice => {
    const nth = list.push({ name: productName(title, name), unit_amount }) - 1;
    return (made) => requireValue(made[nth], 'price');
  };
  const centsOf = (cell: Money) => ('cents' in cell ? cell.cents : amounts.get(cell.price_id));
  const idOf = (cell: Money, known: string | null | undefined) => {
    if ('price_id' in cell) return cell.price_id;
    return known && amounts.get(known) === cell.cents ? known : undefined;
  };
  const priceFor = (cell: Money, { known, name }: Cell): FindPrice => {
    const id = idOf(cell, known);
    return id === undefined ? make(name, requireValue(centsOf(cell), 'amount')) : () => id;
  };
  return { list, make, centsOf, idOf, priceFor };
}

/** `known`: the price that the cell has now. */
interface Cell {
  known: string | null | undefined;
  name: string;
}

interface LastCell {
  category: string;
  ticketType: string;
  cents: number | undefined;
  known: string | undefined;
  find: FindPrice;
}

/**
 * The last price of each cell. A phase names cells by their last price, so two cells that share
 * one, but not their earlier prices, get one each.
 */
function lastCells(
  ask: MatrixAsk,
  { seat_pricing, wishes }: { seat_pricing: readonly CategoryPricing[]; wishes: Wishes },
): LastCell[] {
  const earlyOf = new Map<string, string>();
  return ask.sectors.flatMap(({ category, cells }) =>
    cells.map((cell) => {
      const { ticketType } = cell;
      const known = knownId(seat_pricing, category, ticketType);
      const name = soldName(category, labelOf(ask, ticketType));
      const cents = wishes.centsOf(cell);
      const early = JSON.stringify(
        ask.phases?.map((phase) => phase.cells.find(isAt({ category, ticketType }))),
        ['cents', 'price_id'],
      );
      const id = wishes.idOf(cell, known);
      const isShared = id !== undefined && (earlyOf.get(id) ?? early) !== early;
      if (id !== undefined && !isShared) earlyOf.set(id, early);
      const find =
        isShared && cents !== undefined
          ? wishes.make(name, cents)
          : wishes.priceFor(cell, { known, name });
      return { category, ticketType, cents, known, find };
    }),
  );
}

interface Phases {
  ask: MatrixAsk;
  before: Priced;
  cells: readonly LastCell[];
  wishes: Wishes;
}

/** The prices of each phase beside the last ones; an amount that is the last one is left out. */
function phaseCells(
  phases: NonNullable<MatrixAsk['phases']>,
  { ask, before, cells, wishes }: Phases,
) {
  return phases.map((phase) => {
    const old = pricedOf(before).price_phases.find(({ id }) => id === phase.id);
    const prices = phase.cells.flatMap((cell) => {
      const { category, ticketType } = cell;
      const last = requireValue(cells.find(isAt(cell)), 'cell');
      if (last.cents === wishes.centsOf(cell)) return [];
      const known = old?.prices[last.known ?? ''];
      const name = soldName(category, labelOf(ask, ticketType), phase.name);
      return [{ last: last.find, early: wishes.priceFor(cell, { known, name }) }];
    });
    return { id: phase.id, name: phase.name, until: phase.until, prices };
  });
}

type Place = Pick<LastCell, 'category' | 'ticketType'>;

function isAt({ category, ticketType }: Place) {
  return (cell: Place) => cell.category === category && cell.ticketType === ticketType;
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
