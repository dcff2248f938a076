/** A TCP port that nobody listens on. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

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
