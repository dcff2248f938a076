/**
 * Price rules: what lowers the list price of tickets in one cart (RULES P6). A rule that *uses*
 * tickets takes each for itself; a rule that *adds* takes a part of a ticket's list price.
 */
import type { Fees } from './fees.ts';

export const saleChannels = ['site', 'till'] as const;
export type SaleChannel = (typeof saleChannels)[number];

/** Which tickets a rule is about, where and when; null: all, or no limit. */
export interface RuleScope {
  /** Labels of the chart's categories. */
  categories: readonly string[] | null;
  ticket_types: readonly string[] | null;
  channels: readonly SaleChannel[] | null;
  /** UTC milliseconds, the first moment and the moment after the last. */
  from: number | null;
  until: number | null;
}

interface RuleBase {
  id: string;
  /** Italian, as buyers and the office read it: "3x2". */
  name: string;
  scope: RuleScope;
  /** Whether it and another rule that says so may lower the price of the same ticket. */
  meets: boolean;
  /** A rule of another kind than `code` that counts only for buyers who opened it by a code. */
  opened_by_code?: boolean;
}

/** Of every `n` tickets the `k` cheapest cost at most `price_cents`; 0: they are free. */
export interface EveryRule extends RuleBase {
  kind: 'every';
  n: number;
  k: number;
  price_cents: number;
  /**
   * `cheapest`: the cheapest of all tickets in scope; `best`: the buyer leaves out what does not
   * pay, and groups are made from the dearest down.
   */
  grouped: 'cheapest' | 'best';
  /** Whether the sum is spread over the tickets of a group, or some of them cost nothing. */
  spread: boolean;
  /** The least sum of the list prices in scope; null: none. */
  least_cents: number | null;
  /** How often it may be used in one cart. */
  most: number;
}

/** At most four kinds of tickets that together cost one price. */
export interface PackageRule extends RuleBase {
  kind: 'package';
  parts: readonly { ticket_types: readonly string[]; count: number }[];
  price_cents: number;
  /** How often it may be used in one cart. */
  most: number;
}

/** From so many tickets on, each costs less; a companion is free for every `free_every` paying. */
export interface GroupRule extends RuleBase {
  kind: 'group';
  from_places: number;
  /** Exactly one of the two is set. */
  percent: number | null;
  price_cents: number | null;
  free_every: number | null;
}

interface AddingBase extends RuleBase {
  /** Exactly one of the two is set; taken off each ticket's list price. */
  percent: number | null;
  off_cents: number | null;
}

export interface CodeRule extends AddingBase {
  kind: 'code';
}

/** An agreement: its name says which card is shown at the door. */
export interface ConventionRule extends AddingBase {
  kind: 'convention';
}

export type UsingRule = EveryRule | PackageRule | GroupRule;
export type AddingRule = CodeRule | ConventionRule;
export type PriceRule = UsingRule | AddingRule;

/** One ticket of a cart at its list price; its fees are added where the price is not 0. */
export interface CartTicket extends Fees {
  category: string;
  ticket_type: string;
  list_cents: number;
  /** The object sold whole of which it is a place: a rule uses all of its places or none. */
  whole: string | null;
}

/** What a price depends on beside the rules and the cart. */
export interface PriceFacts {
  now: number;
  channel: SaleChannel;
  /** Rules that this buyer has opened, by a code or as a convention; by id. */
  opened: readonly string[];
  /** What the order bears once, where something of it is paid; left out: nothing. */
  per_order?: Fees;
}

export function isUsing(rule: PriceRule): rule is UsingRule {
  return rule.kind !== 'code' && rule.kind !== 'convention';
}

/** Whether it counts only for buyers who opened it. */
export function isOpenedRule(rule: PriceRule): boolean {
  return !isUsing(rule) || rule.opened_by_code === true;
}

/** Whether a rule counts in this sale at all, whatever the cart holds. */
export function isInForce(rule: PriceRule, facts: PriceFacts): boolean {
  const { id, scope } = rule;
  return (
    (!isOpenedRule(rule) || facts.opened.includes(id)) &&
    (scope.channels === null || scope.channels.includes(facts.channel)) &&
    (scope.from === null || facts.now >= scope.from) &&
    (scope.until === null || facts.now < scope.until)
  );
}

/** A free ticket counts for no rule. */
export function isInScope({ scope }: PriceRule, ticket: CartTicket): boolean {
  return (
    ticket.list_cents > 0 &&
    (scope.categories === null || scope.categories.includes(ticket.category)) &&
    (scope.ticket_types === null || scope.ticket_types.includes(ticket.ticket_type))
  );
}
