/** Counts and times requests by their endpoint's route, and decides who may read /metrics. */
import { timingSafeEqual } from 'node:crypto';
import type { Context, Next } from 'koa';
import type { Ctx } from '#server/services/context.ts';
import { isLoopback } from './limits.ts';
import { measureRequest } from '#server/services/kit/measures.ts';

export function measureRequests(app: Ctx) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const began = performance.now();
    try {
      await next();
    } finally {
      measureRequest(app, {
        route: routeOf(ctx),
        method: ctx.method,
        status: ctx.status,
        seconds: (performance.now() - began) / 1000,
      });
    }
  };
}

/** All pages and files share one route, and unknown addresses another. */
function routeOf(ctx: Context): string {
  const matched: unknown = Reflect.get(ctx, '_matchedRoute');
  if (typeof matched === 'string') return matched;
  return /^\/(api|standins)(\/|$)/.exec(ctx.path)?.[1] ?? 'pages';
}

const thisMachine = /^(?:localhost|127\.0\.0\.1|\[::1\])$/i;

/**
 * If a token is set, only callers who send it may read /metrics. Otherwise only this machine may,
 * and only if the public address is this machine too, because behind a proxy every caller looks
 * local.
 */
export function maySeeMetrics(
  ctx: Context,
  { publicUrl, token }: { publicUrl: string; token: string | null },
): boolean {
  if (token !== null) {
    const [shown, wanted] = [Buffer.from(ctx.get('authorization')), Buffer.from(`Bearer ${token}`)];
    return shown.length === wanted.length && timingSafeEqual(shown, wanted);
  }
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some(
    (header) => ctx.get(header) !== '',
  );
  // Another site may point its name at this machine (DNS rebinding); the browser then sends that
  // name.
  return (
    !isForwarded &&
    isLoopback(ctx.req.socket.remoteAddress ?? '') &&
    [new URL(publicUrl).hostname, ctx.hostname].every((name) => thisMachine.test(name))
  );
}
