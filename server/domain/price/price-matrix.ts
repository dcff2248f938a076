/**
 * Prices as a table of sectors and ticket types: read from an event's pricing, and turned back
 * into it.
 */
import { pricingInPhase, type PricePhase } from './phase.ts';
import type { CategoryPricing } from './pricing.ts';

interface MatrixType {
  /** The name of the type in orders. */ ticketType: string;
  label: string;
}

/**
 * `not_sold`: the office marked the sector as not sold; `unsaid`: the office has not decided
 * about it yet.
 */
type SectorState = 'sold' | 'not_sold' | 'unsaid';

/**
 * The ticket types of all sectors, each once; a type that an earlier sector lacks is inserted
 * after the type before it.
 */
export function typesOf(pricing: readonly CategoryPricing[]): MatrixType[] {
  const types: MatrixType[] = [];
  for (const { ticketTypes } of pricing) {
    let after = -1;
    for (const { ticketType, label } of ticketTypes) {
      const known = types.findIndex((type) => type.ticketType === ticketType);
      if (known < 0) types.splice(after + 1, 0, { ticketType, label });
      after = known < 0 ? after + 1 : known;
    }
  }
  return types;
}

export function stateOf(entry: CategoryPricing | undefined): SectorState {
  if (entry === undefined) return 'unsaid';
  return entry.ticketTypes.length > 0 ? 'sold' : 'not_sold';
}

/** The entry of a sector, which may name it by its key or by its label. */
export function entryOfSector(
  pricing: readonly CategoryPricing[],
  sector: { category: string; category_key: string },
): CategoryPricing | undefined {
  return pricing.find(
    ({ category }) => category === sector.category || category === sector.category_key,
  );
}

/** Sectors of the hall without a price that the office has not marked as not sold. */
export function sectorsUnsaid(
  pricing: readonly CategoryPricing[],
  hall: readonly { category: string; category_key: string }[],
): string[] {
  return hall
    .filter((sector) => stateOf(entryOfSector(pricing, sector)) === 'unsaid')
    .map(({ category }) => category);
}

interface TypedSector {
  category: string;
  not_sold: boolean;
  cells: readonly { ticketType: string; price_id: string }[];
}

/**
 * The pricing of a typed table. An unsaid sector without cells is left out, and every gate stays.
 */
export function pricingOfMatrix(
  { types, sectors }: { types: readonly MatrixType[]; sectors: readonly TypedSector[] },
  before: readonly CategoryPricing[],
): CategoryPricing[] {
  return sectors.flatMap(({ category, not_sold, cells }) => {
    if (!not_sold && cells.length === 0) return [];
    const gate = before.find((entry) => entry.category === category)?.gate;
    const ticketTypes = types.flatMap((type) => {
      const cell = cells.find(({ ticketType }) => ticketType === type.ticketType);
      return cell === undefined ? [] : [{ price_id: cell.price_id, ...type }];
    });
    return [{ category, ticketTypes, ...(gate ? { gate } : {}) }];
  });
}

interface Named {
  title: string;
  seat_pricing: readonly CategoryPricing[];
  price_phases: readonly PricePhase[] | null;
  fee_price_id: string | null;
}

/** The most characters of a product's name, so that the office can still read it. */
const longestName = 250;

export function productName(title: string, sold: string): string {
  return `${title} · ${sold}`.slice(0, longestName);
}

/** "Platea, Intero", in a phase "Platea, Intero (Prima settimana)". */
export function soldName(category: string, label: string, phase?: string): string {
  return `${category}, ${label}${phase === undefined ? '' : ` (${phase})`}`;
}

export const feeName = 'Diritto di prevendita';

/** The product name at the checkout by price id: "La locandiera · Platea, Intero". */
export function productNames(named: Named): Map<string, string> {
  const { title, seat_pricing, price_phases, fee_price_id } = named;
  const names = new Map<string, string>();
  const nameAll = (pricing: readonly CategoryPricing[], phase?: string) => {
    for (const { category, ticketTypes } of pricing)
      for (const { price_id, label } of ticketTypes)
        if (!names.has(price_id))
          names.set(price_id, productName(title, soldName(category, label, phase)));
  };
  nameAll(seat_pricing);
  for (const phase of price_phases ?? []) nameAll(pricingInPhase(seat_pricing, phase), phase.name);
  if (fee_price_id !== null) names.set(fee_price_id, productName(title, feeName));
  return names;
}
