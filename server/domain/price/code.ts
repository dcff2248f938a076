/** Codes that open a price rule for a buyer (RULES P7). */

export const codeLimitBounds = { min: 1, max: 100_000 };
export const longestHolder = 200;
/** The most codes that are made in one call. */
export const mostCodesAtOnce = 1_000;
/** The most codes of one rule. */
export const mostCodesOfRule = 20_000;
/** The most codes that one order may use. */
export const mostCodesAnOrder = 3;
/** The most agreements that one order may use. */
export const mostConventionsAnOrder = 1;

/** Null: no limit. A day is one of Rome; the address is the buyer's mail. */
export interface CodeLimits {
  most_orders: number | null;
  most_tickets: number | null;
  most_orders_a_day: number | null;
  most_orders_an_address: number | null;
}
