/** Cuts long work into slices, and lets other requests run between two slices. */
import { setImmediate as yieldToLoop } from 'node:timers/promises';

const atOnce = 500;

export async function inTurns<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const done: R[] = [];
  for (const item of items) {
    done.push(work(item));
    if (done.length % atOnce === 0) await yieldToLoop();
  }
  return done;
}
