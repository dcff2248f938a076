/** Attackers who send more than they read: requests sent ahead on one connection, and answers left lying. */
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';

interface Flood {
  path: string;
  connections: number;
  /** Sent at once on each of them. */
  requests: number;
  /** So long the attacker stays, in ms. */
  stays: number;
  /** False: takes no byte of any answer. */
  reads: boolean;
}

export async function flood(
  url: string,
  { path, connections, requests, stays, reads }: Flood,
): Promise<void> {
  const { host } = new URL(url);
  const text = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(requests);
  const sockets = Array.from({ length: connections }, () => open(url));
  for (const socket of sockets) {
    socket.on('error', () => {});
    if (reads) socket.resume();
    else socket.pause();
    socket.write(text);
  }
  await pause(stays);
  for (const socket of sockets) socket.destroy();
}

function open(url: string): Socket {
  const { protocol, hostname, port } = new URL(url);
  const where = { host: hostname, port: Number(port) };
  return protocol === 'https:'
    ? connectSecurely({ ...where, rejectUnauthorized: false })
    : connect(where);
}
