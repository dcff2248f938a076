/** Attackers who send more than they read are held by the guard of connections; tests/attack/floods.proof.ts floods the product itself. */
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import {
  boundConnections,
  connectionLimits,
  inTurn,
  type ConnectionLimits,
} from '#server/http/connections.ts';
import { until } from '#tests/support/make.ts';

/** A server of the guard alone. */
async function startGuarded(
  handler: RequestListener,
  limits: Partial<ConnectionLimits> = {},
): Promise<() => Socket> {
  const all = { ...connectionLimits, ...limits };
  const server = createServer(inTurn(handler, all));
  boundConnections(server, () => false, all);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    return socket;
  };
}

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test('requests sent ahead are answered in their order, one after the other', async () => {
  let open = 0;
  let most = 0;
  const openSocket = await startGuarded((req, res) => {
    open += 1;
    most = Math.max(most, open);
    setImmediate(() => {
      res.end(req.url);
      open -= 1;
    });
  });
  const socket = openSocket();
  socket.write(['/a', '/b', '/c'].map(ask).join(''));
  let heard = '';
  for await (const bytes of socket) {
    heard += String(bytes);
    if (heard.includes('/c')) break;
  }
  expect(heard.match(/\/[abc]/g)).toEqual(['/a', '/b', '/c']);
  expect(most).toBe(1);
});

test('whoever sends one request passes those that were sent ahead on other connections', async () => {
  const asked: string[] = [];
  const openSocket = await startGuarded((req, res) => {
    if (asked.length === 0) visitor.write(ask('/visitor'));
    asked.push(req.url!);
    for (const end = performance.now() + 2; performance.now() < end;);
    res.end();
  });
  const [attacker, visitor] = [openSocket().resume(), openSocket().resume()];
  await Promise.all([attacker, visitor].map((socket) => once(socket, 'connect')));
  attacker.write(ask('/ahead').repeat(60));
  await until(() => Promise.resolve(asked.length === 61));
  expect(asked.indexOf('/visitor')).toBeLessThan(20);
});

test('whoever sends more ahead than anybody needs is cut off, and nobody works for him', async () => {
  let asked = 0;
  const openSocket = await startGuarded(
    () => {
      asked += 1;
    },
    { mostWaiting: 3 },
  );
  const socket = openSocket().resume();
  socket.write(ask('/').repeat(6));
  await once(socket, 'close');
  expect(asked).toBe(1);
});

test('small bodies wait behind an answer, and 64 KB of them end their connection', async () => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const openSocket = await startGuarded((req, res) => {
    asked.push(req.url!);
    answers.push(() => res.end());
  });
  const bodyOf = (bytes: number) =>
    `POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`;
  const [one, two] = [openSocket().resume(), openSocket().resume()];
  one.write(ask('/stream') + bodyOf(2) + bodyOf(2));
  await until(() => Promise.resolve(answers.length === 1));
  answers[0]!();
  await until(() => Promise.resolve(asked.includes('/body')));
  two.write(ask('/stream') + bodyOf(40_000) + bodyOf(40_000));
  await until(() => Promise.resolve(two.closed), 5_000);
  expect(asked.filter((path) => path === '/body')).toHaveLength(1);
});

test('an answer that nobody reads ends its connection', async () => {
  const left: Promise<unknown>[] = [];
  const openSocket = await startGuarded(
    (req, res) => {
      left.push(once(req.socket, 'close'));
      res.end(Buffer.alloc(20_000_000));
    },
    { stalledMs: 50 },
  );
  const socket = openSocket();
  socket.write(ask('/'));
  await until(() => Promise.resolve(left.length === 1));
  await left[0];
  socket.destroy();
});

test('one address has only so many connections, and gets new ones when old ones end', async () => {
  const openSocket = await startGuarded((_, res) => void res.end('ok'), { mostPerAddress: 2 });
  const kept = [openSocket(), openSocket()];
  await Promise.all(kept.map((socket) => once(socket, 'connect')));
  const refused = openSocket().resume();
  await once(refused, 'close');
  kept[0]!.destroy();
  await once(kept[0]!, 'close');
  const next = openSocket();
  next.write(ask('/'));
  const [heard] = (await once(next, 'data')) as [Buffer];
  expect(String(heard)).toContain('200 OK');
});
