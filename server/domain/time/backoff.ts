/** Backoff: how long to wait before a failed task is tried again. */

/**
 * The worker tries again after this when Stripe or the seat map did not answer, or another worker
 * has the order.
 */
export const retryAfterMs = 30_000;

/**
 * At most twice the age so far, between the two bounds: short waits for a new task, long ones for
 * an old one.
 */
export function backoffMs(
  ageMs: number,
  { leastMs, mostMs }: { leastMs: number; mostMs: number },
): number {
  return Math.min(mostMs, Math.max(leastMs, ageMs));
}
