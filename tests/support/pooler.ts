/**
 * A stand-in of a PostgreSQL connection pooler in transaction mode (pgbouncer): its clients share a few connections, and each has one
 * for a transaction. It reads no more of the protocol than where a message ends and when the server is idle.
 */
import { connect, createServer, type Socket } from 'node:net';
import { listen } from './port.ts';

/** Cuts a stream into messages: a type and a length; the first one of a client has no type. */
function readMessages(
  socket: Socket,
  take: (type: string, message: Buffer) => void,
  { hasStart }: { hasStart: boolean },
): void {
  let rest: Buffer = Buffer.alloc(0);
  let isStart = hasStart;
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const at = isStart ? 0 : 1;
      if (rest.length < at + 4) return;
      const end = at + rest.readUInt32BE(at);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      const type = isStart ? 'start' : String.fromCharCode(message[0]!);
      rest = rest.subarray(end);
      isStart = false;
      take(type, message);
    }
  });
}

const authenticationOk = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);

/** The shared connections. The first clients log them in with their own first message; later clients hear what the server said then. */
class SharedConnections {
  readonly all: Socket[] = [];
  readonly #target: URL;
  /** Those that nobody has, in the order in which they were given back. */
  readonly #free: Socket[] = [];
  readonly #holders = new Map<Socket, Socket>();
  readonly #waiting: { client: Socket; messages: Buffer[] }[] = [];
  /** The server's messages after a login, up to its first ReadyForQuery. */
  readonly #greeting: Buffer[] = [];
  #isGreetingWhole = false;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  open(client: Socket, start: Buffer): void {
    const server = connect(Number(this.#target.port), this.#target.hostname);
    this.all.push(server);
    this.#holders.set(server, client);
    server.on('error', () => {});
    let isAccepted = false;
    readMessages(
      server,
      (type, message) => {
        this.#holders.get(server)?.write(message);
        const isReady = type === 'Z';
        if (isAccepted && !this.#isGreetingWhole) {
          this.#greeting.push(message);
          this.#isGreetingWhole = isReady;
        }
        isAccepted ||= type === 'R' && message.readUInt32BE(5) === 0;
        if (isReady && message[5] === 'I'.charCodeAt(0)) this.#giveBack(server);
      },
      { hasStart: false },
    );
    server.write(start);
  }

  greet(client: Socket): void {
    client.write(Buffer.concat([authenticationOk, ...this.#greeting]));
  }

  /**
   * Sends to this client's connection, or takes a free one; until one is free the message waits.
   */
  send(client: Socket, message: Buffer): void {
    const held = this.all.find((server) => this.#holders.get(server) === client);
    const server = held ?? this.#free.shift();
    if (server) {
      this.#holders.set(server, client);
      server.write(message);
      return;
    }
    const queued = this.#waiting.find((one) => one.client === client);
    if (queued) queued.messages.push(message);
    else this.#waiting.push({ client, messages: [message] });
  }

  #giveBack(server: Socket): void {
    const next = this.#waiting.shift();
    if (next) {
      this.#holders.set(server, next.client);
      server.write(Buffer.concat(next.messages));
    } else {
      this.#holders.delete(server);
      this.#free.push(server);
    }
  }
}

/** `target`: the address of a database, to which so many connections are shared. */
export async function startPooler(target: string, { connections }: { connections: number }) {
  const shared = new SharedConnections(target);
  const clients = new Set<Socket>();
  const door = createServer((client) => {
    clients.add(client);
    client.on('error', () => {});
    readMessages(
      client,
      (type, message) => {
        if (type === 'X') client.end();
        else if (type !== 'start') shared.send(client, message);
        else if (shared.all.length < connections) shared.open(client, message);
        else shared.greet(client);
      },
      { hasStart: true },
    );
  });
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(await listen(door));
  return {
    url: url.href,
    close() {
      for (const socket of [...clients, ...shared.all]) socket.destroy();
      door.close();
    },
  };
}
