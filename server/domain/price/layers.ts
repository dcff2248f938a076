/** The states of all rules together, layer by layer: one layer for each bundle of tickets. */
import type { Fate } from './fate.ts';
import type { Choices, Counting } from './choices.ts';

/** Cents count first, then how many rules are used, then their ids. */
const cent = 1_024;

/** The states that can be reached, the least cost of each, and the place of the one before. */
export interface Layer {
  states: number[];
  costs: number[];
  froms: number[];
}

export const firstLayer: Layer = { states: [0], costs: [0], froms: [-1] };

function ownState({ unit, counter }: Counting, state: number): number {
  return Math.floor(state / unit) % counter.states;
}

/** Collects a layer; `slots` is all -1 before and after. */
function collect(slots: Int32Array, fill: (reach: Reach) => void): Layer {
  const layer: Layer = { states: [], costs: [], froms: [] };
  fill((state, cost, from) => {
    const known = slots[state]!;
    if (known < 0) {
      slots[state] = layer.states.length;
      layer.states.push(state);
      layer.costs.push(cost);
      layer.froms.push(from);
    } else if (layer.costs[known]! > cost) {
      layer.costs[known] = cost;
      layer.froms[known] = from;
    }
  });
  for (const state of layer.states) slots[state] = -1;
  return layer;
}

type Reach = (state: number, cost: number, from: number) => void;

/** The states after one more bundle. */
export function stepOn(layer: Layer, { alone, taken }: Choices, slots: Int32Array): Layer {
  return collect(slots, (reach) => {
    // These loops are the whole work of a large cart, so they make no iterators.
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
  });
}

/** The states once a rule has seen its last ticket: those in which it may not end are gone. */
export function retire(layer: Layer, counting: Counting, slots: Int32Array): Layer {
  return collect(slots, (reach) => {
    for (const [at, state] of layer.states.entries()) {
      const own = ownState(counting, state);
      const rest = counting.counter.end(own);
      if (rest !== null) reach(state - own * counting.unit, layer.costs[at]! + rest * cent, at);
    }
  });
}

/** The cheapest choice that leads from one state to the other. */
export function fatesBetween({ alone, taken }: Choices, from: number, to: number): readonly Fate[] {
  const moves = taken.flatMap(({ counting, movesFrom }) => {
    const own = ownState(counting, from);
    return movesFrom(own).filter((move) => from + (move.to - own) * counting.unit === to);
  });
  if (from === to && alone !== null) moves.push(alone);
  return moves.reduce((best, move) => (move.cost < best.cost ? move : best)).fates;
}
