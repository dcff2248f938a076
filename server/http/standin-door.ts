/** The door under our public origin to what a visitor's browser needs of the stand-ins; their secret-key APIs stay behind it. */
import { request } from 'node:http';
import type { Context, Next } from 'koa';
import { Refusal } from '#server/domain/refusal.ts';
import { answerError } from './errors.ts';
import type { Limits } from './limits.ts';

export interface StandinAddress { hostname: string; port: number }
export interface StandinAddresses { seatsio: StandinAddress | null; stripe: StandinAddress | null }

/** Only these, per vendor, and only with these methods. */
const open: Record<keyof StandinAddresses, RegExp> = {
  seatsio: /^(?:GET|HEAD) \/(?:chart\.js|assets\/[\w.-]+|system\/public\/[^/]+\/(?:rendering-info|hold-tokens\/[\w-]+|events\/[^/]+\/stream))$|^POST \/system\/public\/[^/]+\/(?:hold-tokens|events\/[^/]+\/actions\/(?:hold|release))$/,
  stripe: /^(?:GET|HEAD) \/c\/pay\/[\w-]+$|^GET \/v1\/payment_pages\/\w+$|^POST \/v1\/(?:payment_pages\/\w+\/confirm|payment_methods)$/,
};

/** Streams both ways, so that live events arrive one by one; a stand-in that is away is a clear 503. */
export function standinDoor(addresses: StandinAddresses, limits: Limits) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (!/^\/standins(\/|$)/.test(ctx.path)) return next();
    const match = /^\/standins\/(seatsio|stripe)(\/.*)$/.exec(ctx.path);
    if (!match) return answerError(ctx, new Refusal('not_found'));
    const vendor = match[1] as keyof StandinAddresses;
    const address = addresses[vendor];
    if (!address || !open[vendor].test(`${ctx.method} ${match[2]}`)) return answerError(ctx, new Refusal('not_found'));
    // Tokens, holds and tries at a card: nobody shall make them by the thousand.
    await limits.count(ctx, ctx.method === 'POST' ? 'hold' : 'read');
    await pass(ctx, address, match[2]! + ctx.search);
  };
}

function pass(ctx: Context, address: StandinAddress, path: string): Promise<void> {
  return new Promise((resolve) => {
    const { host: _host, cookie: _cookie, authorization: _authorization, connection: _connection, ...headers } = ctx.req.headers;
    const upstream = request({ ...address, method: ctx.method, path, headers: { ...headers, 'x-forwarded-for': ctx.ip } });
    upstream.on('response', (answer) => {
      ctx.status = answer.statusCode ?? 502;
      // The page behind the door has its own policy.
      ctx.remove('Content-Security-Policy');
      for (const [name, value] of Object.entries(answer.headers)) {
        if (value !== undefined && !['connection', 'keep-alive', 'transfer-encoding', 'set-cookie'].includes(name)) ctx.set(name, value);
      }
      if (answer.headers['content-type']?.startsWith('text/event-stream')) ctx.req.socket.setTimeout(0);
      ctx.body = answer;
      resolve();
    });
    upstream.on('error', () => {
      if (!ctx.res.headersSent) answerError(ctx, new Refusal('provider_silent'));
      resolve();
    });
    ctx.res.on('close', () => upstream.destroy());
    ctx.req.pipe(upstream);
  });
}
