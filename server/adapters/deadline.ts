/**
 * Limits the total time of all calls to vendors for one request, so that its caller gets an answer.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ProviderUnavailable } from './provider.ts';

/** When the running request gives up, by the monotonic clock. */
const ends = new AsyncLocalStorage<number>();

/** Runs `work`; after `ms` its calls to vendors fail, and it begins no others. */
export function withDeadline<T>(ms: number, work: () => T): T {
  return ends.run(performance.now() + ms, work);
}

/** How many milliseconds the running request has left for vendors; Infinity without a deadline. */
export function timeLeft(): number {
  return (ends.getStore() ?? Number.POSITIVE_INFINITY) - performance.now();
}

/**
 * The time that one try of a call may take, in milliseconds.
 * @throws ProviderUnavailable if no time is left: then the try must not be made
 */
export function timeForTry(vendor: string, longestMs: number): number {
  const left = timeLeft();
  if (left < 1) throw tooLate(vendor);
  return Math.min(longestMs, Math.floor(left));
}

/**
 * Waits for a call with all its tries no longer than the deadline. The caller's tries take their
 * time from timeForTry(), so that none goes on or begins afterwards.
 * @throws ProviderUnavailable
 */
export async function untilDeadline<T>(vendor: string, call: () => Promise<T>): Promise<T> {
  const left = timeLeft();
  if (left === Number.POSITIVE_INFINITY) return call();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate(vendor)), Math.max(0, left));
  try {
    return await Promise.race([call(), promise]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(vendor: string): ProviderUnavailable {
  return new ProviderUnavailable(vendor, 'no answer while the caller could wait', null);
}
