/** Chance that can be repeated: the same seed, the same requests. */

export interface Chance {
  /** From 0 up to, and without, 1. */
  next: () => number;
  /** True this often. */
  is: (often: number) => boolean;
  /** A whole number below this one. */
  below: (most: number) => number;
  one: <T>(of: readonly T[]) => T;
}

/** A congruential generator with a mixed output: enough for choosing, nothing for secrets. */
export function makeChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
  const below = (most: number) => Math.floor(next() * most);
  return { next, below, is: (often) => next() < often, one: (of) => of[below(of.length)]! };
}
