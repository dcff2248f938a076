/** How much of an event one network may hold at once (RULES S7). */

/** The limit for an event with this many places; our seat map has the same rule. */
export function mostHeldAtOnce(places: number): number {
  return Math.max(200, Math.floor(places / 10));
}
