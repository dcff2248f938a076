/**
 * Turns any thrown error into an error reply; any error except a Refusal becomes a 500 with a
 * neutral sentence.
 */
import type { Context, Next } from 'koa';
import type { Logger } from 'pino';
import { errorReplyOf } from '#server/contract/errors.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { awayPage, awayScriptHash, isVisited } from './away-page.ts';
import { maskPath, noteAbout } from './log.ts';
import { refusedPage, wantsPage } from './refused-file.ts';

/** The tests that recognise database errors; `server/http` does not import the databases. */
interface Trouble {
  isDatabaseBusy: (error: unknown) => boolean;
  isDiskFull: (error: unknown) => boolean;
  isDatabaseAway: (error: unknown) => boolean;
}

export function translateErrors({ log, ...trouble }: { log: Logger } & Trouble) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const refusal = refusalOf(error, trouble);
      const words = troubleWords[refusal.code];
      if (words !== undefined)
        log.error(
          { err: error, req_id: ctx.state['reqId'], method: ctx.method, path: maskPath(ctx.path) },
          words,
        );
      tellCause(log, ctx, refusal);
      noteAbout(ctx, { code: refusal.code });
      answerError(ctx, refusal);
    }
  };
}

/** The errors that are logged with their stack. */
const troubleWords: Partial<Record<Refusal['code'], string>> = {
  unexpected: 'unexpected error',
  no_room: 'no room left to write',
  database_away: 'the database is away',
};

/** Logs a refusal's cause, if it has one: the fault may be ours, such as a wrong clock or key. */
function tellCause(log: Logger, ctx: Context, refusal: Refusal): void {
  const { code, detail, message } = refusal;
  // A provider's error has a message besides its code.
  const cause = message === code ? refusal.cause : refusal;
  if (cause === undefined && code !== 'provider_silent' && code !== 'webhook_signature') return;
  const why = cause instanceof Error ? cause.message : (detail as { reason?: unknown })?.reason;
  const asked = { req_id: ctx.state['reqId'] as string, method: ctx.method };
  log.warn({ ...asked, path: maskPath(ctx.path), code, why, err: cause }, code);
}

/** Temporary refusals: a browser gets a page that tries again by itself. */
const comesBack = new Set<string>(['database_away', 'no_room', 'try_again']);

export function answerError(ctx: Context, refusal: Refusal): void {
  const reply = errorReplyOf(refusal.code, refusal.detail);
  ctx.status = reply.status;
  if (comesBack.has(refusal.code) && isVisited(ctx)) {
    ctx.type = 'html';
    ctx.body = awayPage(reply.message);
    const policy = ctx.response.get('Content-Security-Policy');
    ctx.set('Content-Security-Policy', policy.replace('script-src', `$& ${awayScriptHash}`));
  } else if (wantsPage(ctx)) {
    ctx.type = 'html';
    ctx.body = refusedPage(ctx.path, reply);
  } else ctx.body = reply;
  ctx.set('Cache-Control', 'no-store');
  if (refusal.code === 'try_again' || refusal.code === 'provider_silent')
    ctx.set('Retry-After', '3');
  if (refusal.code === 'database_away') ctx.set('Retry-After', '5');
  if (refusal.code === 'no_room') ctx.set('Retry-After', '60');
  const { retry_after_seconds } = (refusal.detail ?? {}) as { retry_after_seconds?: number };
  if (retry_after_seconds !== undefined) ctx.set('Retry-After', String(retry_after_seconds));
  // The rest of the body is not waited for.
  if (refusal.code === 'body_too_slow') ctx.set('Connection', 'close');
}

function refusalOf(
  error: unknown,
  { isDatabaseBusy, isDiskFull, isDatabaseAway }: Trouble,
): Refusal {
  if (error instanceof Refusal) return error;
  if (isDatabaseBusy(error)) return new Refusal('try_again');
  if (isDiskFull(error)) return new Refusal('no_room');
  if (isDatabaseAway(error)) return new Refusal('database_away');
  // Koa and its parsers throw errors with a `status` for mistakes of the client.
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 413) return new Refusal('body_too_large');
  if (status === 415) return new Refusal('wrong_content_type');
  if (status === 404) return new Refusal('not_found');
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new Refusal('bad_request');
  // The client has hung up and will not read the answer.
  if ((error as { code?: unknown } | null)?.code === 'ECONNRESET')
    return new Refusal('bad_request');
  return new Refusal('unexpected');
}
