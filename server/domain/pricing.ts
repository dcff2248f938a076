/** Prices of places: the same function prices the chart, the summary and the order (RULES P1). */

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

interface PricedType extends TicketTypePrice {
  unit_amount: number;
}
export interface PricedCategory {
  category: string;
  ticketTypes: PricedType[];
}

/** The pricing that may be sold: ticket types without a price are dropped, and categories left without any. */
export function sellable(
  seatPricing: readonly CategoryPricing[],
  prices: readonly Price[],
): PricedCategory[] {
  const amounts = new Map(prices.map((price) => [price.id, price.unit_amount]));
  return seatPricing
    .map(({ category, ticketTypes }) => ({
      category,
      ticketTypes: ticketTypes.flatMap((type) => {
        const unit_amount = amounts.get(type.price_id);
        return unit_amount === undefined ? [] : [{ ...type, unit_amount }];
      }),
    }))
    .filter(({ ticketTypes }) => ticketTypes.length > 0);
}

/** The `pricing` option of the chart, in euros as the chart wants: one ticket type gives a single price, several a list (RULES P3). */
export function chartPricing(seatPricing: readonly CategoryPricing[], prices: readonly Price[]) {
  return sellable(seatPricing, prices).map(({ category, ticketTypes }) => {
    const [only, ...more] = ticketTypes;
    return more.length === 0
      ? { category, price: only!.unit_amount / 100 }
      : {
          category,
          ticketTypes: ticketTypes.map(({ ticketType, label, unit_amount }) => ({
            ticketType,
            label,
            price: unit_amount / 100,
          })),
        };
  });
}

/** The ticket type asked for on a place of that category; the only one when none is named; null when it is not sold. */
export function priceOf(
  pricing: readonly PricedCategory[],
  category: CategoryName,
  ticketType: string | undefined,
): PricedType | null {
  const types =
    pricing.find((entry) => entry.category === category.key || entry.category === category.label)
      ?.ticketTypes ?? [];
  if (ticketType === undefined) return types.length === 1 ? types[0]! : null;
  return types.find((type) => type.ticketType === ticketType) ?? null;
}

/** The lowest price of an event, for "da 18,00 €"; null when nothing is sold. */
export function lowestPrice(pricing: readonly PricedCategory[]): number | null {
  const amounts = pricing.flatMap(({ ticketTypes }) => ticketTypes.map((type) => type.unit_amount));
  return amounts.length === 0 ? null : Math.min(...amounts);
}

/** The presale fee (diritto di prevendita) on one ticket, in cents: none on a free one. `fee` null: the event has none. */
export function feeOf(fee: Price | null, price_cents: number): number {
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
export interface PriceFacts {
  active: boolean;
  currency: string;
  unit_amount: number | null;
  type: string;
  product: { active: boolean };
}

/** Null: it can be sold. A price may be active while its product is archived; a subscription is no ticket. */
export function faultOf(price: PriceFacts): PriceFault | null {
  if (!price.active) return 'inactive';
  if (!price.product.active) return 'product_inactive';
  if (price.currency !== 'eur') return 'not_eur';
  if (price.unit_amount === null) return 'no_amount';
  return price.type === 'one_time' ? null : 'recurring';
}
