/** A line to a server that can fall silent (connected, but nothing passes), be cut (nobody answers), or lose one connection to PostgreSQL in the middle of a statement, while the server itself is well. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Where a connection to PostgreSQL is lost. */
export interface Loss {
  /** Part of a statement: the one that is lost, or one in the transaction whose COMMIT is. */
  statement: string;
  at: 'statement' | 'commit';
  /** False: PostgreSQL never gets it. True: it does its work, and nobody hears the answer. */
  arrives: boolean;
}

export interface SilentLine extends AsyncDisposable {
  /** The address of the target, over this line. */
  url: string;
  silence: () => void;
  /** Once, at the next statement like this; all others pass. */
  loseAt: (loss: Loss) => void;
  /** How many losses were ordered and have not come about. */
  waiting: () => number;
  cut: () => Promise<void>;
  /** As it was at first. */
  mend: () => Promise<void>;
}

export async function startLine(target: string): Promise<SilentLine> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let losses: Loss[] = [];
  const open = async (at: number): Promise<Server> => {
    const server = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      let meant: Loss | undefined;
      /** True: this part is where the connection is lost. */
      const isLossOf = (part: Buffer): boolean => {
        meant ??= losses.find(({ statement }) => part.includes(statement));
        if (!meant || (meant.at === 'commit' && !part.includes('COMMIT'))) return false;
        losses = losses.filter((loss) => loss !== meant);
        return true;
      };
      client.on('data', (part) => {
        if (isSilent) return;
        if (!isLossOf(part)) return void upstream.write(part);
        if (meant!.arrives) {
          client.removeAllListeners('close');
          upstream.end(part);
        }
        client.destroy();
      });
      upstream.on('data', (part) => isSilent || client.write(part));
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from);
        from.on('error', () => {}).on('close', () => sockets.delete(from));
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
    loseAt(loss) {
      losses.push(loss);
    },
    waiting: () => losses.length,
    cut,
    async mend() {
      isSilent = false;
      server ??= await open(here);
    },
    [Symbol.asyncDispose]: cut,
  };
}
