/** An application of one endpoint, to see what its handler is given and what a caller is answered. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Router } from '@koa/router';
import Koa from 'koa';
import pino, { type Logger } from 'pino';
import type { EndpointShape } from '#server/contract/endpoint.ts';
import { translateErrors } from '#server/http/errors.ts';
import { makeLimits } from '#server/http/limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Ctx } from '#server/services/context.ts';

type Handler<E extends EndpointShape> = Parameters<typeof serve<E>>[2];

/** What it answers to this JSON text; `null`: no body. */
export async function askOne<const E extends EndpointShape>(
  endpoint: E,
  handle: Handler<E>,
  { body = null, log = pino({ level: 'silent' }) }: { body?: string | null; log?: Logger } = {},
): Promise<{ status: number; body: unknown }> {
  const router = new Router();
  const ctx = { log, publicUrl: 'http://localhost' } as Ctx;
  serve({ router, ctx, limits: makeLimits(), strictRefusals: true }, endpoint, handle);
  const never = () => false;
  const trouble = { isDatabaseBusy: never, isDiskFull: never, isDatabaseAway: never };
  const app = new Koa().use(translateErrors({ log, ...trouble })).use(router.routes());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const headers = { 'content-type': 'application/json' };
    const sent = { method: endpoint.method, headers, ...(body === null ? {} : { body }) };
    const answer = await fetch(`http://127.0.0.1:${port}${endpoint.path}`, sent);
    return { status: answer.status, body: await answer.json() };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
