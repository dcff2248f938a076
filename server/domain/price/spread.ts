/** The prices of tickets whose fate is decided: sums are spread to the cent, with reasons. */
import { shareOut } from './share.ts';
import { cutPrice, takenOff } from './adding.ts';
import type { Fate } from './fate.ts';
import { noFees, type Fees } from './fees.ts';
import type { CartTicket, EveryRule, PriceRule, UsingRule } from './rule.ts';

/** Why a ticket does not cost its list price: what one rule, or `tooLittle`, takes off it. */
export interface PriceReason {
  rule_id: string;
  name: string;
  off_cents: number;
  /** Only of an agreement: its card is shown at the door. */
  kind?: 'convention';
}

/** `price_cents` is without the fees, which a ticket at zero does not bear. */
export interface PricedTicket extends Fees {
  list_cents: number;
  price_cents: number;
  reasons: readonly PriceReason[];
}

/** `own`: all tickets that one rule uses, or those that none uses, from the dearest down. */
export function pricesOf(
  rule: UsingRule | null,
  own: readonly Fate[],
): Map<CartTicket, PricedTicket> {
  const groups = groupsOf(rule, own);
  return new Map(
    groups.flatMap(({ fates, sum }) => {
      const prices =
        sum === null ? fates.map((fate) => ownPrice(fate)) : shareOfEach(sum, fates.map(weightOf));
      return fates.map((fate, at) => [fate.ticket, lineOf(fate, prices[at]!)] as const);
    }),
  );
}

/** What a ticket costs that shares with no other. */
function ownPrice({ ticket, rule, role, addition }: Fate): number {
  const cut = rule === null ? ticket.list_cents : cutPrice(rule, role, ticket);
  return Math.max(0, cut - addition.off_cents);
}

function weightOf({ ticket, addition }: Fate): number {
  return Math.max(0, ticket.list_cents - addition.off_cents);
}

interface Group {
  fates: readonly Fate[];
  /** What they cost together; null: each has a price of its own. */
  sum: number | null;
}

function groupsOf(rule: UsingRule | null, own: readonly Fate[]): Group[] {
  if (rule?.kind === 'package') {
    const size = rule.parts.reduce((sum, part) => sum + part.count, 0);
    const off = own.reduce((sum, { addition }) => sum + addition.off_cents, 0);
    return [{ fates: own, sum: (own.length / size) * rule.price_cents - off }];
  }
  if (rule?.kind !== 'every' || !rule.spread) return [{ fates: own, sum: null }];
  return roundsOf(rule, own).map((fates) => ({
    fates,
    sum: fates.some(({ role }) => role === 'reduced')
      ? fates.reduce((sum, fate) => sum + ownPrice(fate), 0)
      : null,
  }));
}

/**
 * The tickets that share a sum: each round from the dearest down, or, where the cheapest of all
 * are reduced, as many of the cheapest as make whole groups; the dearest are left over.
 */
function roundsOf({ n, k, grouped }: EveryRule, own: readonly Fate[]): Fate[][] {
  if (grouped === 'best')
    return Array.from({ length: Math.ceil(own.length / n) }, (_, nth) =>
      own.slice(nth * n, (nth + 1) * n),
    );
  const reduced = own.filter(({ role }) => role === 'reduced').length;
  const left = own.length - (reduced / k) * n;
  return [own.slice(0, left), own.slice(left)].filter((fates) => fates.length > 0);
}

/** Nothing would have no fee: each ticket bears a cent at least. */
function shareOfEach(sum: number, weights: readonly number[]): number[] {
  const shares = shareOut(sum, weights);
  if (shares.every((share) => share > 0) || sum < weights.length) return shares;
  return shareOut(sum - weights.length, weights).map((share) => share + 1);
}

function lineOf({ ticket, rule, addition }: Fate, price_cents: number): PricedTicket {
  const { list_cents } = ticket;
  let left = list_cents - price_cents;
  const reasons: PriceReason[] = [];
  const note = (by: PriceRule, cents: number) => {
    const off_cents = Math.min(left, cents);
    left -= off_cents;
    if (off_cents <= 0) return;
    const kind = by.kind === 'convention' ? { kind: by.kind } : {};
    reasons.push({ rule_id: by.id, name: by.name, off_cents, ...kind });
  };
  for (const adding of addition.rules) note(adding, takenOff(adding, ticket));
  if (rule !== null) note(rule, left);
  const { fee_cents, service_cents } = price_cents > 0 ? ticket : noFees;
  return { list_cents, price_cents, fee_cents, service_cents, reasons };
}
