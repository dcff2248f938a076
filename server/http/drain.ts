/** Takes leave of the proxy in front: first it learns of it, then nobody is left on a connection that closes. */
import type { RequestListener } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Ctx } from '#server/services/context.ts';
import { isLeaving } from '#server/services/office/health.ts';

/** A proxy keeps connections for its next request: once the stop is announced each of them ends with its answer. */
export function endAfterAnswer(ctx: Ctx, next: RequestListener): RequestListener {
  return (req, res) => {
    if (isLeaving(ctx)) res.shouldKeepAlive = false;
    next(req, res);
  };
}

/** Ends right after the system's queue of new connections was emptied: whoever still waits there when the port closes is cut off. */
export async function drain(ms: number): Promise<void> {
  if (ms > 0) await setTimeout(ms);
  await setImmediate();
}
