/**
 * The cheapest lawful way to use rules on the tickets of a cart, found exactly: every rule counts
 * the tickets that it takes, and all their states are walked together, ticket by ticket.
 */
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { additionAlone, additionWith, cutPrice, type Addition } from './adding.ts';
import { counterOf, type Counter, type Role } from './counting.ts';
import { isInScope, type AddingRule, type CartTicket, type UsingRule } from './rule.ts';

/** Tickets that one choice is made for: one, or all places of an object sold whole. */
export type Bundle = readonly CartTicket[];

/** What becomes of one ticket: the rule that uses it, or null, and what adding rules take off. */
export interface Fate {
  ticket: CartTicket;
  rule: UsingRule | null;
  role: Role;
  addition: Addition;
}

/** The most states of all rules together; more are refused when rules are saved (RULES P6). */
export const mostStates = 150_000;

/** Cents count first, then how many rules are used, then their ids. */
const cent = 1_024;
const oneRule = 64;

interface Counting {
  rule: UsingRule;
  counter: Counter;
  /** What one more of this rule's states is in the number of a state of all. */
  unit: number;
  tie: number;
}

/** How many states the rules have together for so many tickets in the scope of each. */
export function statesOf(rules: readonly UsingRule[], count: number): number {
  return rules.reduce((all, rule) => {
    const { states } = counterOf(rule, count);
    // A group is tried twice: made, and not made.
    return all * (rule.kind === 'group' ? states + 1 : states);
  }, 1);
}

function countersOf(rules: readonly UsingRule[], bundles: readonly Bundle[]): Counting[] {
  let unit = 1;
  return rules.map((rule, rank) => {
    const count = bundles.flat().filter((ticket) => isInScope(rule, ticket)).length;
    const counter = counterOf(rule, count);
    const counting = { rule, counter, unit, tie: oneRule + rank };
    unit *= counter.states;
    return counting;
  });
}

interface Move {
  to: number;
  cost: number;
  fates: readonly Fate[];
}

/** What `role` of a rule makes a ticket cost, its fee included. */
function costOf({ ticket, rule, role, addition }: Fate): number {
  const cut = rule === null ? ticket.list_cents : cutPrice(rule, role, ticket);
  const price = Math.max(0, cut - addition.off_cents);
  const isSpread =
    rule !== null && (rule.kind === 'package' || (rule.kind === 'every' && rule.spread));
  return price + (price > 0 || isSpread ? ticket.fee_cents : 0);
}

/** All ways in which a rule takes a whole bundle in this state, the cheapest for each end. */
function movesOf(
  { rule, counter }: Counting,
  state: number,
  { bundle, adding }: { bundle: Bundle; adding: readonly AddingRule[] },
): Move[] {
  let reached: Move[] = [{ to: state, cost: 0, fates: [] }];
  for (const ticket of bundle) {
    const addition = additionWith(adding, rule, ticket);
    const next = new Map<number, Move>();
    for (const move of reached)
      for (const { to, role } of counter.steps(move.to, ticket)) {
        const fate = { ticket, rule, role, addition };
        const cost = move.cost + costOf(fate);
        if (cost < (next.get(to)?.cost ?? Infinity))
          next.set(to, { to, cost, fates: [...move.fates, fate] });
      }
    reached = [...next.values()];
  }
  return reached;
}

function sumOf(fates: readonly Fate[]): number {
  return fates.reduce((sum, fate) => sum + costOf(fate), 0);
}

function moveAlone(fates: readonly Fate[]): Move {
  return { to: 0, cost: sumOf(fates), fates };
}

/**
 * What a bundle costs in a group that is made. One more never harms the others, unless a companion
 * is free, who would then be the cheaper one.
 */
function leastInGroup(
  bundle: Bundle,
  here: readonly Counting[],
  adding: readonly AddingRule[],
): number {
  const sums = here
    .filter(({ rule }) => rule.kind === 'group' && rule.free_every === null)
    .map(({ rule }) =>
      sumOf(
        bundle.map((ticket) => {
          const addition = additionWith(adding, rule, ticket);
          return { ticket, rule, role: 'base', addition };
        }),
      ),
    );
  return Math.min(Infinity, ...sums);
}

/** The choices for one bundle: left alone, or taken by one of the rules. */
interface Choices {
  alone: Move | null;
  taken: readonly { counting: Counting; movesFrom: (state: number) => readonly Move[] }[];
}

function choicesOf(
  bundle: Bundle,
  counters: readonly Counting[],
  adding: readonly AddingRule[],
): Choices {
  const here = counters.filter(({ rule }) => bundle.every((ticket) => isInScope(rule, ticket)));
  const claimed = here
    .map(({ rule }) => rule)
    .filter((rule) => rule.kind === 'every' && rule.grouped === 'cheapest');
  const fates = bundle.map((ticket) => ({
    ticket,
    rule: null,
    role: 'base' as const,
    addition: additionAlone(adding, claimed, ticket),
  }));
  const isLawful = fates.every(({ addition }) => addition !== null);
  const alone = isLawful ? moveAlone(fates as Fate[]) : null;
  return {
    alone: alone !== null && alone.cost < leastInGroup(bundle, here, adding) ? alone : null,
    taken: here.map((counting) => {
      const known: Move[][] = [];
      const movesFrom = (state: number) =>
        (known[state] ??= movesOf(counting, state, { bundle, adding }));
      return { counting, movesFrom };
    }),
  };
}

