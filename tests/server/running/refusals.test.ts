/** Refusals that an endpoint's contract does not name: an error where developers and tests see it, a line in the log elsewhere. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Router } from '@koa/router';
import Koa from 'koa';
import pino from 'pino';
import { expect, test } from 'vitest';
import { endpoint } from '#server/contract/endpoint.ts';
import { Refusal, type RefusalCode } from '#server/domain/refusal.ts';
import { translateErrors } from '#server/http/errors.ts';
import { makeLimits } from '#server/http/limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Ctx } from '#server/services/context.ts';

const readThing = endpoint('GET', '/api/thing', {
  who: 'public',
  limit: 'read',
  refusals: ['event_not_found'],
  summary: 'A thing',
});

/** The status of an answer whose handler refuses with this code. */
async function statusOf(code: RefusalCode, strictRefusals: boolean): Promise<number> {
  const log = pino({ level: 'silent' });
  const router = new Router();
  const ctx = { log } as Ctx;
  serve({ router, ctx, limits: makeLimits(), strictRefusals }, readThing, async () => {
    throw new Refusal(code);
  });
  const app = new Koa();
  app.use(
    translateErrors({
      log,
      isDatabaseBusy: () => false,
      isDiskFull: () => false,
      isDatabaseAway: () => false,
    }),
  );
  app.use(router.routes());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { status } = await fetch(`http://127.0.0.1:${port}/api/thing`);
  server.closeAllConnections();
  server.close();
  return status;
}

test('a refusal that the contract does not name is an error in tests and development, and told as it is elsewhere', async () => {
  expect(await statusOf('event_not_found', true)).toBe(404);
  expect(await statusOf('slug_taken', true)).toBe(500);
  expect(await statusOf('slug_taken', false)).toBe(409);
});
