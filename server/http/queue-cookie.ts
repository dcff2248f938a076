/** The cookie with a visitor's place in a waiting room, sent only with calls about the event. */
import type { Context } from 'koa';
import type { Ctx } from '#server/services/context.ts';

/** The page about cookies names it. */
export const placeCookieName = 'place';
/** In ms; no visitor waits longer. */
const maxAge = 2 * 24 * 3_600_000;

export function placeCookie(http: Context): string | undefined {
  return http.cookies.get(placeCookieName);
}

export function setPlaceCookie(
  app: Ctx,
  http: Context,
  { event_id, cookie }: { event_id: string; cookie: string },
): void {
  const secure = app.publicUrl.startsWith('https:');
  // Behind a proxy that ends TLS Koa sees plain HTTP, so the public address decides.
  http.cookies.secure = secure;
  http.cookies.set(placeCookieName, cookie, {
    httpOnly: true,
    sameSite: 'lax',
    path: `/api/event/${encodeURIComponent(event_id)}`,
    secure,
    overwrite: true,
    maxAge,
  });
}
