/** Another service is told each minute that the house can work, by one process, and by none while it cannot. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { announceStop } from '#server/services/office/health.ts';
import { sendHeartbeat } from '#server/services/office/heartbeat.ts';
import { freePort, listen } from '#tests/support/port.ts';
import { startServer } from '#tests/support/server.ts';

test('one call a minute while the house can work, also when the service answers with an error', async () => {
  let calls = 0;
  let status = 200;
  const service = createServer((request, response) => {
    calls += request.url === '/segreto' ? 1 : 0;
    response.writeHead(status).end('OK');
  });
  const port = await listen(service);
  await using _ = { [Symbol.asyncDispose]: async () => void service.close() };
  const env = { HEARTBEAT_URL: `http://127.0.0.1:${port}/segreto` };
  await using server = await startServer({ env });
  const { ctx } = server.house;
  const pass = async (minutes: number) => {
    for (let n = 0; n < minutes * 4; n += 1) {
      await Promise.all([sendHeartbeat(ctx), sendHeartbeat(ctx)]);
      server.clock.advance(15_000);
    }
    return calls;
  };
  expect(await pass(3)).toBe(3);
  status = 500;
  expect(await pass(1)).toBe(4);
  announceStop(ctx);
  expect(await pass(2)).toBe(4);
});

test('a service that is away stops nothing', async () => {
  const env = { HEARTBEAT_URL: `http://127.0.0.1:${await freePort()}/` };
  await using server = await startServer({ env });
  await sendHeartbeat(server.house.ctx);
});
