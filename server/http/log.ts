/** Logs one line per request: its id (X-Request-Id in the answer), the caller, the order. */
import { randomBytes } from 'node:crypto';
import type { Context, Next } from 'koa';
import type { Logger } from 'pino';

/** Only ids: never a token, a code, an address or a name. */
interface About {
  order_id?: string;
  device_id?: string;
  user_id?: string;
  /** The code of a refusal. */ code?: string;
}

export function logRequests(log: Logger) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const reqId = newRequestId();
    const start = performance.now();
    ctx.state['reqId'] = reqId;
    ctx.set('X-Request-Id', reqId);
    await next();
    const { method, path, status } = ctx;
    logRequest(log, { reqId, method, path, status, start, about: aboutOf(ctx) });
  };
}

/** Adds facts about the caller and the subject to the request's log line. */
export function noteAbout(ctx: Context, about: About): void {
  ctx.state['about'] = { ...(ctx.state['about'] as About | undefined), ...about };
}

function aboutOf(ctx: Context): About {
  // Elsewhere the path has the secret of the buyer's link.
  const order_id = /^\/api\/admin\/.*\/?orders\/([\w-]{20,40})(?:\/|$)/.exec(ctx.path)?.[1];
  return { order_id, ...(ctx.state['about'] as About | undefined) };
}

/** The process's name and a counter: unique, cheap, and not secret. */
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
  /** The start of the request, by performance.now(). */ start: number;
  about?: About;
}

export function logRequest(
  log: Logger,
  { reqId, method, path, status, start, about }: AnsweredRequest,
): void {
  // The level comes first, because masking costs more than an answer from memory.
  if (!log.isLevelEnabled('info')) return;
  const ms = Math.round(performance.now() - start);
  log.info({ req_id: reqId, method, path: maskPath(path), status, ms, ...about }, 'request');
}

/** Masks ids of orders and payments and codes of tickets, because they are secrets. */
export function maskPath(path: string): string {
  return path.replace(
    /(\/(?:orders|c\/pay|payment_pages|admissions(?!\/(?:recent|import)(?:\/|$)))\/)[^/]+/i,
    '$1…',
  );
}
