/** The rules that count in a sale of this moment, as a page gets them to reckon with (RULES P6). */
import {
  isInForce,
  isUsing,
  type CodeRule,
  type ConventionRule,
  type EveryRule,
  type GroupRule,
  type PackageRule,
  type PriceFacts,
  type PriceRule,
  type RuleScope,
  type SaleChannel,
  type UsingRule,
} from './rule.ts';

interface SaleScope {
  categories: string[] | null;
  ticket_types: string[] | null;
}

type Sold<Rule extends PriceRule> = Omit<Rule, 'scope'> & { scope: SaleScope };

/** A rule in force: the server has looked at its channels and times, so that no clock is asked. */
export type UsingSaleRule =
  | Sold<EveryRule>
  | (Omit<Sold<PackageRule>, 'parts'> & { parts: { ticket_types: string[]; count: number }[] })
  | Sold<GroupRule>;
export type SaleConvention = Sold<ConventionRule>;
/** A rule that a code opens. */
export type OpenedSaleRule = UsingSaleRule | Sold<CodeRule>;
export type SaleRule = OpenedSaleRule | SaleConvention;

type Sale = Pick<PriceFacts, 'now' | 'channel'>;

/** The rules that count for every buyer of this channel. */
export function saleRulesOf(rules: readonly PriceRule[], sale: Sale): UsingSaleRule[] {
  const inForce = rules.filter((rule) => isInForce(rule, { ...sale, opened: [] }));
  return inForce.filter(isUsing).map(usingSaleRule);
}

/** The agreements from which a buyer of this channel may choose. */
export function saleConventionsOf(rules: readonly PriceRule[], sale: Sale): SaleConvention[] {
  return rules.flatMap((rule) =>
    rule.kind === 'convention' && isInForce(rule, { ...sale, opened: [rule.id] })
      ? { ...rule, scope: scopeOfSale(rule.scope) }
      : [],
  );
}

/** What a code has opened, for the buyer's page. */
export function openedSaleRule(rule: UsingRule | CodeRule): OpenedSaleRule {
  return rule.kind === 'code' ? { ...rule, scope: scopeOfSale(rule.scope) } : usingSaleRule(rule);
}

function usingSaleRule(rule: UsingRule): UsingSaleRule {
  const scope = scopeOfSale(rule.scope);
  if (rule.kind !== 'package') return { ...rule, scope };
  const parts = rule.parts.map(({ ticket_types, count }) => ({
    ticket_types: [...ticket_types],
    count,
  }));
  return { ...rule, scope, parts };
}

function scopeOfSale({ categories, ticket_types }: RuleScope): SaleScope {
  return {
    categories: categories && [...categories],
    ticket_types: ticket_types && [...ticket_types],
  };
}

/** The same rule as `priceCart` takes it. */
export function ruleOfSale(rule: SaleRule): PriceRule {
  return { ...rule, scope: { ...rule.scope, channels: null, from: null, until: null } };
}

/** Facts of a page: all of its rules count. */
export function factsOfSale(sale: readonly SaleRule[], channel: SaleChannel): PriceFacts {
  return { now: 0, channel, opened: sale.map(({ id }) => id) };
}
