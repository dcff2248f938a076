/** How long a person waits for a vendor: for a page, and for the answer to what was asked for. */
import { setTimeout } from 'node:timers/promises';
import { withDeadline } from '#server/adapters/deadline.ts';

/** A page waits this long for what a vendor says now, and then shows what is known. */
export const pagePatienceMs = 2_000;

/** What a vendor has said is shown for this long while it is asked anew. */
export const knownMs = 3_600_000;

/**
 * All calls to vendors for one page or one visitor's request take at most this together, so that
 * the answer comes within eight seconds.
 */
const answerPatienceMs = 6_000;

/** Runs what a person waits for; when a vendor is silent it fails with `provider_silent`. */
export function whilePersonWaits<T>(work: () => T): T {
  return withDeadline(answerPatienceMs, work);
}

/** The answer, or `instead` if it has not come within `ms`; it may still come later. */
export function inPatience<T, I>(answer: Promise<T>, instead: I, ms: number): Promise<T | I> {
  if (ms === 0) return Promise.resolve(instead);
  return Promise.race([answer, setTimeout(ms, instead, { ref: false })]);
}
