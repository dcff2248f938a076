/**
 * A rule that uses tickets, as a machine that reads a cart's tickets from the dearest down and
 * counts those that it takes. The states are numbers from 0, where nothing is taken yet.
 */
import type { CartTicket, EveryRule, GroupRule, PackageRule, UsingRule } from './rule.ts';

/** `base`: as the rule makes a paying ticket; `reduced`: the cheaper one; `set`: in a package. */
export const roles = ['base', 'reduced', 'set'] as const;
export type Role = (typeof roles)[number];

export interface Step {
  to: number;
  role: Role;
}

export interface Counter {
  states: number;
  /** The ways in which a ticket may be taken in a state. */
  steps: (state: number, ticket: CartTicket) => readonly Step[];
  /** What the whole costs beside its tickets if the cart ends here; null: it may not end here. */
  end: (state: number) => number | null;
}

/** `count`: how many tickets of the cart are in the rule's scope. */
export function counterOf(rule: UsingRule, count: number): Counter {
  if (rule.kind === 'package') return packageCounter(rule, count);
  if (rule.kind === 'group') return groupCounter(rule, count);
  return rule.grouped === 'best' ? roundCounter(rule, count) : everyCounter(rule, count);
}

/**
 * First so many tickets pay, then so many are reduced: state p is p paying tickets, state
 * `cap + 1 + r` is r reduced ones that are still owed. `reductions` says how many p may earn.
 */
function payingFirst(
  most: number,
  {
    reductions,
    mayEnd,
    cap,
  }: {
    reductions: (paying: number) => readonly number[];
    mayEnd: (paying: number) => boolean;
    cap: number;
  },
): Counter {
  const owed = cap + 1;
  const ways = Array.from({ length: owed }, (_, paying): readonly Step[] => [
    { to: Math.min(paying + 1, cap), role: 'base' },
    ...reductions(paying).map((count): Step => ({ to: owed + count - 1, role: 'reduced' })),
  ]);
  return {
    states: owed + most + 1,
    steps: (state) => {
      if (state < owed) return ways[state]!;
      return state === owed ? [] : [{ to: state - 1, role: 'reduced' }];
    },
    end: (state) => (state < owed ? (mayEnd(state) ? 0 : null) : state === owed ? 0 : null),
  };
}

function everyCounter({ n, k, most }: EveryRule, count: number): Counter {
  const groups = Math.min(most, Math.floor(count / n));
  return payingFirst(groups * k, {
    cap: groups * (n - k),
    reductions: (paying) => timesOf({ n, k }, paying, groups).map((times) => times * k),
    mayEnd: () => true,
  });
}

/** A group that is made; whether it is made at all is tried from outside. */
function groupCounter({ from_places, free_every }: GroupRule, count: number): Counter {
  const most = free_every === null ? 0 : Math.floor(count / (free_every + 1));
  return payingFirst(most, {
    cap: free_every === null ? Math.min(from_places, count) : count,
    reductions: (paying) =>
      free_every === null
        ? []
        : timesOf({ n: free_every + 1, k: 1 }, paying, most).filter(
            (free) => paying + free >= from_places,
          ),
    mayEnd: (paying) => paying >= from_places,
  });
}

/** Rounds of n from the dearest down; the state is how many tickets are taken. */
function roundCounter({ n, k, most }: EveryRule, count: number): Counter {
  const last = Math.min(most, Math.floor(count / n)) * n;
  return {
    states: last + 1,
    steps: (state) =>
      state === last ? [] : [{ to: state + 1, role: state % n < n - k ? 'base' : 'reduced' }],
    end: (state) => (state % n === 0 ? 0 : null),
  };
}

/** The state is how many tickets each part has, as digits. */
function packageCounter({ parts, price_cents, most }: PackageRule, count: number): Counter {
  const size = parts.reduce((sum, part) => sum + part.count, 0);
  const sets = Math.min(most, Math.floor(count / size));
  const digits = parts.map((part) => part.count * sets + 1);
  const units = digits.map((_, nth) => digits.slice(0, nth).reduce((all, one) => all * one, 1));
  const takenIn = (state: number, nth: number) => Math.floor(state / units[nth]!) % digits[nth]!;
  return {
    states: digits.reduce((all, one) => all * one, 1),
    steps: (state, { ticket_type }) => {
      const steps: Step[] = [];
      for (const [nth, { ticket_types }] of parts.entries())
        if (ticket_types.includes(ticket_type) && takenIn(state, nth) < digits[nth]! - 1)
          steps.push({ to: state + units[nth]!, role: 'set' });
      return steps;
    },
    end: (state) => {
      const whole = parts.map((part, nth) => takenIn(state, nth) / part.count);
      const isWhole = whole.every((one) => one === whole[0] && Number.isInteger(one));
      return isWhole ? whole[0]! * price_cents : null;
    },
  };
}

/**
 * How often k of n may be reduced after so many paying tickets. Fewer than whole groups allow only
 * cost more, so the tickets at the end are always fewer than one more group.
 */
function timesOf({ n, k }: { n: number; k: number }, paying: number, most: number): number[] {
  const least = Math.max(1, Math.ceil((paying - n + 1) / (n - k)));
  const top = Math.min(most, Math.floor(paying / (n - k)));
  return Array.from({ length: Math.max(0, top - least + 1) }, (_, at) => least + at);
}
