/**
 * The one place where a price is made for a person who buys (RULES P6): chart, list, cart, booking,
 * till, quote and refund ask it.
 */
import { additionAlone, addingOf } from './adding.ts';
import { cheapest } from './cheapest.ts';
import type { Bundle, Fate } from './fate.ts';
import { addFees, noFees, type Fees } from './fees.ts';
import { withoutTooLittle } from './least-online.ts';
import { pricesOf, type PricedTicket } from './spread.ts';
import { withOrderFees } from './order-fees.ts';
import { withinList } from './within-list.ts';
import { requireValue } from '#server/domain/require-value.ts';
import {
  isInForce,
  isInScope,
  isUsing,
  type CartTicket,
  type PriceFacts,
  type PriceRule,
  type UsingRule,
} from './rule.ts';

export interface PricedCart extends Fees {
  /** In the order of the cart. */
  lines: readonly PricedTicket[];
  /** Prices and fees. */
  total_cents: number;
}

/**
 * The cheapest lawful total of a cart, and how each ticket takes part in it; the order of tickets
 * and rules does not matter.
 * @throws RangeError for rules that would have been refused when saved
 */
export function priceCart(
  rules: readonly PriceRule[],
  cart: readonly CartTicket[],
  facts: PriceFacts,
): PricedCart {
  const inForce = rules
    .filter((rule) => isInForce(rule, facts) && isEnough(rule, cart))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const adding = addingOf(inForce);
  const fates = partsOf(bundlesOf(cart), inForce.filter(isUsing)).flatMap((part) =>
    part.rules.length === 0
      ? part.bundles.flat().map((ticket) => fateAlone(ticket, adding))
      : cheapest(part.bundles, part.rules, adding),
  );
  const priced = new Map<CartTicket, PricedTicket>();
  for (const rule of new Set(fates.map((fate) => fate.rule))) {
    const own = fates.filter((fate) => fate.rule === rule);
    for (const [ticket, line] of pricesOf(rule, own)) priced.set(ticket, line);
  }
  const cheapestLines = cart.map((ticket) => requireValue(priced.get(ticket), 'price'));
  // What the order bears once is the same in every way of paying, so it decides nothing.
  const charged = withOrderFees(withinList(cheapestLines), facts.per_order ?? noFees);
  const lines = withoutTooLittle(charged, facts);
  const fees = addFees(lines);
  const price_cents = lines.reduce((sum, line) => sum + line.price_cents, 0);
  return { lines, ...fees, total_cents: price_cents + fees.fee_cents };
}

/** Whether the cart is worth what a rule asks for. */
function isEnough(rule: PriceRule, cart: readonly CartTicket[]): boolean {
  if (rule.kind !== 'every' || rule.least_cents === null) return true;
  const own = cart.filter((ticket) => isInScope(rule, ticket));
  return own.reduce((sum, { list_cents }) => sum + list_cents, 0) >= rule.least_cents;
}

function fateAlone(ticket: CartTicket, adding: ReturnType<typeof addingOf>): Fate {
  const addition = requireValue(additionAlone(adding, [], ticket), 'addition');
  return { ticket, rule: null, role: 'base', addition };
}

/** Each ticket by itself, or all places of an object sold whole; the dearest first. */
function bundlesOf(cart: readonly CartTicket[]): Bundle[] {
  const single = cart.filter(({ whole }) => whole === null).map((ticket) => [ticket]);
  const objects = new Set(cart.flatMap(({ whole }) => whole ?? []));
  const whole = [...objects].map((name) => cart.filter((ticket) => ticket.whole === name));
  const bundles = [...single, ...whole].map((bundle) => bundle.toSorted(byPrice));
  return bundles.toSorted((a, b) => meanOf(b) - meanOf(a) || byPrice(a[0]!, b[0]!));
}

function meanOf(bundle: Bundle): number {
  return bundle.reduce((sum, { list_cents }) => sum + list_cents, 0) / bundle.length;
}

/** Of tickets at one price, names decide which counts as the cheaper one. */
function byPrice(a: CartTicket, b: CartTicket): number {
  const nameOf = (ticket: CartTicket) => `${ticket.category}|${ticket.ticket_type}|${ticket.whole}`;
  return b.list_cents - a.list_cents || (nameOf(a) < nameOf(b) ? -1 : 1);
}

interface Part {
  rules: UsingRule[];
  bundles: Bundle[];
}

/** Rules that may want the same ticket are weighed together; other tickets have no part in it. */
function partsOf(bundles: readonly Bundle[], rules: readonly UsingRule[]): Part[] {
  let parts: Part[] = [];
  for (const bundle of bundles) {
    const own = rules.filter((rule) => bundle.every((ticket) => isInScope(rule, ticket)));
    const touched = parts.filter((part) => part.rules.some((rule) => own.includes(rule)));
    const merged = {
      rules: rules.filter(
        (rule) => own.includes(rule) || touched.some((part) => part.rules.includes(rule)),
      ),
      bundles: [...touched.flatMap((part) => part.bundles), bundle],
    };
    parts = [...parts.filter((part) => !touched.includes(part)), merged];
  }
  return parts.map((part) => ({
    ...part,
    bundles: bundles.filter((bundle) => part.bundles.includes(bundle)),
  }));
}
