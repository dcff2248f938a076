/**
 * A connection to a healthy server that can fall silent (connected, but nothing passes), be cut,
 * or lose one PostgreSQL connection in the middle of a statement.
 */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen } from './port.ts';

/** The point at which a connection to PostgreSQL is lost. */
export interface Loss {
  /** A part of the lost statement, or of one in the transaction whose COMMIT is lost. */
  statement: string;
  at: 'statement' | 'commit';
  /** False: PostgreSQL never gets it. True: PostgreSQL executes it, but its answer is lost. */
  arrives: boolean;
}

export type SilentLine = Awaited<ReturnType<typeof startLine>>;

export async function startLine(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let here = 0;
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
    here = await listen(server, at);
    return server;
  };
  let server: Server | null = await open(0);
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
    /** The address of the target through this connection. */
    url: url.href,
    silence() {
      isSilent = true;
    },
    /** Loses the next statement like this; all others pass. */
    loseAt(loss: Loss) {
      losses.push(loss);
    },
    /** The number of losses that were ordered and have not happened. */
    waiting: () => losses.length,
    cut,
    /** Restores the connection. */
    async mend() {
      isSilent = false;
      server ??= await open(here);
    },
    [Symbol.asyncDispose]: cut,
  };
}
