/** The attacker's own thread: sends one request after the other, so that its own work is not measured. */
import { request } from 'node:http';
import { parentPort } from 'node:worker_threads';
import type { Ask } from './largest.ts';

const deadlineMs = 60_000;

function send({ url, method, path, headers = {}, body }: Ask): Promise<number> {
  const { hostname, port } = new URL(url);
  const signal = AbortSignal.timeout(deadlineMs);
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const sent = request(
      { hostname, port, method, path, agent: false, signal, headers: { ...headers, ...length } },
      (answer) => {
        answer.once('end', () => resolve(answer.statusCode ?? 0));
        answer.once('error', () => resolve(0));
        answer.resume();
      },
    );
    sent.once('error', () => resolve(0));
    sent.end(body);
  });
}

parentPort!.on('message', (ask: Ask) => {
  void send(ask).then((status) => parentPort!.postMessage(status));
});
