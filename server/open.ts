/** Opens the whole product on its port, and closes it in order: main.ts and the tests do it the same way. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createContext, type House, type Overrides } from './context.ts';
import { serveFront } from './http/front.ts';
import { headersOf } from './http/headers.ts';
import { builtPages } from './http/pages.ts';
import { startRunner } from './jobs/runner.ts';
import { seedDemo } from './services/demo.ts';
import { leave } from './services/health.ts';
import { inviteFirstAdmin } from './services/users.ts';

export interface OpenHouse extends House {
  url: string;
  /** One-time link for the first admin; null when there is one. */
  invite: string | null;
}

export interface OpenOptions extends Overrides { /** False: tests run due work themselves. */ worker?: boolean }

/** Requests in flight get this long at the end. */
const lastWordsMs = 3_000;

export async function openHouse(config: Config, options: OpenOptions = {}): Promise<OpenHouse> {
  const house = await createContext(config, options);
  const { ctx } = house;
  try {
    // At the real vendors events are made in the office; the demo belongs to the stand-ins, ours or those of `npm run standins`.
    if (house.addresses.seatsio && house.addresses.stripe) await seedDemo(ctx);
    const pages = config.dev ? await (await import('./http/dev.ts')).serveWithVite(ctx) : undefined;
    const koa = createApp(config, house, pages?.middleware).callback();
    const outside = { publicUrl: config.publicUrl, realSeatsio: house.addresses.seatsio === null, monitoring: ctx.monitoring };
    // Vite draws its pages anew each time.
    const handler = pages === undefined ? serveFront({ ctx, source: builtPages(config.dist), headers: headersOf(outside), koa }) : koa;
    const server = createServer({ connectionsCheckingInterval: 2_000, headersTimeout: 5_000, requestTimeout: 15_000, keepAliveTimeout: 5_000 }, handler);
    pages?.attach(server);
    server.listen(config.port);
    await once(server, 'listening');
    // Not before the port is ours: a second start by mistake must not make the running server's link worthless.
    const invite = await inviteFirstAdmin(ctx);
    const runner = options.worker === false ? null : startRunner(ctx);
    if (runner) ctx.wake = runner.wake;
    return {
      ...house, url: config.publicUrl, invite,
      async close() {
        leave(ctx);
        await pages?.close();
        const closed = once(server, 'close');
        server.close();
        server.closeIdleConnections();
        // Live streams would keep us for ever; they reconnect by themselves.
        const timer = setTimeout(() => server.closeAllConnections(), lastWordsMs);
        await runner?.stop();
        await closed;
        clearTimeout(timer);
        await house.close();
      },
    };
  } catch (error) {
    await house.close();
    throw error;
  }
}
