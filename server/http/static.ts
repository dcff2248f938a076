/**
 * Serves the built apps. Hashed assets never change, a missing asset gets a 404, and every other
 * path gets the page of its app.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { send } from '@koa/send';
import type { Context, Next } from 'koa';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { builtPages, makePage } from './pages.ts';
import { markTrial } from './trial-mark.ts';

interface Mount {
  base: string;
  folder: string;
  /** The paths of the app's pages; any other path gets the app's page with status 404. */
  pages: RegExp;
}

const mounts: Mount[] = [
  { base: '/scanner/', folder: 'scanner', pages: /./ },
  { base: '/admin/', folder: 'admin', pages: /./ },
  {
    base: '/',
    folder: 'booking',
    pages:
      /^\/$|^\/(?:condizioni|privacy|cookie|accessibilita|i-miei-biglietti|avviso)\/?$|^\/(?:event|anteprima|anteprima\/ordini)\/[^/]+\/?$|^\/orders\/[^/]+(?:\/from_stripe_cs\/[^/]+)?\/?$/,
  },
];

/** False: no app has a page at this path. */
export function isPage(path: string): boolean {
  return mountOf(path).pages.test(path);
}

function mountOf(path: string): Mount {
  return requireValue(
    mounts.find(({ base }) => path.startsWith(base)),
    'app at this address',
  );
}

/**
 * Serves the pages of all apps; the paths `/api` and `/standins` never come here. The camera is
 * allowed for the scanner, and for the office, which reads a phone's exported codes with it.
 */
export function serveApps(dist: string, app: Ctx) {
  const drawn = builtPages(dist);
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/scanner' || ctx.path === '/admin') {
      ctx.status = 301;
      ctx.redirect(`${ctx.path}/${ctx.search}`);
      return;
    }
    const mount = mountOf(ctx.path);
    const root = join(dist, mount.folder);
    ctx.set(
      'Permissions-Policy',
      `camera=(${mount.folder === 'booking' ? '' : 'self'}), microphone=(), geolocation=()`,
    );
    const path = ctx.path.slice(mount.base.length);
    // The scanner's service worker adds the slash to its address, which lies outside of its folder.
    if (ctx.path === '/scanner/sw.js') ctx.set('Service-Worker-Allowed', '/scanner');
    if (path !== '' && (await sendFile(ctx, root, path))) return;
    if (path.startsWith('assets/') || path.startsWith('images/')) return next();
    const known = isPage(ctx.path);
    // A page is missing only during a build.
    const { status, html, personal } =
      mount.folder === 'booking'
        ? await makePage(app, drawn, { path: ctx.path, known })
        : {
            status: known ? 200 : 404,
            personal: false,
            html: await pageOf(root, mount.folder, app),
          };
    ctx.status = status;
    ctx.type = 'html';
    ctx.set('Cache-Control', personal ? 'private, no-store' : 'no-cache');
    ctx.body = html;
  };
}

/** The built page; in a trial of sales the office's page is marked. */
async function pageOf(root: string, folder: string, app: Ctx): Promise<string> {
  const html = await readFile(join(root, 'index.html'), 'utf8').catch(() => {
    throw new Refusal('try_again');
  });
  return folder === 'admin' ? markTrial(html, app) : html;
}

async function sendFile(ctx: Context, root: string, path: string): Promise<boolean> {
  try {
    const hashed = path.startsWith('assets/');
    const found = await send(ctx, path, {
      root,
      maxAge: hashed ? 365 * 24 * 3_600_000 : 0,
      immutable: hashed,
      brotli: true,
      gzip: true,
    });
    if (found === undefined) return false;
    ctx.vary('Accept-Encoding');
    if (!hashed)
      ctx.set('Cache-Control', path.startsWith('images/') ? 'public, max-age=3600' : 'no-cache');
    return true;
  } catch (error) {
    const status = (error as { status?: number }).status;
    if (status !== undefined && status < 500) return false;
    throw error;
  }
}
