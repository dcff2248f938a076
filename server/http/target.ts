/** Accepts only request targets that are a path or an absolute address, and one Host header (RFC 9112 §3.2). */
import type { RequestListener } from 'node:http';
import { errorReplyOf } from '#server/contract/errors.ts';

export function onlyPaths(next: RequestListener): RequestListener {
  return (req, res) => {
    const path = req.url!.startsWith('/') ? req.url! : pathOf(req.url!);
    if (path !== null && (req.headersDistinct['host']?.length ?? 1) === 1) {
      req.url = path;
      return next(req, res);
    }
    const reply = errorReplyOf('bad_request');
    const body = JSON.stringify(reply);
    res
      .writeHead(reply.status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        connection: 'close',
      })
      .end(req.method === 'HEAD' ? undefined : body);
    return undefined;
  };
}

function pathOf(target: string): string | null {
  const address = URL.parse(target);
  return address !== null && /^https?:$/.test(address.protocol)
    ? address.pathname + address.search
    : null;
}
