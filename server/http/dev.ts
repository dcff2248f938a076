/** Development: Vite as middleware inside our own server, one per app, all on one port, with hot reload. */
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Context, Middleware, Next } from 'koa';
import { build, createServer, type ViteDevServer } from 'vite';

const apps = join(import.meta.dirname, '../../apps');
/** The longest base first. */
const bases: [base: string, app: string][] = [['/scanner/', 'scanner'], ['/admin/', 'admin'], ['/', 'booking']];

export interface DevPages { middleware: Middleware; attach: (server: Server) => void; close: () => Promise<void> }

/** Apps are named by path, so the server imports nothing of theirs; chart.js is rebuilt on change. */
export async function serveWithVite(): Promise<DevPages> {
  const vites = new Map<string, ViteDevServer>();
  const watching = await build({ configFile: join(apps, 'chart/vite.config.ts'), mode: 'development', logLevel: 'warn', build: { watch: {}, outDir: join(apps, '../dist/chart-dev') } });
  return {
    attach(server) {
      for (const [base, app] of bases) {
        const vite = createServer({ configFile: join(apps, app, 'vite.config.ts'), appType: 'custom', server: { middlewareMode: true, hmr: { server, path: `${base}hmr` } } });
        void vite.then((ready) => vites.set(base, ready));
      }
    },
    middleware: (ctx, next) => answer(vites, ctx, next),
    async close() {
      await Promise.all([...vites.values()].map((vite) => vite.close()));
      if ('close' in watching) await watching.close();
    },
  };
}

async function answer(vites: ReadonlyMap<string, ViteDevServer>, ctx: Context, next: Next): Promise<void> {
  const [base, app] = bases.find(([start]) => ctx.path.startsWith(start))!;
  const vite = vites.get(base);
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
  ctx.type = 'html';
  ctx.body = await vite.transformIndexHtml(ctx.originalUrl, await readFile(join(apps, app, 'index.html'), 'utf8'));
}
