/** Parts of a sum of cents. */

/** So many per cent of a sum; half a cent is rounded up. */
export function percentOf(cents: number, percent: number): number {
  return Math.floor((cents * percent + 50) / 100);
}

/** Shares of a sum in proportion to weights, to the cent by largest remainder. */
export function shareOut(sum: number, weights: readonly number[]): number[] {
  const all = weights.reduce((total, weight) => total + weight, 0);
  if (all === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (sum * weight) / all);
  const shares = exact.map(Math.floor);
  const odd = sum - shares.reduce((total, share) => total + share, 0);
  const byRest = exact
    .map((value, at) => ({ at, rest: value - shares[at]! }))
    .toSorted((a, b) => b.rest - a.rest || a.at - b.at);
  for (const { at } of byRest.slice(0, odd)) shares[at]! += 1;
  return shares;
}
