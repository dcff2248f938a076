/** Turns whatever was thrown into the one error shape; what is not a refusal is a 500 with a neutral sentence. */
import type { Context, Next } from 'koa';
import type { Logger } from 'pino';
import { errorReplyOf } from '#server/contract/errors.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { maskPath } from './log.ts';

/** `isBusy` says whether the database only asks for patience. */
export function translateErrors({ log, isBusy }: { log: Logger; isBusy: (error: unknown) => boolean }) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const refusal = refusalOf(error, isBusy);
      if (refusal.code === 'unexpected') log.error({ err: error, req_id: ctx.state['reqId'], method: ctx.method, path: maskPath(ctx.path) }, 'unexpected error');
      answerError(ctx, refusal);
    }
  };
}

export function answerError(ctx: Context, refusal: Refusal): void {
  const reply = errorReplyOf(refusal.code, refusal.detail);
  ctx.status = reply.status;
  ctx.body = reply;
  ctx.set('Cache-Control', 'no-store');
  if (refusal.code === 'try_again' || refusal.code === 'provider_silent') ctx.set('Retry-After', '3');
}

function refusalOf(error: unknown, isBusy: (error: unknown) => boolean): Refusal {
  if (error instanceof Refusal) return error;
  if (isBusy(error)) return new Refusal('try_again');
  // Koa and its parsers throw errors with a status for what a client did wrong.
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 413) return new Refusal('body_too_large');
  if (status === 415) return new Refusal('wrong_content_type');
  if (status === 404) return new Refusal('not_found');
  if (typeof status === 'number' && status >= 400 && status < 500) return new Refusal('bad_request');
  // The client hung up in mid-request: nobody hears the answer.
  if ((error as { code?: unknown } | null)?.code === 'ECONNRESET') return new Refusal('bad_request');
  return new Refusal('unexpected');
}
