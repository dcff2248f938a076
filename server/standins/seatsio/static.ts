/** Serves the built chart.js and the files beside it, by exact name. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';

const TYPES: Record<string, string> = {
  '.mjs': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** False if the folder has no such file. Browsers always ask and get 304 if it is unchanged. */
export async function serveChartFile(
  folder: string,
  { request, response, name }: { request: IncomingMessage; response: ServerResponse; name: string },
): Promise<boolean> {
  // The name is only compared with the folder's listing, so that no file outside of it can be
  // read.
  const names = await readdir(folder).catch((): string[] => []);
  const type = Object.hasOwn(TYPES, extname(name)) ? TYPES[extname(name)] : undefined;
  if (!names.includes(name) || type === undefined) return false;
  const content = await readFile(join(folder, name)).catch(() => null);
  if (!content) return false;
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end();
    return true;
  }
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': content.length });
  response.end(request.method === 'HEAD' ? undefined : content);
  return true;
}
