/**
 * Ranks what a search has found, so that fifty thousand places need not be sorted: each rank
 * keeps its first places, and the seats of a box whose name was typed stay together.
 */
import { compareSeats } from './search-seats.ts';
import { countWhole, type Bits } from './search-words.ts';

/** 2: a ticket that is expected; 1: one that has ended; 0: none. */
export type Sold = 0 | 1 | 2;

/** `order`: the number of the place in the list. */
export interface Hit {
  order: number;
  bits: Bits;
  /** Whether the typed words name this very seat. */
  very: boolean;
  sold: Sold;
}

/** A box or table by its name, with the numbers of its places. */
export interface BoxHit {
  box: string;
  orders: number[];
}

/** An object with more places than this is a part of the hall, and its places are told alone. */
const mostInBox = 60;

interface Group {
  best: number;
  size: number;
  hits: Hit[];
}

export function makeHits(limit: number, words: number) {
  const ranks = Array.from({ length: rankOf(words, true, 2) + 1 }, () => ({
    boxes: [] as BoxHit[],
    orders: [] as number[],
  }));
  const groups = new Map<string, Group>();
  const add = ({ order, bits, very, sold }: Hit) => {
    const rank = ranks[rankOf(countWhole(bits), very, sold)];
    if (rank && rank.orders.length < limit) rank.orders.push(order);
  };
  return {
    add,
    /** A seat of this box, whose name alone has all typed words. */
    addOfBox(box: string, hit: Hit) {
      let group = groups.get(box);
      if (group === undefined) groups.set(box, (group = { best: 0, size: 0, hits: [] }));
      group.best = Math.max(group.best, rankOf(countWhole(hit.bits), false, hit.sold));
      group.size += 1;
      if (group.size <= mostInBox) group.hits.push(hit);
      else for (const one of [...group.hits.splice(0), hit]) add(one);
    },
    /**
     * The best first: the most whole words, then the very seat, then what is sold. Equals are
     * sorted as people count, seat 2 before seat 10.
     */
    best(nameAt: (order: number) => string): (BoxHit | number)[] {
      for (const [box, { best, size, hits }] of groups) {
        if (size === 1) for (const hit of hits) add(hit);
        else if (size <= mostInBox)
          ranks[best]?.boxes.push({ box, orders: hits.map(({ order }) => order) });
      }
      const found: (BoxHit | number)[] = [];
      for (const { boxes, orders } of ranks.toReversed())
        found.push(
          ...boxes.toSorted((a, b) => compareSeats(a.box, b.box)),
          ...orders.toSorted((a, b) => compareSeats(nameAt(a), nameAt(b))),
        );
      return found.slice(0, limit);
    },
  };
}

export type Hits = ReturnType<typeof makeHits>;

function rankOf(whole: number, very: boolean, sold: Sold): number {
  return whole * 6 + (very ? 3 : 0) + sold;
}
