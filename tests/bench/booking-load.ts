/**
 * The visitors of the booking bench, in a process of their own: it gets `{port, clients,
 * requests}` by message, sends each request once, and returns statuses and times.
 */
import { connect, type Socket } from 'node:net';

export interface LoadRequest {
  path: string;
  body: object;
}
export interface LoadAsk {
  port: number;
  clients: number;
  requests: LoadRequest[];
}
export interface LoadAnswer {
  ms: number;
  statuses: Record<number, number>;
  latencies: number[];
  lost: number;
}

/** Bare sockets, because the load must cost less than the server that it measures. */
class Line {
  readonly socket: Socket;
  private text = '';
  private resolve: ((answer: string | null) => void) | null = null;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk: string) => {
      this.text += chunk;
      const end = this.text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.text)?.[1] ?? 0);
      if (this.text.length < end + 4 + length) return;
      const answer = this.text;
      this.text = '';
      this.done(answer);
    });
    this.socket.on('error', () => {});
    this.socket.on('close', () => this.done(null));
  }

  private done(answer: string | null): void {
    const { resolve } = this;
    this.resolve = null;
    resolve?.(answer);
  }

  /** Null: the connection broke. */
  ask(bytes: string): Promise<string | null> {
    if (this.socket.destroyed) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.resolve = resolve;
      this.socket.write(bytes, 'latin1');
    });
  }
}

async function load({ port, clients, requests }: LoadAsk): Promise<LoadAnswer> {
  const bytes = requests.map(({ path, body }) => {
    const text = JSON.stringify(body);
    return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  });
  const answer: LoadAnswer = { ms: 0, statuses: {}, latencies: [], lost: 0 };
  const lines = Array.from({ length: clients }, () => new Line(port));
  await Promise.all(
    lines.map(
      (line) =>
        new Promise<void>((resolve) => {
          line.socket.once('connect', resolve);
          line.socket.once('close', () => resolve());
        }),
    ),
  );
  let next = 0;
  const began = performance.now();
  await Promise.all(
    lines.map(async (line) => {
      while (next < bytes.length) {
        const index = next++;
        const sent = performance.now();
        const text = await line.ask(bytes[index]!);
        if (text === null) {
          answer.lost += 1;
          return;
        }
        answer.latencies.push(performance.now() - sent);
        const status = Number(text.slice(9, 12));
        answer.statuses[status] = (answer.statuses[status] ?? 0) + 1;
      }
    }),
  );
  answer.ms = performance.now() - began;
  for (const line of lines) line.socket.destroy();
  return answer;
}

process.on('message', (ask: LoadAsk) => {
  void load(ask).then((answer) => process.send!(answer));
});
process.on('disconnect', () => process.exit());
