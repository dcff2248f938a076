/** Logs one line per request, with an id that the answer carries in X-Request-Id. */
import { randomBytes } from 'node:crypto';
import type { Context, Next } from 'koa';
import type { Logger } from 'pino';

export function logRequests(log: Logger) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const reqId = newRequestId();
    const start = performance.now();
    ctx.state['reqId'] = reqId;
    ctx.set('X-Request-Id', reqId);
    await next();
    logRequest(log, { reqId, method: ctx.method, path: ctx.path, status: ctx.status, start });
  };
}

/** Names the process and counts: unique and cheap, and it guards nothing. */
export function newRequestId(): string {
  requests += 1;
  return `${processName}${requests.toString(36)}`;
}
const processName = randomBytes(6).toString('base64url');
let requests = 0;

interface AnsweredRequest {
  reqId: string;
  method: string;
  path: string;
  status: number;
  /** By performance.now(). */ start: number;
}

export function logRequest(
  log: Logger,
  { reqId, method, path, status, start }: AnsweredRequest,
): void {
  const ms = Math.round(performance.now() - start);
  log.info({ req_id: reqId, method, path: maskPath(path), status, ms }, 'request');
}

/** Who knows the path of an order or of a payment may use it, and the desk may ask for an admission by its ticket's code: that part is not written down. */
export function maskPath(path: string): string {
  return path.replace(
    /(\/(?:orders|c\/pay|payment_pages|admissions(?!\/(?:recent|import)(?:\/|$)))\/)[^/]+/i,
    '$1…',
  );
}
