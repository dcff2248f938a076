/** Development: Vite as middleware inside our own server, one per app, all on one port, with hot reload. */
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Context, Middleware, Next } from 'koa';
import { build, createServer, type ViteDevServer } from 'vite';
import type { Ctx } from '#server/services/context.ts';
import { makePage, type ServerEntry } from './pages.ts';
import { isPage } from './static.ts';
import { markTrial } from './trial-mark.ts';

const apps = join(import.meta.dirname, '../../apps');
/** The longest base first. */
const bases: [base: string, app: string][] = [
  ['/scanner/', 'scanner'],
  ['/admin/', 'admin'],
  ['/', 'booking'],
];

interface DevPages {
  middleware: Middleware;
  attach: (server: Server) => void;
  close: () => Promise<void>;
}

/** Apps are named by path, so the server imports nothing of theirs; chart.js is rebuilt on change. */
export async function serveWithVite(app: Ctx): Promise<DevPages> {
  const vites = new Map<string, Promise<ViteDevServer>>();
  const watching = await build({
    configFile: join(apps, 'chart/vite.config.ts'),
    mode: 'development',
    logLevel: 'warn',
    build: { watch: {}, outDir: join(apps, '../dist/chart-dev') },
  });
  return {
    attach(server) {
      for (const [base, app] of bases) {
        vites.set(
          base,
          createServer({
            configFile: join(apps, app, 'vite.config.ts'),
            appType: 'custom',
            server: { middlewareMode: true, hmr: { server, path: `${base}hmr` } },
          }),
        );
      }
    },
    middleware: (ctx, next) => answer({ app, vites }, ctx, next),
    async close() {
      await Promise.all([...vites.values()].map(async (vite) => (await vite).close()));
      if ('close' in watching) await watching.close();
    },
  };
}

async function answer(
  { app, vites }: { app: Ctx; vites: ReadonlyMap<string, Promise<ViteDevServer>> },
  ctx: Context,
  next: Next,
): Promise<void> {
  const [base, name] = bases.find(([start]) => ctx.path.startsWith(start))!;
  // The first request may come before Vite is ready.
  const vite = await vites.get(base);
  if (!vite) return next();
  // Vite's own scripts are inline and from this origin; the production policy is tested on the built apps.
  ctx.remove('Content-Security-Policy');
  const passed = await new Promise<boolean>((resolve) => {
    ctx.res.once('close', () => resolve(false));
    vite.middlewares(ctx.req, ctx.res, () => resolve(true));
  });
  if (!passed) {
    ctx.respond = false;
    return;
  }
  const template = async () =>
    vite.transformIndexHtml(
      ctx.originalUrl,
      await readFile(join(apps, name, 'index.html'), 'utf8'),
    );
  ctx.type = 'html';
  if (name !== 'booking') {
    ctx.body = name === 'admin' ? markTrial(await template(), app) : await template();
    return;
  }
  const entry = async () => (await vite.ssrLoadModule('/server-entry.tsx')) as ServerEntry;
  const { status, html } = await makePage(
    app,
    { template, entry },
    { path: ctx.path, known: isPage(ctx.path) },
  );
  ctx.status = status;
  ctx.body = html;
}
