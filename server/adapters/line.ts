/** Limits how many calls to one vendor this process makes at a time; the others wait in order. */
import { ProviderUnavailable } from './provider.ts';

interface Line {
  mostAtOnce: number;
  /** A call that waits longer fails: the vendor is not answering the calls before it. */
  longestWaitMs: number;
}

/** Makes the line; a call that has waited too long is not made. @throws ProviderUnavailable */
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
      // If a call waits, it takes this one's place, and the number of running calls stays.
      if (next === undefined) going -= 1;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}
