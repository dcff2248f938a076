/**
 * Bounds how many calls one vendor gets from this process at one time: the others wait in line,
 * first come first served.
 */
import { ProviderUnavailable } from './provider.ts';

interface Line {
  mostAtOnce: number;
  /** A call that waits longer is told that the vendor is silent, as it is to the calls in front. */
  longestWaitMs: number;
}

/**
 * A call that waited too long was never made.
 * @throws ProviderUnavailable
 */
export function openLine(
  vendor: string,
  { mostAtOnce, longestWaitMs }: Line,
): <T>(call: () => Promise<T>) => Promise<T> {
  let going = 0;
  const waiting = new Set<() => void>();
  const waitForTurn = () =>
    new Promise<void>((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(turn);
        reject(new ProviderUnavailable(vendor, 'too many calls wait for an answer', null));
      }, longestWaitMs);
      waiting.add(turn);
    });
  return async (call) => {
    if (going < mostAtOnce) going += 1;
    else await waitForTurn();
    try {
      return await call();
    } finally {
      const [next] = waiting;
      // The place goes on to the next in line.
      if (next === undefined) going -= 1;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}