/**
 * What becomes of each ticket of a cart under rules whose scopes overlap; `bundles` lie from the
 * dearest down, rules in the order of their ids.
 * @throws Refusal rules_too_many
 */
export function cheapest(
  bundles: readonly Bundle[],
  rules: readonly UsingRule[],
  adding: readonly AddingRule[],
): Fate[] {
  const tickets = bundles.flat();
  const useful = rules.filter((rule) => isReachable(rule, tickets));
  if (statesOf(useful, tickets.length) > mostStates) throw new Refusal('rules_too_many');
  let best: Walked | null = null;
  for (const made of subsetsOf(useful.filter(({ kind }) => kind === 'group'))) {
    const tried = useful.filter((rule) => rule.kind !== 'group' || made.includes(rule));
    const walked = walk(bundles, tried, adding);
    if (walked !== null && (best === null || walked.cost < best.cost)) best = walked;
  }
  const { fates } = requireValue(best, 'way');
  // Tickets that are alike share their choices, which name the first of them.
  return tickets.map((ticket, at) => ({ ...fates[at]!, ticket }));
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
  const states = counters.reduce((all, { counter }) => all * counter.states, 1);
  const known = new Map<string, Choices>();
  const choices = bundles.map((bundle) => {
    const key = JSON.stringify(bundle.map((ticket) => ({ ...ticket, whole: null })));
    const found = known.get(key) ?? choicesOf(bundle, counters, adding);
    known.set(key, found);
    return found;
  });
  let layer: Layer = { states: [0], costs: [0], froms: [-1] };
  const layers = [layer];
  const slots = new Int32Array(states).fill(-1);
  for (const choice of choices) {
    layer = stepOn(layer, choice, slots);
    layers.push(layer);
  }
  const end = bestEnd(layer, counters);
  if (end === null) return null;
  return { cost: end.cost, fates: walkBack(choices, layers, end.at) };
}

/** The states that can be reached, the least cost of each, and the place of the one before. */
interface Layer {
  states: number[];
  costs: number[];
  froms: number[];
}

/** The states after one more bundle; `slots` is all -1 before and after. */
function stepOn(layer: Layer, { alone, taken }: Choices, slots: Int32Array): Layer {
  const next: Layer = { states: [], costs: [], froms: [] };
  const reach = (state: number, cost: number, from: number) => {
    const known = slots[state]!;
    if (known < 0) {
      slots[state] = next.states.length;
      next.states.push(state);
      next.costs.push(cost);
      next.froms.push(from);
    } else if (next.costs[known]! > cost) {
      next.costs[known] = cost;
      next.froms[known] = from;
    }
  };
  // The counting loops are the whole work of a large cart, so they make no iterators.
  for (let at = 0; at < layer.states.length; at += 1) {
    const state = layer.states[at]!;
    const cost = layer.costs[at]!;
    if (alone !== null) reach(state, cost + alone.cost * cent, at);
    for (let nth = 0; nth < taken.length; nth += 1) {
      const { counting, movesFrom } = taken[nth]!;
      const own = ownState(counting, state);
      const moves = movesFrom(own);
      for (let one = 0; one < moves.length; one += 1) {
        const { to, cost: more } = moves[one]!;
        const tie = own === 0 && to !== 0 ? counting.tie : 0;
        reach(state + (to - own) * counting.unit, cost + more * cent + tie, at);
      }
    }
  }
  for (const state of next.states) slots[state] = -1;
  return next;
}

function ownState({ unit, counter }: Counting, state: number): number {
  return Math.floor(state / unit) % counter.states;
}

/** The place of the cheapest state in which all rules may end. */
function bestEnd(
  { states, costs }: Layer,
  counters: readonly Counting[],
): { at: number; cost: number } | null {
  let best = -1;
  let least = Infinity;
  for (const [at, state] of states.entries()) {
    const rests = counters.map((one) => one.counter.end(ownState(one, state)));
    const rest = rests.reduce<number>((sum, cents) => sum + (cents ?? Infinity), 0);
    const cost = costs[at]! + rest * cent;
    if (cost >= least) continue;
    least = cost;
    best = at;
  }
  return best < 0 ? null : { at: best, cost: least };
}

function walkBack(choices: readonly Choices[], layers: readonly Layer[], end: number): Fate[] {
  const fates: Fate[][] = [];
  let at = end;
  for (let nth = choices.length; nth > 0; nth -= 1) {
    const { states, froms } = layers[nth]!;
    const before = froms[at]!;
    const from = layers[nth - 1]!.states[before]!;
    fates.unshift([...fatesBetween(choices[nth - 1]!, from, states[at]!)]);
    at = before;
  }
  return fates.flat();
}

/** The cheapest choice that leads from one state to the other. */
function fatesBetween({ alone, taken }: Choices, from: number, to: number): readonly Fate[] {
  const moves = taken.flatMap(({ counting, movesFrom }) => {
    const own = ownState(counting, from);
    return movesFrom(own).filter((move) => from + (move.to - own) * counting.unit === to);
  });
  if (from === to && alone !== null) moves.push(alone);
  return moves.reduce((best, move) => (move.cost < best.cost ? move : best)).fates;
}
