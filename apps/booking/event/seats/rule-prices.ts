/** What price rules make of the chosen places; fetched only for events that have rules. */
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { priceCart } from '#server/domain/price/cart.ts';
import type { CartTicket, UsingRule } from '#server/domain/price/rule.ts';
import { reasonWords } from '#server/domain/price/rule-words.ts';
import { factsOfSale, ruleOfSale } from '#server/domain/price/sale-rule.ts';
import type { PricedTicket } from '#server/domain/price/spread.ts';
import type { Choice } from './choices.ts';

/** The tickets of one choice; none where its price is unknown. */
export function ticketsOf({ object_id, sold, whole }: Choice): CartTicket[] {
  if (sold === null) return [];
  const { category, ticket_type, fee_cents, places_cents } = sold;
  return places_cents.map((list_cents) => ({
    category,
    ticket_type,
    list_cents,
    fee_cents: list_cents > 0 ? fee_cents : 0,
    whole: whole === null ? null : object_id,
  }));
}

/** The choices at the cheapest lawful prices, each with what lowered it. */
export function pricedByRules(
  choices: readonly Choice[],
  sale: EventReply['price_rules'],
): Choice[] {
  const rules = sale.map(ruleOfSale);
  const tickets = choices.map(ticketsOf);
  const { lines } = priceCart(rules, tickets.flat(), factsOfSale);
  let at = 0;
  return choices.map((choice, nth) => {
    const from = at;
    at += tickets[nth]!.length;
    return lowered(choice, lines.slice(from, at), rules);
  });
}

function lowered(
  choice: Choice,
  lines: readonly PricedTicket[],
  rules: readonly UsingRule[],
): Choice {
  const reasons = lines.flatMap(({ reasons: why, price_cents }) =>
    why.flatMap(({ rule_id }) => {
      const rule = rules.find(({ id }) => id === rule_id);
      return rule === undefined ? [] : [reasonWords(rule, price_cents)];
    }),
  );
  if (reasons.length === 0) return choice;
  const sumOf = (part: 'price_cents' | 'fee_cents') =>
    lines.reduce((sum, line) => sum + line[part], 0);
  return {
    ...choice,
    cents: sumOf('price_cents') + sumOf('fee_cents'),
    fee_cents: sumOf('fee_cents'),
    list_cents: choice.cents,
    reason: [...new Set(reasons)].join('; '),
  };
}
