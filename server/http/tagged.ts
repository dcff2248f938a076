/** Sends JSON with an ETag, so that a repeated request gets 304 while nothing has changed. */
import { hash } from 'node:crypto';
import type { Context } from 'koa';

export function digestOf(text: string | Buffer): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** The ETag is weak, because compression varies and `counted_at` is left out of it. */
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
 * Compares weak and strong tags as equal, because a proxy may have made ours weak (RFC 9110
 * §13.1.2). Koa's own check would obey the `Cache-Control: no-cache` that fetch() sends with
 * every tag.
 */
export function hasAlready(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  if (header === etag || header === '*') return true;
  const bare = etag.replace(/^W\//, '');
  return header.split(',').some((known) => known.trim().replace(/^W\//, '') === bare);
}
