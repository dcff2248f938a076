/** One line per request, with an id that also stands in the answer. */
import { randomBytes } from 'node:crypto';
import type { Context, Next } from 'koa';
import type { Logger } from 'pino';

export function logRequests(log: Logger) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const reqId = randomBytes(6).toString('base64url');
    const start = performance.now();
    ctx.state['reqId'] = reqId;
    ctx.set('X-Request-Id', reqId);
    await next();
    log.info(
      {
        req_id: reqId,
        method: ctx.method,
        path: maskPath(ctx.path),
        status: ctx.status,
        ms: Math.round(performance.now() - start),
      },
      'request',
    );
  };
}

/** Who knows the path of an order or of a payment may use it, and the desk may ask for an admission by its ticket's code: that part is not written down. */
export function maskPath(path: string): string {
  return path.replace(
    /(\/(?:orders|c\/pay|payment_pages|admissions(?!\/(?:recent|import)(?:\/|$)))\/)[^/]+/i,
    '$1…',
  );
}
