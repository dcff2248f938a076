/**
 * Limits how many calls to one vendor this process makes at one time; the others wait in order.
 */
import { ProviderUnavailable } from './provider.ts';

interface Line {
  mostAtOnce: number;
  /** A call that waits longer fails, because the vendor does not answer the calls before it. */
  longestWaitMs: number;
}

/** A call that has waited too long is not made. @throws ProviderUnavailable */
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
      // The next call in the line takes this one's place.
      if (next === undefined) going -= 1;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}
