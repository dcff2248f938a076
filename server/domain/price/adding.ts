/** What adding rules take off one ticket, and what a using rule makes of it (RULES P6). */
import { percentOf } from './share.ts';
import type { Role } from './counting.ts';
import {
  isInScope,
  isUsing,
  type AddingRule,
  type CartTicket,
  type PackageRule,
  type PriceRule,
  type UsingRule,
} from './rule.ts';

/** Adding rules that lower one ticket's price together, and by how much of its list price. */
export interface Addition {
  rules: readonly AddingRule[];
  off_cents: number;
}

const nothing: Addition = { rules: [], off_cents: 0 };

export function addingOf(rules: readonly PriceRule[]): AddingRule[] {
  return rules.filter((rule): rule is AddingRule => !isUsing(rule));
}

/** What a rule in scope takes off this list price. */
export function takenOff({ percent, off_cents }: AddingRule, { list_cents }: CartTicket): number {
  return Math.min(list_cents, percent === null ? (off_cents ?? 0) : percentOf(list_cents, percent));
}

/** The lawful additions: those that meet each other all together, or one by itself. */
function additionsTo(adding: readonly AddingRule[], ticket: CartTicket): Addition[] {
  const here = adding.filter((rule) => isInScope(rule, ticket));
  const together = here.filter(({ meets }) => meets);
  return [together, ...here.map((rule) => [rule])]
    .filter((rules) => rules.length > 0)
    .map((rules) => ({
      rules,
      off_cents: rules.reduce((sum, rule) => sum + takenOff(rule, ticket), 0),
    }));
}

/** The addition that takes most; of equals the one with fewer rules, then by id. */
function mostOf(additions: readonly Addition[]): Addition | null {
  const [first = null] = additions.toSorted(
    (a, b) =>
      b.off_cents - a.off_cents ||
      a.rules.length - b.rules.length ||
      (a.rules[0]!.id < b.rules[0]!.id ? -1 : 1),
  );
  return first;
}

/** The addition to a ticket that `rule` uses; one that takes the whole price stands alone. */
export function additionWith(
  adding: readonly AddingRule[],
  rule: UsingRule,
  ticket: CartTicket,
): Addition {
  if (!rule.meets) return nothing;
  const meeting = adding.filter(({ meets }) => meets);
  const lawful = additionsTo(meeting, ticket);
  const most = mostOf(lawful.filter(({ off_cents }) => off_cents < ticket.list_cents)) ?? nothing;
  return rule.kind === 'package' ? withinShare(most, rule) : most;
}

/** Of a package at most its price in equal shares, less a cent, so that each ticket still costs. */
function withinShare(addition: Addition, { parts, price_cents }: PackageRule): Addition {
  const size = parts.reduce((sum, { count }) => sum + count, 0);
  const off_cents = Math.min(addition.off_cents, Math.floor(price_cents / size) - 1);
  return off_cents > 0 ? { ...addition, off_cents } : nothing;
}

/**
 * The addition to a ticket that no rule uses. `claimed`: rules that use it unless an addition
 * takes their place, because it may not meet them or takes the whole price; null: there is none.
 */
export function additionAlone(
  adding: readonly AddingRule[],
  claimed: readonly UsingRule[],
  ticket: CartTicket,
): Addition | null {
  const lawful = additionsTo(adding, ticket).filter(
    ({ rules, off_cents }) =>
      off_cents >= ticket.list_cents ||
      claimed.every((rule) => !rule.meets || rules.some(({ meets }) => !meets)),
  );
  return mostOf(lawful) ?? (claimed.length === 0 ? nothing : null);
}

/** In cents, before additions; a package's tickets cost nothing beside the package's price. */
export function cutPrice(rule: UsingRule, role: Role, { list_cents }: CartTicket): number {
  if (rule.kind === 'package') return 0;
  if (rule.kind === 'every')
    return role === 'reduced' ? Math.min(list_cents, rule.price_cents) : list_cents;
  if (role === 'reduced') return 0;
  return rule.percent === null
    ? Math.min(list_cents, rule.price_cents ?? list_cents)
    : list_cents - percentOf(list_cents, rule.percent);
}
