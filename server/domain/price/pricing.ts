/**
 * Prices of places: the home page, the chart, the summary and the order use the same functions
 * (RULES P1, P4).
 */
import type { PricedPer, PriceFault } from './price-bounds.ts';
import { addFees, type Fees } from './fees.ts';
import { formatEuro } from './money.ts';
import { shareOut } from './share.ts';
import { borneIn, feesOn, type Borne, type SoldSurcharge } from './surcharge.ts';

interface TicketTypePrice {
  price_id: string;
  ticketType: string;
  label: string;
}
export interface CategoryPricing {
  category: string;
  ticketTypes: TicketTypePrice[];
  /** The gate that this category's guests must use; none: any gate. */ gate?: string | null;
}
/** `unit_amount` in cents; only active prices in EUR are in such a list. */
export interface Price {
  id: string;
  unit_amount: number;
  /** Its product at Stripe; pages are not told. */ product_id?: string;
}
/** A category may be named by its key or by its label. */
export interface CategoryName {
  key: string;
  label: string;
}

/** The pricing in an event's row. */
export function pricingOf({ seat_pricing }: { seat_pricing: string }): CategoryPricing[] {
  return JSON.parse(seat_pricing) as CategoryPricing[];
}

/** In cents: the price of the ticket itself, and what it bears on top of it. */
interface PricedType extends TicketTypePrice, Fees {
  unit_amount: number;
  bears: Borne[];
  product_id?: string;
}
export interface PricedCategory {
  category: string;
  ticketTypes: PricedType[];
}

/**
 * The part of the pricing that may be sold: without ticket types that have no price, and without
 * categories that have no types left.
 */
export function sellable(
  seatPricing: readonly CategoryPricing[],
  prices: readonly Price[],
  surcharges: readonly SoldSurcharge[],
): PricedCategory[] {
  const known = new Map(prices.map((price) => [price.id, price]));
  return seatPricing
    .map(({ category, ticketTypes }) => ({
      category,
      ticketTypes: ticketTypes.flatMap((type) => {
        const price = known.get(type.price_id);
        if (price === undefined) return [];
        const { id: _, ...asked } = price;
        const bears = borneIn(surcharges, category);
        return [{ ...type, ...asked, bears, ...feesOn(bears, price.unit_amount) }];
      }),
    }))
    .filter(({ ticketTypes }) => ticketTypes.length > 0);
}

/** What a buyer pays for the ticket, in cents: the only price that buyers see (RULES P4). */
export function fullPrice({
  unit_amount,
  fee_cents,
}: Pick<PricedType, 'unit_amount' | 'fee_cents'>): number {
  return unit_amount + fee_cents;
}

/** Places of one kind; the price is for each of them or for the object of which they are. */
interface PlacesSold {
  places: number;
  per: PricedPer | undefined;
}

/** The list price of each place: a price for the whole object is spread over them. */
export function placesCents(unit_amount: number, { places, per }: PlacesSold): number[] {
  const alike = Array.from({ length: places }, () => unit_amount);
  return per === 'object' ? shareOut(unit_amount, alike) : alike;
}

/** What so many places bear: every ticket bears its own surcharges (RULES P4). */
export function feesOfPlaces(
  { unit_amount, bears }: Pick<PricedType, 'unit_amount' | 'bears'>,
  sold: PlacesSold,
): Fees {
  return addFees(placesCents(unit_amount, sold).map((list_cents) => feesOn(bears, list_cents)));
}

/** What so many places of an object sold whole cost, in cents, with their fees. */
export function fullPriceOf(
  type: Pick<PricedType, 'unit_amount' | 'bears'>,
  { places, per }: PlacesSold,
): number {
  const { fee_cents } = feesOfPlaces(type, { places, per });
  return type.unit_amount * (per === 'object' ? 1 : places) + fee_cents;
}

/** "1,50 € di prevendita e 0,80 € di commissione"; null: neither. */
export function feeParts({ fee_cents, service_cents }: Fees): string | null {
  const parts = [
    { cents: fee_cents - service_cents, name: 'prevendita' },
    { cents: service_cents, name: 'commissione' },
  ].filter(({ cents }) => cents > 0);
  if (parts.length === 0) return null;
  return parts.map(({ cents, name }) => `${formatEuro(cents)} di ${name}`).join(' e ');
}

/** "di cui 1,50 € di prevendita e 0,80 € di commissione", beside a sum; null if it has no fees. */
export function feeWords(fees: Fees): string | null {
  const parts = feeParts(fees);
  return parts === null ? null : `di cui ${parts}`;
}

/** "29,50 € (di cui 1,50 € di prevendita)", in one line of text. */
export function priceWords(cents: number, fees: Fees): string {
  const fee = feeWords(fees);
  return fee === null ? formatEuro(cents) : `${formatEuro(cents)} (${fee})`;
}

/** The ticket types of a category, named by its key or its label. */
export function typesInCategory(
  pricing: readonly PricedCategory[],
  { key, label }: CategoryName,
): readonly PricedType[] {
  return pricing.find(({ category }) => category === key || category === label)?.ticketTypes ?? [];
}

/**
 * The named ticket type of that category; without a name, the only one; null if it is not sold.
 */
export function priceOf(
  pricing: readonly PricedCategory[],
  category: CategoryName,
  ticketType: string | undefined,
): PricedType | null {
  const types = typesInCategory(pricing, category);
  if (ticketType === undefined) return (types.length === 1 && types[0]) || null;
  return types.find((type) => type.ticketType === ticketType) ?? null;
}

/**
 * The lowest price of an event in cents, fee included, for "da 18,00 €"; null when nothing is
 * sold.
 */
export function lowestPrice(pricing: readonly PricedCategory[]): number | null {
  const amounts = pricing.flatMap(({ ticketTypes }) => ticketTypes.map(fullPrice));
  const paid = amounts.filter((cents) => cents > 0);
  if (paid.length > 0) return Math.min(...paid);
  return amounts.length === 0 ? null : 0;
}

interface PriceFacts {
  active: boolean;
  currency: string;
  unit_amount: number | null;
  type: string;
  product: { active: boolean };
}

/**
 * Null: the price can be sold. A price may be active while its product is archived; a
 * subscription is not a ticket.
 */
export function faultOf(price: PriceFacts): PriceFault | null {
  if (!price.active) return 'inactive';
  if (!price.product.active) return 'product_inactive';
  if (price.currency !== 'eur') return 'not_eur';
  if (price.unit_amount === null) return 'no_amount';
  return price.type === 'one_time' ? null : 'recurring';
}

/** Moves prices to the new label of a renamed category. Null: nothing changes. */
export function followCategories(
  pricing: readonly CategoryPricing[],
  { before, now }: { before: readonly CategoryName[]; now: readonly CategoryName[] },
): CategoryPricing[] | null {
  const isThere = (name: string) => now.some(({ key, label }) => name === key || name === label);
  const followed = pricing.map((entry) => {
    if (isThere(entry.category)) return entry;
    const old = before.find(({ label }) => label === entry.category);
    const renamed = old && now.find(({ key }) => key === old.key);
    return renamed ? { ...entry, category: renamed.label } : entry;
  });
  return followed.every((entry, at) => entry === pricing[at]) ? null : followed;
}
