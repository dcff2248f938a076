/** Serves what machines read: sitemap.xml, robots.txt, security.txt, the events' calendars. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { isoOf } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';
import { programmeCalendar } from '#server/services/site/calendar.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { sitePages } from '#server/services/site/sitemap.ts';
import { escapeHtml } from '#server/domain/text/plain-text.ts';
import { digestOf } from './tagged.ts';

export interface Facts {
  router: Router;
  ctx: Ctx;
}

/** Ten minutes: search engines ask seldom, but a new event should not wait a day. */
const keptSeconds = 600;

export function serveSitemap({ router, ctx: app }: Facts): void {
  router.get('/sitemap.xml', async (http) => {
    const entries = (await sitePages(app)).map(
      ({ path, changed_on }) =>
        `<url><loc>${escapeHtml(`${app.publicUrl}${path}`)}</loc>${changed_on === null ? '' : `<lastmod>${changed_on}</lastmod>`}</url>`,
    );
    http.type = 'application/xml';
    http.set('Cache-Control', `public, max-age=${keptSeconds}`);
    http.body = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>\n`;
  });
  router.get('/calendario.ics', async (http) =>
    sendCalendar(http, await programmeCalendar(app, null)),
  );
  router.get('/calendario/:show.ics', async (http) =>
    sendCalendar(http, await programmeCalendar(app, http.params['show'] ?? '')),
  );
  router.get('/robots.txt', (http) => {
    http.type = 'text/plain';
    http.set('Cache-Control', `public, max-age=${keptSeconds}`);
    http.body = `User-agent: *\n${closed.map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${app.publicUrl}/sitemap.xml\n`;
  });
  router.get('/.well-known/security.txt', async (http, next) => {
    const { email } = await organiserOf(app);
    // Without a contact this file must not exist (RFC 9116), so the next handler answers 404.
    if (email === null) return next();
    http.type = 'text/plain';
    http.set('Cache-Control', `public, max-age=${keptSeconds}`);
    http.body = [
      `Contact: mailto:${email}`,
      `Expires: ${isoOf(app.now() + goodForMs)}`,
      'Preferred-Languages: it, en',
      `Canonical: ${app.publicUrl}/.well-known/security.txt`,
      '',
    ].join('\n');
    return undefined;
  });
}

/** The file expires after this; RFC 9116 advises less than a year. */
const goodForMs = 90 * 24 * 3_600_000;
/** Sends a calendar with an ETag: programs ask often, and nearly always nothing has changed. */
function sendCalendar(http: Context, text: string): void {
  http.status = 200;
  http.set('Cache-Control', `public, max-age=${keptSeconds}`);
  http.set('ETag', `"${digestOf(text)}"`);
  if (http.fresh) {
    http.status = 304;
    return;
  }
  http.type = 'text/calendar; charset=utf-8';
  http.body = text;
}

/** Paths that search engines must leave out: orders, and all that is for programs or staff. */
const closed = ['/orders', '/api', '/admin', '/scanner', '/standins'];
