/**
 * Drains before a stop: the proxy in front learns of the stop first, so that no request meets a
 * closed connection.
 */
import type { RequestListener } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Ctx } from '#server/services/context.ts';
import { isLeaving } from '#server/services/office/health.ts';

/**
 * Once a stop is announced each connection closes after its answer, because a proxy would use it
 * again.
 */
export function endAfterAnswer(ctx: Ctx, next: RequestListener): RequestListener {
  return (req, res) => {
    if (isLeaving(ctx)) res.shouldKeepAlive = false;
    next(req, res);
  };
}

/**
 * The queue counts as empty after so many rounds of the event loop in a row, each shorter than
 * `calmMs`. A round accepts at most one waiting connection.
 */
const calmTurns = 30;
const calmMs = 0.5;
/** Under load there are no such rounds, so the port closes after this time anyway. */
const longestWaitMs = 1_000;

/**
 * Resolves when the system's queue of new connections is empty, because closing the port would
 * cut off those in it.
 */
export async function drain(ms: number): Promise<void> {
  if (ms > 0) await setTimeout(ms);
  const end = performance.now() + longestWaitMs;
  for (let calm = 0; calm < calmTurns && performance.now() < end;) {
    const began = performance.now();
    await setImmediate();
    calm = performance.now() - began < calmMs ? calm + 1 : 0;
  }
}
