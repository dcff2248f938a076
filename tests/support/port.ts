/** TCP ports: a free one, and the one of a test server. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/**
 * Below the range that the system uses for outgoing connections, where a port that was free a
 * moment ago is often taken.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => {
      server.close(resolve);
    });
    return port;
  }
}

/** Listens on any free port, unless one is given. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
