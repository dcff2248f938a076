/** Backoff: how long to wait before a failed task is tried again. */

/**
 * The worker comes back after this when Stripe or the seat map cannot be asked about an order, or
 * another worker has it.
 */
export const retryAfterMs = 30_000;

/**
 * Twice the age so far at the most: eager while it is young, patient when it has lasted; between
 * the two bounds.
 */
export function backoffMs(
  ageMs: number,
  { leastMs, mostMs }: { leastMs: number; mostMs: number },
): number {
  return Math.min(mostMs, Math.max(leastMs, ageMs));
}
