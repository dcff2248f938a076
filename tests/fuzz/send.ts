/** Sends a request as it is, without the courtesy of a browser, and waits no longer than a visitor would. */
import { request, type IncomingMessage } from 'node:http';
import type { Request } from './request.ts';

export interface Reply {
  /** 0: the line was cut; -1: nothing came in time. */
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  ms: number;
}

const deadlineMs = 20_000;

export function send(url: string, { method, target, headers, body }: Request): Promise<Reply> {
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, text: string, answered?: IncomingMessage) =>
      resolve({ status, text, headers: answered?.headers ?? {}, ms: performance.now() - began });
    const { hostname, port } = new URL(url);
    const signal = AbortSignal.timeout(deadlineMs);
    const fail = (status: number, text: string, answered?: IncomingMessage) =>
      signal.aborted ? end(-1, text) : end(status, text, answered);
    const sent = request(
      {
        hostname,
        port,
        method,
        path: target,
        headers: { ...headers, ...(body && { 'content-length': body.length }) },
        agent: false,
        signal,
      },
      (answer) => {
        // A stream has no end to wait for.
        if (answer.headers['content-type']?.startsWith('text/event-stream')) {
          end(answer.statusCode!, '', answer);
          sent.destroy();
          return;
        }
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', () => fail(answer.statusCode!, '', answer));
        answer.on('end', () =>
          end(answer.statusCode!, Buffer.concat(chunks).toString('utf8'), answer),
        );
      },
    );
    sent.on('error', (error) => fail(0, error.message));
    sent.end(body ?? undefined);
  });
}
