/** Writes that arrive in the same moment reach the disk in one go, because waiting for the disk is the dearest part of a booking. */
import { transactTogether } from './context.ts';
import type { Seatsio } from './context.ts';

/** Resolves once the work is on the disk, and rejects with what it threw; each is all or nothing by itself. */
export type WriteQueue = <T>(work: () => T) => Promise<T>;

interface Waiting { work: () => void; settle: () => void; fail: (error: unknown) => void }

/** In the order of arrival; nobody is answered before everything is safe. */
export function openWriteQueue(ctx: Seatsio): WriteQueue {
  let waiting: Waiting[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    try {
      if (batch.length === 1) batch[0]!.work();
      else transactTogether(ctx, batch.map(({ work }) => work));
    } catch (error) {
      for (const { fail } of batch) fail(error);
      return;
    }
    for (const { settle } of batch) settle();
  };
  return <T>(work: () => T) => new Promise<T>((resolve, reject) => {
    let settle = () => {};
    waiting.push({
      work() {
        try {
          const value = work();
          settle = () => resolve(value);
        } catch (error) {
          settle = () => reject(error as Error);
        }
      },
      settle: () => settle(), fail: reject,
    });
    if (waiting.length === 1) setImmediate(flush);
  });
}
