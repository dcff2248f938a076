/** The viewers of the live bench, in a process of their own: `node live-viewers.ts <port> <path> <viewers>`; counts what they hear, and for a few of them when. */
import { connect } from 'node:net';
import { once } from 'node:events';

export interface Heard {
  messages: number;
  bytes: number;
  lost: number;
  /** The seat that a change was about, and when it was heard. */ samples: [
    label: string,
    at: number,
  ][];
}

const [port, path, viewers] = process.argv.slice(2) as [string, string, string];
/** Reading every message would cost more than writing it. */
const sampled = 20;
const heard: Heard = { messages: 0, bytes: 0, lost: 0, samples: [] };
let isEnded = false;

function hear(viewer: number, text: string): void {
  heard.bytes += text.length;
  heard.messages += text.split('data: ').length - 1;
  if (viewer >= sampled) return;
  for (const [, label] of text.matchAll(/"label":"([^"]+)"/g))
    heard.samples.push([label!, Date.now()]);
}

for (let viewer = 0; viewer < Number(viewers); viewer += 1) {
  const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
  socket.on('error', () => {});
  socket.on('close', () => {
    if (!isEnded) heard.lost += 1;
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, 'data');
  socket.on('data', (text: string) => hear(viewer, text));
}
process.send!('ready');
process.on('message', () => {
  isEnded = true;
  process.send!(heard, () => process.exit());
});
