/**
 * A stand-in of a PostgreSQL connection pooler in transaction mode (pgbouncer): its clients share a few connections, and each has one
 * for a transaction. It reads no more of the protocol than where a message ends and when the server is idle.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Pooler {
  url: string;
  close: () => void;
}

/** Cuts a stream into messages: a type and a length; the first one of a client has no type. */
function readMessages(
  socket: Socket,
  take: (type: string, message: Buffer) => void,
  { hasStart }: { hasStart: boolean },
): void {
  let [rest, isStart]: [Buffer, boolean] = [Buffer.alloc(0), hasStart];
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const at = isStart ? 0 : 1;
      if (rest.length < at + 4) return;
      const end = at + rest.readUInt32BE(at);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      const type = isStart ? 'start' : String.fromCharCode(message[0]!);
      [rest, isStart] = [rest.subarray(end), false];
      take(type, message);
    }
  });
}

/** `target`: the address of a database. The first clients log the shared connections in; later ones are greeted with the same words. */
export async function startPooler(
  target: string,
  { connections }: { connections: number },
): Promise<Pooler> {
  const { hostname, port } = new URL(target);
  const servers: Socket[] = [];
  const clients = new Set<Socket>();
  const greeting: Buffer[] = [];
  /** Shared connections that nobody has, in the order in which they were given back. */
  const free: Socket[] = [];
  const holders = new Map<Socket, Socket>();
  const waiting: { client: Socket; messages: Buffer[] }[] = [];

  const heldBy = (client: Socket) => [...holders].find(([, holder]) => holder === client)?.[0];
  const giveBack = (server: Socket) => {
    const next = waiting.shift();
    if (!next) {
      holders.delete(server);
      free.push(server);
      return;
    }
    holders.set(server, next.client);
    server.write(Buffer.concat(next.messages));
  };
  const openServer = (client: Socket, start: Buffer) => {
    const server = connect(Number(port), hostname);
    servers.push(server);
    holders.set(server, client);
    server.on('error', () => {});
    let isAccepted = false;
    readMessages(
      server,
      (type, message) => {
        holders.get(server)?.write(message);
        if (
          servers[0] === server &&
          isAccepted &&
          free.length === 0 &&
          !greeting.at(-1)?.toString().startsWith('Z')
        )
          greeting.push(message);
        isAccepted ||= type === 'R' && message.readUInt32BE(5) === 0;
        if (type === 'Z' && message[5] === 'I'.charCodeAt(0)) giveBack(server);
      },
      { hasStart: false },
    );
    server.write(start);
  };
  const hear = (client: Socket, type: string, message: Buffer) => {
    if (type === 'X') return void client.end();
    if (type === 'start') {
      if (servers.length < connections) return openServer(client, message);
      const accepted = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
      return void client.write(Buffer.concat([accepted, ...greeting]));
    }
    const held = heldBy(client) ?? free.shift();
    if (held) {
      holders.set(held, client);
      held.write(message);
      return;
    }
    const queued = waiting.find((one) => one.client === client);
    if (queued) queued.messages.push(message);
    else waiting.push({ client, messages: [message] });
  };

  const door = createServer((client) => {
    clients.add(client);
    client.on('error', () => {});
    readMessages(client, (type, message) => hear(client, type, message), { hasStart: true });
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const url = new URL(target);
  [url.hostname, url.port] = ['127.0.0.1', String((door.address() as AddressInfo).port)];
  return {
    url: url.href,
    close() {
      for (const socket of [...clients, ...servers]) socket.destroy();
      door.close();
    },
  };
}
