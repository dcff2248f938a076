/** What may become of a bundle of tickets: it is left alone, or one of the rules takes it. */
import { additionAlone, additionWith } from './adding.ts';
import { counterOf, type Counter } from './counting.ts';
import { fateCost, fateCosts, type Bundle, type Fate } from './fate.ts';
import { isInScope, type AddingRule, type UsingRule } from './rule.ts';

/** What the first use of one more rule adds to a cost, so that equals are told apart. */
const oneRule = 64;

export interface Counting {
  rule: UsingRule;
  counter: Counter;
  /** What one more of this rule's states is in the number of a state of all. */
  unit: number;
  tie: number;
}

export function countersOf(rules: readonly UsingRule[], bundles: readonly Bundle[]): Counting[] {
  let unit = 1;
  return rules.map((rule, rank) => {
    const count = bundles.flat().filter((ticket) => isInScope(rule, ticket)).length;
    const counter = counterOf(rule, count);
    const counting = { rule, counter, unit, tie: oneRule + rank };
    unit *= counter.states;
    return counting;
  });
}

export interface Move {
  to: number;
  cost: number;
  fates: readonly Fate[];
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
        const cost = move.cost + fateCost(fate);
        if (cost < (next.get(to)?.cost ?? Infinity))
          next.set(to, { to, cost, fates: [...move.fates, fate] });
      }
    reached = [...next.values()];
  }
  return reached;
}

function moveAlone(fates: readonly Fate[]): Move {
  return { to: 0, cost: fateCosts(fates), fates };
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

/** The choices for one bundle: left alone, or taken by one of the rules. */
export interface Choices {
  alone: Move | null;
  taken: readonly { counting: Counting; movesFrom: (state: number) => readonly Move[] }[];
}

export function choicesOf(
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
