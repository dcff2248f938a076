/**
 * Drains before a stop: the proxy in front learns of it first, so that no request meets a closed
 * connection.
 */
import type { RequestListener } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Ctx } from '#server/services/context.ts';
import { isLeaving } from '#server/services/office/health.ts';

/**
 * A proxy keeps connections for its next request: once the stop is announced each of them ends
 * with its answer.
 */
export function endAfterAnswer(ctx: Ctx, next: RequestListener): RequestListener {
  return (req, res) => {
    if (isLeaving(ctx)) res.shouldKeepAlive = false;
    next(req, res);
  };
}

/**
 * Turns of the event loop that were too short to have done anything: each takes at most one
 * connection from the system's queue.
 */
const calmTurns = 30;
const calmMs = 0.5;
/** Under a rush there is no calm: then the port closes all the same. */
const longestWaitMs = 1_000;

/**
 * Ends when the system's queue of new connections is empty: connections that still wait there
 * when the port closes are cut off.
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
