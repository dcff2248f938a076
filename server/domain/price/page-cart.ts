/** A cart as a page reckons it: what each of its lines costs under the rules of now, and why. */
import { priceCart } from './cart.ts';
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
  fee_cents: number;
  /** The object sold whole of which they are the places. */
  whole: string | null;
}

export interface LinePriced {
  /** Of all its tickets, fees included. */
  cents: number;
  fee_cents: number;
  /** Italian; null: no rule lowers it. */
  reason: string | null;
}

export function ticketsOfLine({ places_cents, fee_cents, ...kind }: LineAsked): CartTicket[] {
  return places_cents.map((list_cents) => ({
    ...kind,
    list_cents,
    fee_cents: list_cents > 0 ? fee_cents : 0,
  }));
}

export function priceLines(
  asked: readonly LineAsked[],
  sale: readonly SaleRule[],
  channel: SaleChannel,
): LinePriced[] {
  const rules = sale.map(ruleOfSale);
  const groups = asked.map(ticketsOfLine);
  const { lines } = pricesOrList(rules, groups.flat(), factsOfSale(sale, channel));
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
  const fee_cents = tickets.reduce((sum, ticket) => sum + ticket.fee_cents, 0);
  const price_cents = tickets.reduce((sum, ticket) => sum + ticket.price_cents, 0);
  const reasons = tickets.flatMap((ticket) =>
    ticket.reasons.flatMap((reason) => wordsOfReason(rules, reason, ticket.price_cents) ?? []),
  );
  const reason = reasons.length === 0 ? null : [...new Set(reasons)].join('; ');
  return { cents: price_cents + fee_cents, fee_cents, reason };
}
