/** One line per request, with an id that also stands in the answer. */
import { randomBytes } from 'node:crypto';
import type { Context, Next } from 'koa';
import type { Logger } from 'pino';

/** Paths of orders and pairings are capabilities: the last part of such a path is not written down. */
export function logRequests(log: Logger) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const reqId = randomBytes(6).toString('base64url');
    const start = performance.now();
    ctx.state['reqId'] = reqId;
    ctx.set('X-Request-Id', reqId);
    await next();
    log.info({ req_id: reqId, method: ctx.method, path: ctx.path.replace(/(\/orders\/)[^/]+/, '$1…'), status: ctx.status, ms: Math.round(performance.now() - start) }, 'request');
  };
}
