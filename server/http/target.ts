/**
 * Accepts as request target only a path or an absolute address, and requires exactly one valid
 * Host (RFC 9112 §3.2).
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { errorReplyOf } from '#server/contract/errors.ts';
import { newRequestId } from './log.ts';

export function onlyPaths(next: RequestListener, log: Logger): RequestListener {
  return (req, res) => {
    const { url = '' } = req;
    const path = url.startsWith('/') ? url : pathOf(url);
    if (path !== null && namesOneHost(req)) {
      req.url = path;
      return next(req, res);
    }
    const reply = errorReplyOf('bad_request');
    const req_id = newRequestId();
    log.info({ req_id, method: req.method, status: reply.status, code: reply.code }, 'request');
    const body = JSON.stringify(reply);
    res
      .writeHead(reply.status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': req_id,
        connection: 'close',
      })
      .end(req.method === 'HEAD' ? undefined : body);
    return undefined;
  };
}

/** A name or an address, and a port (RFC 3986 §3.2.2). */
const host = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** HTTP/1.0 needs no Host. */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  // Names and values alternate; Node's headersDistinct would parse all headers again.
  const hosts = rawHeaders.filter(
    (_, at) => at % 2 === 1 && /^host$/i.test(rawHeaders[at - 1] ?? ''),
  );
  const [first, ...others] = hosts;
  if (first === undefined) return httpVersion === '1.0';
  return others.length === 0 && host.test(first);
}

function pathOf(target: string): string | null {
  const address = URL.parse(target);
  return address !== null && /^https?:$/.test(address.protocol)
    ? address.pathname + address.search
    : null;
}
