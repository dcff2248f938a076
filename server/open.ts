/** Opens the whole product on its port, and closes it in order: main.ts and the tests do it the same way. */
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { once } from 'node:events';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createContext, type House, type Overrides } from './context.ts';
import { nearestProxy } from './http/caller.ts';
import { boundConnections, inTurn } from './http/connections.ts';
import { serveFront } from './http/front.ts';
import { headersOf } from './http/headers.ts';
import { builtPages } from './http/pages.ts';
import { onlyPaths } from './http/target.ts';
import { startRunner } from './jobs/runner.ts';
import { seedDemo } from './services/event/demo.ts';
import { closeLive } from './services/door/live.ts';
import { flushContacts } from './services/door/known-phones.ts';
import { announceStop } from './services/office/health.ts';
import { inviteFirstAdmin } from './services/user/users.ts';

export interface OpenHouse extends House {
  url: string;
  /** One-time link for the first admin; null when there is one. */
  invite: string | null;
}

export interface OpenOptions extends Overrides {
  /** False: tests run due work themselves. */ worker?: boolean;
}

/** A phone sends its queue over whatever line there is, and gives up after thirty seconds. */
const patience = {
  connectionsCheckingInterval: 2_000,
  headersTimeout: 5_000,
  requestTimeout: 35_000,
  keepAliveTimeout: 5_000,
};
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
    const outside = {
      publicUrl: config.publicUrl,
      ownCertificate: house.certificate !== null,
      realSeatsio: house.addresses.seatsio === null,
      monitoring: ctx.monitoring,
    };
    // Vite draws its pages anew each time.
    const handler = inTurn(
      onlyPaths(
        pages === undefined
          ? serveFront({ ctx, source: builtPages(config.dist), headers: headersOf(outside), koa })
          : koa,
      ),
    );
    const server = createServer(patience, handler);
    pages?.attach(server);
    const isProxy = nearestProxy(config.proxies);
    boundConnections(server, isProxy);
    server.listen({ port: config.port, ...(config.host === null ? {} : { host: config.host }) });
    await once(server, 'listening');
    const servers: Server[] = [server];
    if (house.certificate && config.httpsPort !== null) {
      const { current } = house.certificate;
      const secure = createSecureServer({ ...patience, ...current() }, handler);
      boundConnections(secure, isProxy);
      secure.listen({
        port: config.httpsPort,
        ...(config.host === null ? {} : { host: config.host }),
      });
      await once(secure, 'listening').catch((error: unknown) => {
        server.close();
        throw error;
      });
      servers.push(secure);
      house.certificate.onChange = () => secure.setSecureContext(current());
    }
    // Not before the port is ours: a second start by mistake must not make the running server's link worthless.
    const invite = await inviteFirstAdmin(ctx);
    const runner = options.worker === false ? null : startRunner(ctx);
    if (runner) ctx.wake = runner.wake;
    return {
      ...house,
      url: config.publicUrl,
      invite,
      async close() {
        announceStop(ctx);
        await pages?.close();
        const closed = servers.map((one) => once(one, 'close'));
        for (const one of servers) {
          one.close();
          one.closeIdleConnections();
        }
        // Live streams would keep us for ever; they reconnect by themselves.
        closeLive(ctx);
        const timer = setTimeout(
          () => servers.forEach((one) => one.closeAllConnections()),
          lastWordsMs,
        );
        await runner?.stop();
        await Promise.all(closed);
        clearTimeout(timer);
        await flushContacts(ctx);
        await house.close();
      },
    };
  } catch (error) {
    await house.close();
    throw error;
  }
}
