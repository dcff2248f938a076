/** A cart as a page reckons it: what each of its lines costs under the rules of now, and why. */
import { priceCart } from './cart.ts';
import { addFees, noFees, type Fees } from './fees.ts';
import { feesOn, type Borne } from './surcharge.ts';
import type { CartTicket, PriceFacts, PriceRule, SaleChannel } from './rule.ts';
import { wordsOfReason } from './rule-words.ts';
import { factsOfSale, ruleOfSale, type SaleRule } from './sale-rule.ts';
import type { PricedTicket } from './spread.ts';

/** The tickets of one line, all of one kind; prices in cents. */
export interface LineAsked {
  category: string;
  ticket_type: string;
  /** Of each ticket, without the fee. */
  places_cents: readonly number[];
  /** The surcharges on each ticket. */
  bears: readonly Borne[];
  /** The object sold whole of which they are the places. */
  whole: string | null;
}

/** The fees are those of its tickets, without a part of those of the order. */
export interface LinePriced extends Fees {
  /** Of all its tickets, fees included. */
  cents: number;
  /** Italian; null: no rule lowers it. */
  reason: string | null;
}

export function ticketsOfLine({ places_cents, bears, ...kind }: LineAsked): CartTicket[] {
  return places_cents.map((list_cents) => ({ ...kind, list_cents, ...feesOn(bears, list_cents) }));
}

/** Where a page sells, and what each of its orders bears once. */
export interface PageSale {
  channel: SaleChannel;
  per_order?: Fees;
}

export function priceLines(
  asked: readonly LineAsked[],
  sale: readonly SaleRule[],
  { channel, per_order = noFees }: PageSale,
): LinePriced[] {
  const rules = sale.map(ruleOfSale);
  const groups = asked.map(ticketsOfLine);
  const facts = { ...factsOfSale(sale, channel), per_order };
  const tickets = groups.flat();
  const lines = pricesOrList(rules, tickets, facts).lines.map((line, at) => {
    const { fee_cents, service_cents } = line.price_cents > 0 ? tickets[at]! : noFees;
    return { ...line, fee_cents, service_cents };
  });
  let at = 0;
  return groups.map(({ length }) => {
    at += length;
    return lineOf(lines.slice(at - length, at), rules);
  });
}

/** A cart of more tickets than rules are checked for shows list prices: the sale refuses it. */
function pricesOrList(rules: readonly PriceRule[], cart: readonly CartTicket[], facts: PriceFacts) {
  try {
    return priceCart(rules, cart, facts);
  } catch (error) {
    if (error instanceof RangeError) return priceCart([], cart, facts);
    throw error;
  }
}

function lineOf(tickets: readonly PricedTicket[], rules: readonly PriceRule[]): LinePriced {
  const fees = addFees(tickets);
  const price_cents = tickets.reduce((sum, ticket) => sum + ticket.price_cents, 0);
  const reasons = tickets.flatMap((ticket) =>
    ticket.reasons.flatMap((reason) => wordsOfReason(rules, reason, ticket.price_cents) ?? []),
  );
  const reason = reasons.length === 0 ? null : [...new Set(reasons)].join('; ');
  return { cents: price_cents + fees.fee_cents, ...fees, reason };
}
