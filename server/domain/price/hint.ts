/** Whether one ticket more makes a cart cheaper (RULES P6). */
import { priceCart } from './cart.ts';
import type { CartTicket, PriceFacts, PriceRule } from './rule.ts';

/** One more of these tickets, and what the cart then costs. */
export interface PriceHint {
  category: string;
  ticket_type: string;
  total_cents: number;
}

/** Larger carts get no hint, because each kind of ticket is reckoned anew. */
export const mostHinted = 20;

/** The one more ticket of a kind in the cart that lowers its total most; null: none does. */
export function hintFor(
  rules: readonly PriceRule[],
  cart: readonly CartTicket[],
  facts: PriceFacts,
): PriceHint | null {
  if (rules.length === 0 || cart.length === 0 || cart.length > mostHinted) return null;
  const kinds = new Map(
    cart
      .filter(({ whole }) => whole === null)
      .map((ticket) => [JSON.stringify([ticket.category, ticket.ticket_type]), ticket]),
  );
  let least = priceCart(rules, cart, facts).total_cents;
  let found: PriceHint | null = null;
  for (const more of kinds.values()) {
    const { total_cents } = priceCart(rules, [...cart, { ...more }], facts);
    if (total_cents >= least) continue;
    least = total_cents;
    found = { category: more.category, ticket_type: more.ticket_type, total_cents };
  }
  return found;
}
