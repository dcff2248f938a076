/** The least cost of every state of all rules together, walked from one bundle to the next. */
import type { Choices, Counting } from './choices.ts';

/** Cents count first, then how many rules are used, then their ids. */
const cent = 1_024;

/** The number of a state says how many tickets each rule has taken, as digits. */
export function ownState({ unit, counter }: Counting, state: number): number {
  return Math.floor(state / unit) % counter.states;
}

/** The walk so far. */
export interface Walk {
  /** The least cost of each state; infinite: it cannot be reached. */
  costs: Float64Array;
  /** All infinite, for the step to come. */
  spare: Float64Array;
  /** One more than the highest state that was reached. */
  top: number;
}

export function beginWalk(states: number): Walk {
  const costs = new Float64Array(states).fill(Infinity);
  costs[0] = 0;
  return { costs, spare: new Float64Array(states).fill(Infinity), top: 1 };
}

/** How each state was reached: 0, alone; else the rule's `code` and its own state before. */
export type Trace = Uint16Array;

/** Walks on by one bundle of tickets. */
export function stepOn(walk: Walk, { alone, taken }: Choices): Trace {
  const { costs, spare: next, top } = walk;
  if (alone !== null) for (let at = 0; at < top; at += 1) next[at] = costs[at]! + alone * cent;
  const rise = taken.reduce((most, { moves, unit }) => Math.max(most, moves.rise * unit), 0);
  const trace = new Uint16Array(Math.min(costs.length, top + rise));
  for (const { moves, unit, states, code, tie } of taken)
    for (let nth = 0; nth < moves.froms.length; nth += 1) {
      const from = moves.froms[nth]!;
      const to = moves.tos[nth]!;
      const cost = moves.costs[moves.kinds[nth]!]! * cent + (from === 0 && to !== 0 ? tie : 0);
      const shift = (to - from) * unit;
      // These loops are the whole work of a large cart.
      for (let begin = from * unit; begin < top; begin += states * unit)
        for (let at = begin; at < begin + unit; at += 1) {
          const sum = costs[at]! + cost;
          if (sum < next[at + shift]!) {
            next[at + shift] = sum;
            trace[at + shift] = code + from;
          }
        }
    }
  turn(walk, topOf(next, trace.length));
  return trace;
}

/** Ends a rule that has seen its last ticket: states in which it may not end are gone. */
export function retire(walk: Walk, { counter, unit }: Counting): Trace {
  const { costs, spare: next, top } = walk;
  const trace = new Uint16Array(top);
  for (let own = 0; own < counter.states; own += 1) {
    const rest = counter.end(own);
    if (rest === null) continue;
    for (let begin = 0; begin + own * unit < top; begin += counter.states * unit)
      for (let to = begin; to < begin + unit; to += 1) {
        const sum = costs[to + own * unit]! + rest * cent;
        if (sum < next[to]!) {
          next[to] = sum;
          trace[to] = own;
        }
      }
  }
  turn(walk, topOf(next, top));
  return trace;
}

function topOf(costs: Float64Array, most: number): number {
  let top = most;
  while (top > 0 && costs[top - 1] === Infinity) top -= 1;
  return top;
}

function turn(walk: Walk, reached: number): void {
  const { costs, spare, top } = walk;
  costs.fill(Infinity, 0, top);
  walk.costs = spare;
  walk.spare = costs;
  walk.top = reached;
}
