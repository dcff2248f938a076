/** What may become of a bundle of tickets: it is left alone, or one of the rules takes it. */
import { additionAlone, additionWith } from './adding.ts';
import { counterOf, roles, type Counter } from './counting.ts';
import { fateCost, fateCosts, type Bundle, type Fate } from './fate.ts';
import { isInScope, type AddingRule, type CartTicket, type UsingRule } from './rule.ts';
import { requireValue } from '#server/domain/require-value.ts';

/** What the first use of one more rule adds to a cost, so that equals are told apart. */
const oneRule = 64;

export interface Counting {
  rule: UsingRule;
  counter: Counter;
  /** What one more of this rule's states is in the number of a state of all. */
  unit: number;
  tie: number;
  /** The moves of single tickets without their costs, by the type of the ticket. */
  steps: Map<string, Steps>;
}

/** How many tickets of a cart are in a rule's scope. */
export function countInScope(rule: UsingRule, bundles: readonly Bundle[]): number {
  return bundles.flat().filter((ticket) => isInScope(rule, ticket)).length;
}

/** `rules`: in the order of their ids. */
export function countersOf(rules: readonly UsingRule[], bundles: readonly Bundle[]): Counting[] {
  let unit = 1;
  return rules.map((rule, rank) => {
    const counter = counterOf(rule, countInScope(rule, bundles));
    const counting = { rule, counter, unit, tie: oneRule + rank, steps: new Map() };
    unit *= counter.states;
    return counting;
  });
}

/** The ways from each of a rule's own states to another, as columns. */
interface Steps {
  froms: Int32Array;
  tos: Int32Array;
  /** Which of the costs each bears. */
  kinds: Int32Array;
  /** The longest way up. */
  rise: number;
}

/** All ways in which a rule takes a whole bundle. */
export interface Moves extends Steps {
  costs: readonly number[];
}

/** Columns that grow: an object for each of so many steps would cost more than the walk itself. */
function collectSteps(
  fill: (add: (from: number, to: number, kind: number) => void) => void,
): Steps {
  const [froms, tos, kinds]: [number[], number[], number[]] = [[], [], []];
  let rise = 0;
  fill((from, to, kind) => {
    froms.push(from);
    tos.push(to);
    kinds.push(kind);
    rise = Math.max(rise, to - from);
  });
  return {
    froms: new Int32Array(froms),
    tos: new Int32Array(tos),
    kinds: new Int32Array(kinds),
    rise,
  };
}

interface Way {
  to: number;
  cost: number;
  fates: readonly Fate[];
}

/** The ways from one state, the cheapest for each end. */
function waysFrom(
  { rule, counter }: Counting,
  state: number,
  { bundle, adding }: { bundle: Bundle; adding: readonly AddingRule[] },
): Way[] {
  let reached: Way[] = [{ to: state, cost: 0, fates: [] }];
  for (const ticket of bundle) {
    const addition = additionWith(adding, rule, ticket);
    const next = new Map<number, Way>();
    for (const way of reached)
      for (const { to, role } of counter.steps(way.to, ticket)) {
        const fate = { ticket, rule, role, addition };
        const cost = way.cost + fateCost(fate);
        if (cost < (next.get(to)?.cost ?? Infinity))
          next.set(to, { to, cost, fates: [...way.fates, fate] });
      }
    reached = [...next.values()];
  }
  return reached;
}

function movesOf(counting: Counting, bundle: Bundle, adding: readonly AddingRule[]): Moves {
  if (bundle.length === 1) return movesOfOne(counting, bundle[0]!, adding);
  const costs: number[] = [];
  const steps = collectSteps((add) => {
    for (let from = 0; from < counting.counter.states; from += 1)
      for (const { to, cost } of waysFrom(counting, from, { bundle, adding }))
        add(from, to, costs.push(cost) - 1);
  });
  return { ...steps, costs };
}

/** Of a single ticket only the costs are its own. */
function movesOfOne(counting: Counting, ticket: CartTicket, adding: readonly AddingRule[]): Moves {
  const { rule } = counting;
  const addition = additionWith(adding, rule, ticket);
  const costs = roles.map((role) => fateCost({ ticket, rule, role, addition }));
  return { ...stepsFor(counting, ticket), costs };
}

function stepsFor({ counter, steps }: Counting, ticket: CartTicket): Steps {
  const known = steps.get(ticket.ticket_type);
  if (known !== undefined) return known;
  const found = collectSteps((add) => {
    for (let from = 0; from < counter.states; from += 1)
      for (const { to, role } of counter.steps(from, ticket)) add(from, to, roles.indexOf(role));
  });
  steps.set(ticket.ticket_type, found);
  return found;
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
      fateCosts(
        bundle.map((ticket) => {
          const addition = additionWith(adding, rule, ticket);
          return { ticket, rule, role: 'base', addition };
        }),
      ),
    );
  return Math.min(Infinity, ...sums);
}

/** A rule that may take the bundle; `code` tells its states from those of the others. */
export interface Taking {
  counting: Counting;
  moves: Moves;
  unit: number;
  states: number;
  tie: number;
  code: number;
}

/** The choices for one bundle: left alone at a cost, or taken by one of the rules. */
export interface Choices {
  alone: number | null;
  taken: readonly Taking[];
}

export function choicesOf(
  bundle: Bundle,
  counters: readonly Counting[],
  adding: readonly AddingRule[],
): Choices {
  const here = counters.filter(({ rule }) => bundle.every((ticket) => isInScope(rule, ticket)));
  const fates = fatesAlone(bundle, here, adding);
  const cost = fates === null ? Infinity : fateCosts(fates);
  let code = 1;
  const taken = here.map((counting) => {
    const { counter, unit, tie } = counting;
    const { states } = counter;
    const taking = { counting, moves: movesOf(counting, bundle, adding), unit, states, tie, code };
    code += states;
    return taking;
  });
  return { alone: cost < leastInGroup(bundle, here, adding) ? cost : null, taken };
}

/** Null: a rule has to take the bundle. */
function fatesAlone(
  bundle: Bundle,
  here: readonly Counting[],
  adding: readonly AddingRule[],
): Fate[] | null {
  const claimed = here
    .map(({ rule }) => rule)
    .filter((rule) => rule.kind === 'every' && rule.grouped === 'cheapest');
  const fates: Fate[] = [];
  for (const ticket of bundle) {
    const addition = additionAlone(adding, claimed, ticket);
    if (addition === null) return null;
    fates.push({ ticket, rule: null, role: 'base', addition });
  }
  return fates;
}

/** What became of a bundle that a rule took between two of its states; null: it was left alone. */
export function fatesOf(
  bundle: Bundle,
  taken: { by: Counting; from: number; to: number } | null,
  { counters, adding }: { counters: readonly Counting[]; adding: readonly AddingRule[] },
): readonly Fate[] {
  if (taken !== null) {
    const ways = waysFrom(taken.by, taken.from, { bundle, adding });
    return requireValue(
      ways.find(({ to }) => to === taken.to),
      'way',
    ).fates;
  }
  const here = counters.filter(({ rule }) => bundle.every((ticket) => isInScope(rule, ticket)));
  return requireValue(fatesAlone(bundle, here, adding), 'way alone');
}
