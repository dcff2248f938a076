/** TCP ports: one that nobody listens on, and the one on which a server of a test does. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Below the range from which the system gives ports to everybody's outgoing connections: there one that was free a moment ago is often taken. */
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

/** Begins to listen, on any free port unless one is named. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
