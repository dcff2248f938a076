/**
 * Lets a page of another origin show a chart: as at the vendor's, the calls of chart.js are open
 * to every origin.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Open are the calls with the public key, the designer's files (modules), and the designer's
 * calls, for which the page itself sends a secret key. Uploads, which no page makes, are not.
 */
const forPages =
  /^\/system\/public\/(?!charts(\/|$))|^\/designer\/[^/]+$|^\/charts$|^\/charts\/[^/]+\/designer(?:-preview|\/.*)?$/;

/**
 * Lets pages of other origins read the answer, without cookies. Returns true when it answered a
 * preflight request.
 */
export function openToPages(
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
): boolean {
  if (!forPages.test(pathname)) return false;
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'ETag');
  if (request.method !== 'OPTIONS') return false;
  response
    .writeHead(204, {
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Encoding, Content-Type, If-Match, X-Designer-Name',
      'Access-Control-Max-Age': '86400',
    })
    .end();
  return true;
}
