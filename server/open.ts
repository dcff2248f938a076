/** Opens the whole product on its port and closes it in order, for main.ts and for tests. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { once } from 'node:events';
import type { Middleware } from 'koa';
import { createApp, outsideOf } from './app.ts';
import { wrongSecretsKey, type Config } from './config.ts';
import { createContext, type BuiltContext, type Overrides } from './context.ts';
import { nearestProxy } from './http/caller.ts';
import { boundConnections, inTurn } from './http/connections.ts';
import { serveDoor } from './http/door.ts';
import { drain, endAfterAnswer } from './http/drain.ts';
import { answerBroken } from './http/early.ts';
import { serveFront } from './http/front.ts';
import { serveQueue } from './http/queue-front.ts';
import { headersOf } from './http/headers.ts';
import { builtPages } from './http/pages.ts';
import { onlyPaths } from './http/target.ts';
import { Runner } from './jobs/runner.ts';
import type { Ctx } from './services/context.ts';
import { faultOfFolder } from './services/backup/folder.ts';
import { keepBookKey } from './services/book/key.ts';
import { hideDemo, seedDemo } from './services/event/demo.ts';
import { sealSecrets } from './services/event/secrets.ts';
import { closeLive } from './services/door/live.ts';
import { flushContacts } from './services/door/known-phones.ts';
import { announceStop } from './services/office/health.ts';
import { tellLostCharts } from './domain/office/lost-charts.ts';
import { watchCharts } from './services/office/lost-charts.ts';
import { noteStripeKey } from './services/office/stripe-change.ts';
import { forgetUnbelieved } from './services/office/proxies.ts';
import { watchClock } from './services/kit/clock.ts';
import { houseId } from './services/kit/house.ts';
import { overtaken } from './services/kit/processes.ts';
import { learnListeners } from './services/kit/listeners.ts';
import { sealQueueSeeds } from './services/queue/draw.ts';
import { sealProgramSecrets } from './services/program/addresses.ts';
import { sealAppSecrets } from './services/user/factors.ts';
import { inviteFirstAdmin } from './services/user/invitations.ts';
import { starting, tellPort, tellVendors } from './start-faults.ts';

export interface OpenProduct extends BuiltContext {
  url: string;
  /** The one-time link for the first admin; null if there is an admin. */
  invite: string | null;
  /** What a person must mend although the server runs; null if there is nothing. */
  warning: string | null;
  /** Aborted when a newer version has shut this one out: the process must end. */
  overtaken: AbortSignal;
}

export interface OpenOptions extends Overrides {
  /** False: tests run the due tasks themselves. */ worker?: boolean;
}

/** A phone may send its queue over a slow connection, and gives up after thirty seconds. */
const timeouts = {
  connectionsCheckingInterval: 2_000,
  headersTimeout: 5_000,
  requestTimeout: 35_000,
  keepAliveTimeout: 5_000,
  // http/target.ts refuses these requests with an error reply.
  requireHostHeader: false,
};
/** How long requests that have begun may take after a stop. */
const lastWordsMs = 3_000;

export async function openProduct(config: Config, options: OpenOptions = {}): Promise<OpenProduct> {
  const built = await createContext(config, options);
  try {
    return await open(config, built, options);
  } catch (error) {
    await built.close();
    throw error;
  }
}

/** Seals with the newest key what an older key or none has sealed. */
async function sealAll(ctx: Ctx): Promise<void> {
  const unreadable = await sealSecrets(ctx);
  if (unreadable > 0) throw wrongSecretsKey(unreadable);
  await sealAppSecrets(ctx);
  await sealProgramSecrets(ctx);
  await sealQueueSeeds(ctx);
}

