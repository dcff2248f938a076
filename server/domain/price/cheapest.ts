/**
 * The cheapest lawful way to use rules on the tickets of a cart, found exactly: every rule counts
 * the tickets that it takes, and all their states are walked together, ticket by ticket.
 */
import { requireValue } from '#server/domain/require-value.ts';
import {
  choicesOf,
  countInScope,
  countersOf,
  fatesOf,
  type Choices,
  type Counting,
} from './choices.ts';
import { counterOf } from './counting.ts';
import type { Bundle, Fate } from './fate.ts';
import { beginWalk, ownState, retire, stepOn, type Trace } from './layers.ts';
import { isInScope, type AddingRule, type CartTicket, type UsingRule } from './rule.ts';

/** The most states of all rules together; more are refused when rules are saved (RULES P6). */
export const mostStates = 50_000;

/** How many states the rules have together; `countOf`: how many tickets are in a rule's scope. */
export function statesOf(
  rules: readonly UsingRule[],
  countOf: (rule: UsingRule) => number,
): number {
  return rules.reduce((all, rule) => {
    const { states } = counterOf(rule, countOf(rule));
    // A group is tried twice: made, and not made.
    return all * (rule.kind === 'group' ? states + 1 : states);
  }, 1);
}

/**
 * What becomes of each ticket of a cart under rules whose scopes overlap; `bundles` lie from the
 * dearest down, rules in the order of their ids.
 * @throws RangeError for rules that `mostStates` forbids
 */
export function cheapest(
  bundles: readonly Bundle[],
  rules: readonly UsingRule[],
  adding: readonly AddingRule[],
): Fate[] {
  const tickets = bundles.flat();
  const useful = rules.filter((rule) => isReachable(rule, tickets));
  if (statesOf(useful, (rule) => countInScope(rule, bundles)) > mostStates)
    throw new RangeError('These rules have too many states: they were to be refused when saved.');
  let best: Walked | null = null;
  for (const made of subsetsOf(useful.filter(({ kind }) => kind === 'group'))) {
    const tried = useful.filter((rule) => rule.kind !== 'group' || made.includes(rule));
    const walked = walk(inBlocks(bundles, tried), tried, adding);
    if (walked !== null && (best === null || walked.cost < best.cost)) best = walked;
  }
  return requireValue(best, 'way').fates;
}

/**
 * Whether the cart has enough tickets for the rule. One that takes the cheapest of all counts
 * tickets also where they are too few, so that no other counts them.
 */
function isReachable(rule: UsingRule, tickets: readonly CartTicket[]): boolean {
  const count = tickets.filter((ticket) => isInScope(rule, ticket)).length;
  if (rule.kind === 'every') return rule.grouped === 'cheapest' || count >= rule.n;
  if (rule.kind === 'group') return count >= rule.from_places;
  return count >= rule.parts.reduce((sum, part) => sum + part.count, 0);
}

function subsetsOf<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]]);
}

/** Whether a rule has to see its tickets from the dearest down. */
function needsOrder(rule: UsingRule): boolean {
  return rule.kind === 'every' || (rule.kind === 'group' && rule.free_every !== null);
}

/**
 * The bundles in an order that lets each rule see its last ticket early. Tickets of the same rules
 * stand together; where a rule needs the order of prices, all of its tickets do.
 */
function inBlocks(bundles: readonly Bundle[], rules: readonly UsingRule[]): Bundle[] {
  const rulesAt = (bundle: Bundle) =>
    rules.filter((rule) => bundle.every((ticket) => isInScope(rule, ticket)));
  let blocks: { rules: UsingRule[]; bundles: Bundle[]; name: string }[] = [];
  for (const bundle of bundles) {
    const own = rulesAt(bundle);
    const name = own.map(({ id }) => id).join('|');
    const ordered = own.filter(needsOrder);
    const same = blocks.filter(
      (block) => block.name === name || block.rules.some((rule) => ordered.includes(rule)),
    );
    const merged = {
      name: same[0]?.name ?? name,
      rules: [...new Set([...same.flatMap((block) => block.rules), ...ordered])],
      bundles: [...same.flatMap((block) => block.bundles), bundle],
    };
    blocks = [...blocks.filter((block) => !same.includes(block)), merged];
  }
  const sorted = blocks.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.flatMap((block) => bundles.filter((bundle) => block.bundles.includes(bundle)));
}

interface Walked {
  cost: number;
  fates: Fate[];
}

/** Null: the groups that are to be made cannot be. */
function walk(
  bundles: readonly Bundle[],
  rules: readonly UsingRule[],
  adding: readonly AddingRule[],
): Walked | null {
  const counters = countersOf(rules, bundles);
  const choices = allChoices(bundles, counters, adding);
  const on = beginWalk(counters.reduce((all, { counter }) => all * counter.states, 1));
  const steps = choices.map((choice, at): Step => {
    const trace = stepOn(on, choice);
    const lasts = choice.taken
      .map(({ counting }) => counting)
      .filter((one) => !choices.slice(at + 1).some((later) => isAsked(later, one)));
    return { choice, trace, ended: lasts.map((by) => ({ by, trace: retire(on, by) })) };
  });
  const cost = on.costs[0]!;
  if (cost === Infinity) return null;
  return { cost, fates: walkBack(bundles, steps, { counters, adding }) };
}

function isAsked({ taken }: Choices, counting: Counting): boolean {
  return taken.some((one) => one.counting === counting);
}

/** Bundles that are alike share their choices. */
function allChoices(
  bundles: readonly Bundle[],
  counters: readonly Counting[],
  adding: readonly AddingRule[],
): Choices[] {
  const known = new Map<string, Choices>();
  return bundles.map((bundle) => {
    const key = JSON.stringify(bundle.map((ticket) => ({ ...ticket, whole: null })));
    const found = known.get(key) ?? choicesOf(bundle, counters, adding);
    known.set(key, found);
    return found;
  });
}

/** How each state was reached with one more bundle, and then where rules ended. */
interface Step {
  choice: Choices;
  trace: Trace;
  ended: readonly { by: Counting; trace: Trace }[];
}

/** From the end, where all rules are retired, to the first bundle. */
function walkBack(
  bundles: readonly Bundle[],
  steps: readonly Step[],
  terms: { counters: readonly Counting[]; adding: readonly AddingRule[] },
): Fate[] {
  const fates: Fate[] = [];
  let at = 0;
  for (const [nth, { choice, trace, ended }] of [...steps.entries()].toReversed()) {
    for (const { by, trace: owns } of ended.toReversed()) at += owns[at]! * by.unit;
    const code = trace[at]!;
    const taking = choice.taken.findLast((one) => one.code <= code);
    let taken = null;
    if (code > 0 && taking !== undefined) {
      const { counting: by, unit } = taking;
      const from = code - taking.code;
      taken = { by, from, to: ownState(by, at) };
      at -= (taken.to - from) * unit;
    }
    fates.unshift(...fatesOf(bundles[nth]!, taken, terms));
  }
  return fates;
}
