/** How an event sells objects whole: which tables, and by category how (RULES S8). */
import type { PricedPer } from '#server/domain/price/price-bounds.ts';

export const tableModes = ['INHERIT', 'ALL_BY_TABLE', 'ALL_BY_SEAT', 'CUSTOM'] as const;
export const tableWays = ['BY_TABLE', 'BY_SEAT'] as const;

/** Which tables an event sells whole, in the seat map's own words; `tables` only with CUSTOM. */
export interface TableBooking {
  mode: (typeof tableModes)[number];
  tables?: Record<string, (typeof tableWays)[number]> | undefined;
}

/**
 * How the whole objects of a category are sold. `places`: how many a booth has, because its
 * drawing does not say. `minimum`: the least places that are paid; missing: all of them.
 */
export interface WholeCategory {
  places?: number | undefined;
  minimum?: number | undefined;
  price_per?: PricedPer | undefined;
}

/** `categories` by category key. */
export interface WholeTerms {
  tables: TableBooking;
  categories: Record<string, WholeCategory>;
}

/** Null for an event made before 1.2.0, whose objects sold whole have one place each. */
export function wholeTermsOf({ whole_terms }: { whole_terms: string | null }): WholeTerms | null {
  return whole_terms === null ? null : (JSON.parse(whole_terms) as WholeTerms);
}
