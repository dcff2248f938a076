/** What keeps strangers off a running product: every address counts against a limit, the network that it listens on, and files that nobody else reads. */
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { stripeWebhookPath } from '#server/contract/webhooks.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { makeLimits, type Limits } from '#server/http/limits.ts';
import { testOnce as it } from '#tests/support/both.ts';
import { ask } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

it('pages, files, the sitemap, readiness, the OpenAPI document and badly signed webhooks count against a limit; life does not', async (server) => {
  const counted: string[] = [];
  let isFull = false;
  const limits: Limits = {
    ...makeLimits(),
    async count(ctx, limit) {
      counted.push(`${limit} ${ctx.path}`);
      if (isFull) throw new Refusal('too_many_requests');
    },
  };
  // The product's own app, with a limit that is reached when the test says so.
  const app = createServer(createApp(readConfig({}, []), server.house, { limits }).callback());
  await once(app.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void app.close());
  const { port } = app.address() as AddressInfo;
  const statusOf = async (path: string, method = 'GET') => {
    const { status, body } = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    await body?.cancel();
    return status;
  };
  const asked = [
    ['/api/openapi.json', 'GET'],
    ['/orders/nobody-knows-it', 'GET'],
    ['/favicon.svg', 'GET'],
    ['/sitemap.xml', 'GET'],
    ['/readyz', 'GET'],
    [stripeWebhookPath, 'POST'],
  ] as const;
  for (const [path, method] of asked) expect(await statusOf(path, method)).not.toBe(429);
  expect(counted).toEqual(asked.map(([path]) => `page ${path}`));
  isFull = true;
  for (const [path, method] of asked) expect(await statusOf(path, method)).toBe(429);
  expect(await statusOf('/healthz')).toBe(200);
});

/** Whether somebody listens there. */
async function answers(host: string, url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), host);
  const heard = await Promise.race([
    once(socket, 'connect').then(
      () => true,
      () => false,
    ),
    once(socket, 'error').then(() => false),
  ]);
  socket.destroy();
  return heard;
}

test('HOST names the one address that is listened on', async () => {
  // On Linux all of 127.0.0.0/8 is this computer.
  await using one = await startServer({ env: { HOST: '127.0.0.1' } });
  await using all = await startServer();
  expect([await answers('127.0.0.1', one.url), await answers('127.0.0.2', one.url)]).toEqual([
    true,
    false,
  ]);
  expect(await answers('127.0.0.2', all.url)).toBe(true);
});

test('the databases are their owner’s alone, also in a folder that was there before and open to all', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const before = process.umask(0o022);
  try {
    await chmod(folder, 0o755);
    for (const name of ['botteghino.sqlite', 'standins.sqlite'])
      await writeFile(join(folder, name), '', { mode: 0o644 });
    await using server = await startServer({ env: { DATA_DIR: folder, BOTTEGHINO_NEW: '1' } });
    expect((await ask(server, 'GET', '/readyz')).status).toBe(200);
    const files = (await readdir(folder)).filter((name) => name.includes('.sqlite'));
    expect(files.length).toBeGreaterThanOrEqual(2);
    const modes = await Promise.all(
      files.map(async (name) => [name, (await stat(join(folder, name))).mode & 0o777]),
    );
    expect(modes).toEqual(files.map((name) => [name, 0o600]));
  } finally {
    process.umask(before);
    await rm(folder, { recursive: true, force: true });
  }
});
