/**
 * Prices of places: the same functions price the home page, the chart, the summary and the order
 * (RULES P1, P4).
 */
import { formatEuro } from './money.ts';

interface TicketTypePrice {
  price_id: string;
  ticketType: string;
  label: string;
}
export interface CategoryPricing {
  category: string;
  ticketTypes: TicketTypePrice[];
  /** Where its guests come in; none: at any gate. */ gate?: string | null;
}
/** `unit_amount` in cents; only active prices in EUR are in such a list. */
export interface Price {
  id: string;
  unit_amount: number;
}
/** A category may be named by its key or by its label. */
export interface CategoryName {
  key: string;
  label: string;
}

/** As the event's row keeps it. */
export function pricingOf({ seat_pricing }: { seat_pricing: string }): CategoryPricing[] {
  return JSON.parse(seat_pricing) as CategoryPricing[];
}

/**
 * The presale fee (diritto di prevendita) on every ticket that has a price; null: the event has
 * none.
 */
export type Fee = Pick<Price, 'unit_amount'> | null;

/** In cents: what the ticket costs by itself, and the presale fee on top of it. */
interface PricedType extends TicketTypePrice {
  unit_amount: number;
  fee_cents: number;
}
export interface PricedCategory {
  category: string;
  ticketTypes: PricedType[];
}

/**
 * The pricing that may be sold: ticket types without a price are dropped, and categories left
 * without any.
 */
export function sellable(
  seatPricing: readonly CategoryPricing[],
  prices: readonly Price[],
  fee: Fee,
): PricedCategory[] {
  const amounts = new Map(prices.map((price) => [price.id, price.unit_amount]));
  return seatPricing
    .map(({ category, ticketTypes }) => ({
      category,
      ticketTypes: ticketTypes.flatMap((type) => {
        const unit_amount = amounts.get(type.price_id);
        return unit_amount === undefined
          ? []
          : [{ ...type, unit_amount, fee_cents: feeOf(fee, unit_amount) }];
      }),
    }))
    .filter(({ ticketTypes }) => ticketTypes.length > 0);
}

/** What a buyer pays for the ticket, in cents: the only price that buyers are shown (RULES P4). */
export function fullPrice({
  unit_amount,
  fee_cents,
}: Pick<PricedType, 'unit_amount' | 'fee_cents'>): number {
  return unit_amount + fee_cents;
}

/** "di cui 1,50 € di prevendita", beside a price or a sum; null where there is no fee in it. */
export function feeWords(fee_cents: number): string | null {
  return fee_cents > 0 ? `di cui ${formatEuro(fee_cents)} di prevendita` : null;
}

/** "29,50 € (di cui 1,50 € di prevendita)", in one line of text. */
export function priceWords(cents: number, fee_cents: number): string {
  const fee = feeWords(fee_cents);
  return fee === null ? formatEuro(cents) : `${formatEuro(cents)} (${fee})`;
}

/**
 * The ticket type asked for on a place of that category; the only one when none is named; null
 * when it is not sold.
 */
export function priceOf(
  pricing: readonly PricedCategory[],
  category: CategoryName,
  ticketType: string | undefined,
): PricedType | null {
  const types =
    pricing.find((entry) => entry.category === category.key || entry.category === category.label)
      ?.ticketTypes ?? [];
  if (ticketType === undefined) return (types.length === 1 && types[0]) || null;
  return types.find((type) => type.ticketType === ticketType) ?? null;
}

/**
 * The lowest price of an event in cents, fee included, for "da 18,00 €"; null when nothing is
 * sold.
 */
export function lowestPrice(pricing: readonly PricedCategory[]): number | null {
  const amounts = pricing.flatMap(({ ticketTypes }) => ticketTypes.map(fullPrice));
  return amounts.length === 0 ? null : Math.min(...amounts);
}

/** The presale fee on one ticket, in cents: none on a free one. */
function feeOf(fee: Fee, price_cents: number): number {
  return fee !== null && price_cents > 0 ? fee.unit_amount : 0;
}

/** Why a price of Stripe's cannot be sold here. */
export const priceFaults = [
  'inactive',
  'product_inactive',
  'not_eur',
  'no_amount',
  'recurring',
] as const;
export type PriceFault = (typeof priceFaults)[number];
interface PriceFacts {
  active: boolean;
  currency: string;
  unit_amount: number | null;
  type: string;
  product: { active: boolean };
}

/**
 * Null: it can be sold. A price may be active while its product is archived; a subscription is no
 * ticket.
 */
export function faultOf(price: PriceFacts): PriceFault | null {
  if (!price.active) return 'inactive';
  if (!price.product.active) return 'product_inactive';
  if (price.currency !== 'eur') return 'not_eur';
  if (price.unit_amount === null) return 'no_amount';
  return price.type === 'one_time' ? null : 'recurring';
}

/**
 * A category that was renamed keeps its prices: prices under its old label take the new one.
 * Null: nothing changes.
 */
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
