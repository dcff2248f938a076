/**
 * Sends JSON with an ETag, so that a client that asks again hears in a few bytes that nothing has
 * changed.
 */
import { hash } from 'node:crypto';
import type { Context } from 'koa';

/** Equal for equal texts only. */
export function digestOf(text: string | Buffer): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/**
 * Weak, because compression varies, and because the time of counting is not part of what it says.
 */
export function sendTagged(ctx: Context, reply: unknown): void {
  const text = JSON.stringify(reply);
  ctx.status = 200;
  ctx.set('Cache-Control', 'private, no-cache');
  const news = JSON.stringify(reply, (name, value: unknown) =>
    name === 'counted_at' ? undefined : value,
  );
  const etag = `W/"${digestOf(news)}"`;
  ctx.set('ETag', etag);
  if (hasAlready(ctx.get('if-none-match'), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'json';
  ctx.body = text;
}

/**
 * A proxy may have made a tag weak, so weak and strong are equal (RFC 9110 §13.1.2). Koa's own
 * check obeys `Cache-Control: no-cache`, which fetch() sends beside every tag.
 */
export function hasAlready(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  if (header === etag || header === '*') return true;
  const bare = etag.replace(/^W\//, '');
  return header.split(',').some((known) => known.trim().replace(/^W\//, '') === bare);
}
