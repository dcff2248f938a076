/** What becomes of one ticket of a cart under rules, and what it costs then (RULES P6). */
import { cutPrice, type Addition } from './adding.ts';
import type { Role } from './counting.ts';
import type { CartTicket, UsingRule } from './rule.ts';

/** Tickets that one choice is made for: one, or all places of an object sold whole. */
export type Bundle = readonly CartTicket[];

/** What becomes of one ticket: the rule that uses it, or null, and what adding rules take off. */
export interface Fate {
  ticket: CartTicket;
  rule: UsingRule | null;
  role: Role;
  addition: Addition;
}

/** What `role` of a rule makes a ticket cost, its fee included. */
export function fateCost({ ticket, rule, role, addition }: Fate): number {
  // The package's price is counted with the package.
  if (rule?.kind === 'package') return ticket.fee_cents - addition.off_cents;
  const cut = rule === null ? ticket.list_cents : cutPrice(rule, role, ticket);
  const price = Math.max(0, cut - addition.off_cents);
  const isSpread = rule?.kind === 'every' && rule.spread;
  return price + (price > 0 || isSpread ? ticket.fee_cents : 0);
}

export function fateCosts(fates: readonly Fate[]): number {
  return fates.reduce((sum, fate) => sum + fateCost(fate), 0);
}
