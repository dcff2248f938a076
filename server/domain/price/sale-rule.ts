/** The rules that count in a sale of this moment, as a page gets them to reckon with (RULES P6). */
import {
  isInForce,
  isUsing,
  type EveryRule,
  type GroupRule,
  type PackageRule,
  type PriceFacts,
  type PriceRule,
  type RuleScope,
  type UsingRule,
} from './rule.ts';

interface SaleScope {
  categories: string[] | null;
  ticket_types: string[] | null;
}

type Sold<Rule extends UsingRule> = Omit<Rule, 'scope'> & { scope: SaleScope };

/** A rule in force: the server has looked at its channels and times, so that no clock is asked. */
export type SaleRule =
  | Sold<EveryRule>
  | (Omit<Sold<PackageRule>, 'parts'> & { parts: { ticket_types: string[]; count: number }[] })
  | Sold<GroupRule>;

/** The rules for a page of this channel. */
export function saleRulesOf(
  rules: readonly PriceRule[],
  facts: Pick<PriceFacts, 'now' | 'channel'>,
): SaleRule[] {
  const inForce = rules.filter((rule) => isInForce(rule, { ...facts, opened: [] }));
  return inForce.filter(isUsing).map((rule) => {
    const scope = scopeOfSale(rule.scope);
    if (rule.kind !== 'package') return { ...rule, scope };
    const parts = rule.parts.map(({ ticket_types, count }) => ({
      ticket_types: [...ticket_types],
      count,
    }));
    return { ...rule, scope, parts };
  });
}

function scopeOfSale({ categories, ticket_types }: RuleScope): SaleScope {
  return {
    categories: categories && [...categories],
    ticket_types: ticket_types && [...ticket_types],
  };
}

/** The same rule as `priceCart` takes it. */
export function ruleOfSale(rule: SaleRule): UsingRule {
  return { ...rule, scope: { ...rule.scope, channels: null, from: null, until: null } };
}

/** Facts of a page: its rules ask for none. */
export const factsOfSale: PriceFacts = { now: 0, channel: 'site', opened: [] };
