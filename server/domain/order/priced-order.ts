/** The prices of a planned order under its event's rules, and what the order keeps of them. */
import { priceCart } from '#server/domain/price/cart.ts';
import type { Fees } from '#server/domain/price/fees.ts';
import {
  isInForce,
  type CartTicket,
  type PriceFacts,
  type PriceRule,
} from '#server/domain/price/rule.ts';
import type { CodeClaim } from '#server/domain/price/code.ts';
import { saleConventionsOf } from '#server/domain/price/sale-rule.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { PriceReason } from '#server/domain/price/spread.ts';
import type { PlannedLine, PlannedOrder } from './order.ts';

/** What made an order's prices: its refunds are reckoned by the same rules (RULES R7). */
export interface PricedBy {
  rules: readonly PriceRule[];
  facts: PriceFacts;
  /** The codes that made it cheaper; left out: none. */
  codes?: readonly CodeClaim[];
  /**
   * What each line bears where it is paid, by position: all, and the service commission in it.
   * Left out: the event had no surcharges, or it was sold before 1.5.0.
   */
  bears?: readonly (readonly [number, number])[];
}

/** A code, and the rule that it opened for this order. */
export interface OpenedBy {
  code_id: string;
  rule_id: string;
}

/** A ticket as rules see it. */
export function cartTicket(
  line: Pick<PlannedLine, 'category' | 'ticket_type' | 'object_label' | 'whole_size'> & Fees,
  list_cents: number,
): CartTicket {
  const { category, ticket_type, fee_cents, service_cents, whole_size, object_label } = line;
  const whole = whole_size > 0 ? object_label : null;
  return { category, ticket_type, list_cents, fee_cents, service_cents, whole };
}

interface Ruling {
  rules: readonly PriceRule[];
  facts: PriceFacts;
  /** In the order in which they were typed. */
  codes?: readonly OpenedBy[];
}

/**
 * The order with the cheapest lawful prices and what it bears once; only rules in force are kept
 * with it.
 * @throws Refusal too_many_seats for more tickets than saved rules were checked for
 */
export function underRules<Plan extends PlannedOrder>(
  plan: Plan,
  { rules, facts, codes = [] }: Ruling,
): Plan {
  const inForce = rules.filter((rule) => isInForce(rule, facts));
  const cart = plan.lines.map((line) => cartTicket(line, line.price_cents));
  const { lines, ...sums } = ruledCart(inForce, cart, facts);
  if (inForce.length === 0)
    return { ...plan, ...sums, lines: plan.lines.map((line, at) => withFees(line, lines[at]!)) };
  const bears = bearsOf(plan, facts);
  const claims = claimsOf(lines, codes);
  return {
    ...plan,
    ...sums,
    priced_by: JSON.stringify({
      rules: inForce,
      facts,
      ...(bears !== null && { bears }),
      ...(claims.length > 0 && { codes: claims }),
    } satisfies PricedBy),
    lines: plan.lines.map((line, at) => {
      const { list_cents, price_cents, reasons } = lines[at]!;
      const price_reasons = reasons.length === 0 ? null : JSON.stringify(reasons);
      return { ...withFees(line, lines[at]!), list_cents, price_cents, price_reasons };
    }),
  };
}

/** Null: the event has no surcharges. */
function bearsOf({ lines }: PlannedOrder, { per_order }: PriceFacts): PricedBy['bears'] | null {
  if (per_order === undefined && lines.every(({ fee_cents }) => fee_cents === 0)) return null;
  return lines.map(({ fee_cents, service_cents }) => [fee_cents, service_cents] as const);
}

function withFees(line: PlannedLine, { fee_cents, service_cents }: Fees): PlannedLine {
  return { ...line, fee_cents, service_cents };
}

/** Of two codes that open one rule only the first is used. */
function claimsOf(
  lines: readonly { reasons: readonly PriceReason[] }[],
  codes: readonly OpenedBy[],
): CodeClaim[] {
  return codes
    .filter(({ rule_id }, at) => codes.findIndex((code) => code.rule_id === rule_id) === at)
    .map(({ code_id, rule_id }) => ({
      code_id,
      tickets: lines.filter((line) => line.reasons.some((why) => why.rule_id === rule_id)).length,
    }))
    .filter(({ tickets }) => tickets > 0);
}

/** Tables sold whole may make an order of more tickets than the bound of the states allows. */
function ruledCart(...asked: Parameters<typeof priceCart>): ReturnType<typeof priceCart> {
  try {
    return priceCart(...asked);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('too_many_seats');
    throw error;
  }
}

/**
 * The agreements that a buyer chose, by id.
 * @throws Refusal convention_unknown
 */
export function chosenConventions(
  rules: readonly PriceRule[],
  sale: Omit<PriceFacts, 'opened'>,
  asked: readonly string[],
): readonly string[] {
  const known = new Set(saleConventionsOf(rules, sale).map(({ id }) => id));
  if (asked.some((id) => !known.has(id)))
    throw new Refusal('convention_unknown', { fields: ['conventions'] });
  return asked;
}

export function reasonsOf(line: { price_reasons: string | null }): PriceReason[] {
  return line.price_reasons === null ? [] : (JSON.parse(line.price_reasons) as PriceReason[]);
}

/** Names of the agreements under which a line was sold. */
export function conventionsOf(line: { price_reasons: string | null }): string[] {
  return reasonsOf(line)
    .filter(({ kind }) => kind === 'convention')
    .map(({ name }) => name);
}

/** The codes that an order uses. */
export function codeClaimsOf(order: { priced_by: string | null }): readonly CodeClaim[] {
  return pricedByOf(order)?.codes ?? [];
}

export function pricedByOf(order: { priced_by: string | null }): PricedBy | null {
  return order.priced_by === null ? null : (JSON.parse(order.priced_by) as PricedBy);
}

/** What lines that are told together cost by the price list, null where no rule lowered them. */
export function loweringOf(
  lines: readonly {
    list_cents: number | null;
    price_cents: number;
    price_reasons: string | null;
  }[],
): { list_cents: number | null; lowered_by: string[] } {
  const lowered_by = [...new Set(lines.flatMap(reasonsOf).map(({ name }) => name))];
  const list = lines.reduce((sum, line) => sum + (line.list_cents ?? line.price_cents), 0);
  return { list_cents: lowered_by.length === 0 ? null : list, lowered_by };
}
