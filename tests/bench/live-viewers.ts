/**
 * Viewers of a live map, in a process of their own, who read and throw away what they are told:
 * `node live-viewers.ts <port> <path> <viewers>`.
 */
import { connect } from 'node:net';
import { once } from 'node:events';

const [port, path, viewers] = process.argv.slice(2) as [string, string, string];

for (let viewer = 0; viewer < Number(viewers); viewer += 1) {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, 'data');
  socket.resume();
}
process.send!('ready');
process.on('message', () => process.exit());
