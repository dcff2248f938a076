/** The trial box: what a typed cart costs under the rules of a date, at any moment. */
import { hallCategories } from '#db/payment/made-prices.ts';
import type { EventRow } from '#db/rows.ts';
import { priceCart } from '#server/domain/price/cart.ts';
import { priceOf, type PricedCategory } from '#server/domain/price/pricing.ts';
import {
  isInForce,
  type CartTicket,
  type EveryRule,
  type PriceFacts,
  type PriceRule,
  type SaleChannel,
} from '#server/domain/price/rule.ts';
import { wordsOfReason } from '#server/domain/price/rule-words.ts';
import type { PricedTicket } from '#server/domain/price/spread.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { knownEvent } from './events.ts';
import { rulesNow } from './price-rules.ts';
import { offerAt } from './prices.ts';

interface Trial {
  tickets: readonly { category: string; ticket_type: string; quantity: number }[];
  at: number;
  channel: SaleChannel;
  /** Ids of rules that the buyer has opened. */
  opened?: readonly string[];
}

/** @throws Refusal event_not_found, rules_too_many, rule_names_unknown, provider_silent */
export async function tryRules(ctx: Ctx, event_id: string, { opened = [], ...trial }: Trial) {
  const { tickets, at, channel } = trial;
  const event = await knownEvent(ctx, event_id);
  const { pricing, per_order } = await offerAt(ctx, event, { at, channel });
  const listed = await listedTickets(ctx, pricing, { event, tickets });
  const cart = listed.map(({ ticket }) => ticket);
  const facts: PriceFacts = { now: at, channel, opened, per_order };
  const rules = (await rulesNow(ctx, event)).filter((rule) => isInForce(rule, facts));
  const { lines, fee_cents, service_cents, total_cents } = priceCart(rules, cart, facts);
  return {
    list_cents: priceCart([], cart, facts).total_cents,
    fee_cents,
    service_cents,
    total_cents,
    lines: together(
      lines.map((line, nth) => ({ ...requireValue(listed[nth], 'ticket'), line })),
      rules,
    ),
    groupings: rules.flatMap((rule) =>
      rule.kind === 'every' ? groupingOf(rule, { rules, cart, facts }) : [],
    ),
  };
}

interface Listed {
  ticket: CartTicket;
  label: string;
}

/** Each ticket at its list price. @throws Refusal rule_names_unknown */
async function listedTickets(
  ctx: Ctx,
  pricing: readonly PricedCategory[],
  { event, tickets }: { event: EventRow; tickets: Trial['tickets'] },
): Promise<Listed[]> {
  const hall = await hallCategories(ctx.db, [event.id]);
  return tickets.flatMap(({ category, ticket_type, quantity }) => {
    const key = hall.find((sector) => sector.category === category)?.category_key ?? category;
    const listed = listedTicket(pricing, { key, label: category }, ticket_type);
    return Array.from({ length: quantity }, () => ({ ...listed, ticket: { ...listed.ticket } }));
  });
}

function listedTicket(
  pricing: readonly PricedCategory[],
  category: { key: string; label: string },
  ticket_type: string,
): Listed {
  const type = priceOf(pricing, category, ticket_type);
  if (type === null) throw new Refusal('rule_names_unknown', { names: [ticket_type] });
  const { unit_amount: list_cents, fee_cents, service_cents, label } = type;
  return {
    label,
    ticket: {
      category: category.label,
      ticket_type,
      list_cents,
      fee_cents,
      service_cents,
      whole: null,
    },
  };
}

/** Lines that read alike, each once with how many tickets it has. */
function together(
  priced: readonly (Listed & { line: PricedTicket })[],
  rules: readonly PriceRule[],
) {
  const told = priced.map(({ ticket, label, line: { list_cents, price_cents, reasons } }) => ({
    category: ticket.category,
    label,
    list_cents,
    price_cents,
    reasons: reasons.map((reason) => ({
      rule_id: reason.rule_id,
      words: requireValue(wordsOfReason(rules, reason, price_cents), 'rule'),
      off_cents: reason.off_cents,
    })),
  }));
  const alike = Map.groupBy(told, (line) => JSON.stringify(line));
  return [...alike.values()].map((lines) => ({
    ...requireValue(lines[0], 'line'),
    quantity: lines.length,
  }));
}

interface Tried {
  rules: readonly PriceRule[];
  cart: readonly CartTicket[];
  facts: PriceFacts;
}

/** The total with either way to group a rule's tickets, the other rules as they are. */
function groupingOf(rule: EveryRule, { rules, cart, facts }: Tried) {
  const totalWith = (grouped: EveryRule['grouped']) =>
    priceCart(
      rules.map((other) => (other === rule ? { ...rule, grouped } : other)),
      cart,
      facts,
    ).total_cents;
  return {
    rule_id: rule.id,
    name: rule.name,
    grouped: rule.grouped,
    cheapest_cents: totalWith('cheapest'),
    best_cents: totalWith('best'),
  };
}
