/** Codes that open a price rule for a buyer (RULES P7). */
import {
  isInForce,
  isUsing,
  type CodeRule,
  type PriceFacts,
  type PriceRule,
  type UsingRule,
} from './rule.ts';

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

/** What an order takes of a code: the tickets that its rule made cheaper. */
export interface CodeClaim {
  code_id: string;
  tickets: number;
}

type Uses = Pick<CodeLimits, 'most_orders' | 'most_tickets'> & {
  orders_used: number;
  tickets_used: number;
};

/** True once no order can use the code any more, whatever the day and the address. */
export function isUsedUp({ most_orders, most_tickets, orders_used, tickets_used }: Uses): boolean {
  return (
    (most_orders !== null && orders_used >= most_orders) ||
    (most_tickets !== null && tickets_used >= most_tickets)
  );
}

/** Whether a rule counts only for buyers who typed one of its codes. */
export function takesCodes(rule: PriceRule): rule is UsingRule | CodeRule {
  return rule.kind === 'code' || (isUsing(rule) && rule.opened_by_code === true);
}

/** Whether a code may open a rule in this sale. */
export function hasCodeRule(
  rules: readonly PriceRule[],
  sale: Pick<PriceFacts, 'now' | 'channel'>,
): boolean {
  return rules.some((rule) => takesCodes(rule) && isInForce(rule, { ...sale, opened: [rule.id] }));
}
