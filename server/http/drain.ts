/**
 * Prepares a stop of the server so that no request meets a closed connection: ends each
 * connection after its answer, then waits until no new connection waits to be accepted.
 */
import type { RequestListener } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Ctx } from '#server/services/context.ts';
import { isLeaving } from '#server/services/office/health.ts';

/** In a stop each connection closes after its answer, because a proxy would use it again. */
export function endAfterAnswer(ctx: Ctx, next: RequestListener): RequestListener {
  return (req, res) => {
    if (isLeaving(ctx)) res.shouldKeepAlive = false;
    next(req, res);
  };
}

/**
 * The queue of new connections counts as empty after this many rounds of the event loop in a row
 * that were shorter than `calmMs`. A round accepts at most one connection.
 */
const calmTurns = 30;
const calmMs = 0.5;
/** Under load there are no such rounds; then the port closes after this time. */
const longestWaitMs = 1_000;

/**
 * Waits `ms`, then until the system's queue of new connections is empty, because closing the port
 * would cut off the connections in it.
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
