/**
 * Requests a site as a visitor from any address, each on a connection of its own, also over HTTPS
 * with an untrusted certificate.
 */
import { once } from 'node:events';
import { request as requestSafely, type RequestOptions } from 'node:https';
import { request as requestPlainly, type IncomingMessage } from 'node:http';

export interface SafeAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  /** The parsed text, if it is JSON. */
  body: unknown;
}

interface Asking {
  method?: string;
  body?: unknown;
  raw?: Buffer;
  headers?: Record<string, string>;
  /** The visitor's address, within this computer's 127.0.0.0/8. */
  from?: string;
}

function open(url: string, path: string, { method = 'GET', body, raw, headers, from }: Asking) {
  const bytes = raw ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
  const options: RequestOptions = {
    method,
    rejectUnauthorized: false,
    agent: false,
    localAddress: from,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bytes === undefined ? {} : { 'content-length': String(bytes.length) }),
      ...headers,
    },
  };
  const request = url.startsWith('https:') ? requestSafely : requestPlainly;
  const asked = request(url + path, options);
  // A refused body may still be on its way when the connection ends; other errors reach the
  // caller in another way.
  asked.on('error', () => {});
  asked.end(bytes);
  return asked;
}

export async function askSafely(
  url: string,
  path: string,
  asking: Asking = {},
): Promise<SafeAnswer> {
  const [answer] = (await once(open(url, path, asking), 'response')) as [IncomingMessage];
  const text = Buffer.concat(await answer.toArray()).toString();
  const isJson = answer.headers['content-type']?.includes('json') ?? false;
  return {
    status: answer.statusCode!,
    headers: answer.headers,
    text,
    body: isJson ? JSON.parse(text) : null,
  };
}

/**
 * The milliseconds until the first bytes of an endless stream, and those bytes; then it
 * disconnects.
 */
export async function firstOfStream(
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; ms: number; text: string }> {
  const began = performance.now();
  const asked = open(url, path, { headers });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const [chunk] = (await once(answer, 'data')) as [Buffer];
  const ms = performance.now() - began;
  asked.destroy();
  return { status: answer.statusCode!, ms, text: chunk.toString() };
}