async function open(
  config: Config,
  built: BuiltContext,
  { worker = true }: OpenOptions,
): Promise<OpenProduct> {
  const { ctx, addresses } = built;
  await watchClock(ctx);
  await sealAll(ctx);
  await learnListeners(ctx);
  await keepBookKey(ctx);
  await houseId(ctx);
  // The demo's events need stand-ins, ours or those of `npm run standins`; with real vendors the
  // office makes events.
  if (addresses.seatsio && addresses.stripe)
    await starting(tellVendors(config), () => seedDemo(ctx));
  await hideDemo(ctx);
  await noteStripeKey(ctx);
  const lost = tellLostCharts(await watchCharts(ctx));
  const pages = config.dev ? await (await import('./http/dev.ts')).serveWithVite(ctx) : undefined;
  const front = frontOf(config, built, pages?.middleware);
  const queue = serveQueue(ctx);
  const handler = endAfterAnswer(ctx, queue.atOnce(inTurn(onlyPaths(queue.later(front), ctx.log))));
  const servers = await starting(tellPort(config), () =>
    listen(config, built.certificate, {
      handler,
      attach(server) {
        answerBroken(server, ctx.log);
        // Ignores an unknown `Expect` (RFC 9110 §10.1.1), because Node's own refusal has no body.
        server.on('checkExpectation', handler);
        pages?.attach(server);
      },
    }),
  );
  // Comes after the port is open: a second start must not end the running server's link.
  const invite = await inviteFirstAdmin(ctx);
  await forgetUnbelieved(ctx);
  const runner = worker ? new Runner(ctx) : null;
  return {
    ...built,
    url: config.publicUrl,
    invite,
    warning: await warningOf(ctx, lost),
    overtaken: whenOvertaken(ctx, runner),
    async close() {
      announceStop(ctx);
      await pages?.close();
      await drain(config.drainMs);
      await endConnections(servers, async () => {
        // Live streams would not end by themselves; their clients reconnect.
        closeLive(ctx);
        await runner?.stop();
      });
      await flushContacts(ctx);
      await built.close();
    },
  };
}

/** A process that a newer version has shut out is not ready and works on no task. */
function whenOvertaken(ctx: Ctx, runner: Runner | null): AbortSignal {
  const signal = overtaken(ctx);
  signal.addEventListener('abort', () => {
    announceStop(ctx);
    void runner?.stop();
  });
  return signal;
}

/** Keeps no page in memory in development, because Vite renders each anew. */
function frontOf(
  config: Config,
  built: BuiltContext,
  pages: Middleware | undefined,
): RequestListener {
  const koa = createApp(config, built, { pages }).callback();
  if (pages !== undefined) return koa;
  const headers = headersOf(outsideOf(built));
  const { ctx } = built;
  return serveDoor(ctx, serveFront({ ctx, source: builtPages(config.dist), headers, koa }));
}

/** Waits for requests that have begun, while `meanwhile` stops the other work. */
async function endConnections(servers: readonly Server[], meanwhile: () => Promise<void>) {
  const closed = servers.map((one) => once(one, 'close'));
  for (const one of servers) {
    one.close();
    one.closeIdleConnections();
  }
  const timer = setTimeout(() => servers.forEach((one) => one.closeAllConnections()), lastWordsMs);
  await meanwhile();
  await Promise.all(closed);
  clearTimeout(timer);
}

/** Only cipher suites with forward secrecy and authenticated encryption, the strongest first. */
const tls = {
  minVersion: 'TLSv1.2',
  honorCipherOrder: true,
  ciphers:
    'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:ECDHE+AESGCM:ECDHE+CHACHA20',
} as const;

/** Listens on HTTP, and also on HTTPS with this computer's own certificate. */
async function listen(
  { host, port, httpsPort, proxies }: Config,
  certificate: BuiltContext['certificate'],
  { handler, attach }: { handler: RequestListener; attach: (server: Server) => void },
): Promise<Server[]> {
  const isProxy = nearestProxy(proxies);
  const where = host === null ? {} : { host };
  const server = createServer(timeouts, handler);
  boundConnections(server, isProxy);
  attach(server);
  server.listen({ ...where, port });
  await once(server, 'listening');
  if (!certificate || httpsPort === null) return [server];
  const { current } = certificate;
  const secure = createSecureServer({ ...timeouts, ...tls, ...current() }, handler);
  boundConnections(secure, isProxy);
  attach(secure);
  secure.listen({ ...where, port: httpsPort });
  await once(secure, 'listening').catch((error: unknown) => {
    server.close();
    throw error;
  });
  certificate.onChange = () => secure.setSecureContext({ ...tls, ...current() });
  return [server, secure];
}

/** Copies that cannot be written are told at once, not by the first copy that fails. */
async function warningOf(
  { backups }: Ctx,
  lost: ReturnType<typeof tellLostCharts>,
): Promise<string | null> {
  const fault = await faultOfFolder(backups);
  const told = [lost === null ? [] : `${lost.sentence} ${lost.mend}`, fault?.message ?? []].flat();
  return told.length === 0 ? null : told.join('\n  ');
}
