/** The attacker's own thread: opens the connections, sends ahead, stays, and leaves. */
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import type { Flood } from './floods.ts';

const { url, path, connections, requests, stays, reads } = workerData as Flood & { url: string };
const { protocol, host, hostname, port } = new URL(url);

function open(): Socket {
  const where = { host: hostname, port: Number(port) };
  return protocol === 'https:'
    ? connectSecurely({ ...where, rejectUnauthorized: false })
    : connect(where);
}

const text = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(requests);
const sockets = Array.from({ length: connections }, open);
for (const socket of sockets) {
  socket.on('error', () => {});
  if (reads) socket.resume();
  else socket.pause();
  socket.write(text);
}
await pause(stays);
for (const socket of sockets) socket.destroy();
