/** Development: our own server serves each app through Vite on one port, with hot reload. */
import { requireValue } from '#server/domain/require-value.ts';
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
/** The first match is used, so the longest base comes first. */
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

/**
 * Names the apps by path, so that the server imports nothing from them; chart.js is rebuilt when
 * its source changes.
 */
export async function serveWithVite(app: Ctx): Promise<DevPages> {
  const vites = new Vites();
  const watching = await build({
    configFile: join(apps, 'chart/vite.config.ts'),
    mode: 'development',
    logLevel: 'warn',
    build: { watch: {}, outDir: join(apps, '../dist/chart-dev') },
  });
  // Not awaited, so that the server starts sooner; the designer is not needed that early.
  const drawing = build({
    configFile: join(apps, 'chart/designer/vite.config.ts'),
    mode: 'development',
    logLevel: 'warn',
    build: { watch: {}, outDir: join(apps, '../dist/chart-dev/designer') },
  });
  return {
    attach: (server) => vites.attach(server),
    middleware: (ctx, next) => answer({ app, vites }, ctx, next),
    async close() {
      await vites.close();
      for (const watcher of [watching, await drawing])
        if ('close' in watcher) await watcher.close();
    },
  };
}

/** One Vite per app, started at the app's first request, because most starts need only one. */
class Vites {
  #server: Server | null = null;
  #opened = new Map<string, Promise<ViteDevServer>>();
  /** The bases whose Vite answers web sockets. */
  #open = new Set<string>();

  attach(server: Server): void {
    this.#server = server;
    // A page that was open before this start connects its socket again: that starts its Vite, and
    // then the page reloads.
    server.on('upgrade', ({ url = '' }, socket) => {
      const found = bases.find(([base]) => url.startsWith(`${base}hmr`));
      if (!found || this.#open.has(found[0])) return;
      void this.of(found);
      socket.destroy();
    });
  }

  /** Null while the server has no port yet. */
  of([base, app]: (typeof bases)[number]): Promise<ViteDevServer> | null {
    if (this.#server === null) return null;
    const known = this.#opened.get(base);
    if (known) return known;
    const opening = createServer({
      configFile: join(apps, app, 'vite.config.ts'),
      appType: 'custom',
      server: { middlewareMode: true, hmr: { server: this.#server, path: 'hmr' } },
    });
    const opened = opening.finally(() => this.#open.add(base));
    this.#opened.set(base, opened);
    return opened;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map(async (vite) => (await vite).close()));
  }
}

async function answer(
  { app, vites }: { app: Ctx; vites: Vites },
  ctx: Context,
  next: Next,
): Promise<void> {
  const base = requireValue(
    bases.find(([start]) => ctx.path.startsWith(start)),
    'app at this address',
  );
  const [, name] = base;
  // The first request waits until Vite has started.
  const vite = await vites.of(base);
  if (!vite) return next();
  // Vite adds inline scripts, which the production policy would block; tests check that policy.
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
