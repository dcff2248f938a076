/** A line to a server that can fall silent (connected, but nothing passes) or be cut (nobody answers), while the server itself is well. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface SilentLine extends AsyncDisposable {
  /** The address of the target, over this line. */
  url: string;
  silence: () => void;
  cut: () => Promise<void>;
  /** As it was at first. */
  mend: () => Promise<void>;
}

export async function startLine(target: string): Promise<SilentLine> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const open = async (at: number): Promise<Server> => {
    const server = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from);
        from.on('error', () => {}).on('close', () => sockets.delete(from));
        from.on('data', (part) => isSilent || to.write(part));
        from.on('close', () => isSilent || to.destroy());
      }
    });
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server: Server | null = await open(0);
  const here = (server.address() as AddressInfo).port;
  const cut = async () => {
    for (const socket of sockets) socket.destroy();
    const closing = server;
    server = null;
    if (closing) await new Promise((resolve) => closing.close(resolve));
  };
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(here);
  return {
    url: url.href,
    silence() {
      isSilent = true;
    },
    cut,
    async mend() {
      isSilent = false;
      server ??= await open(here);
    },
    [Symbol.asyncDispose]: cut,
  };
}
