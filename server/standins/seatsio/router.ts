/** One table of routes over node:http: who may call, how much may be sent, and which error body leaves. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { safeParse } from 'valibot';
import type { GenericSchema, InferOutput } from 'valibot';
import { ApiError, AuthError, badRequest, describeError, describeIssue } from './errors.ts';
import type { Seatsio, Workspace } from './context.ts';

export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  params: Record<string, string>;
  query: URLSearchParams;
  ip: string;
  /** The body as it came; `readJson` for what it means. */
  body: string;
}

/** What a handler gives back: undefined is 204, `sent` means it answered by itself. */
export type Answer = object | undefined | typeof sent;
export const sent = Symbol('sent');

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** `:name` is one segment, decoded. */
  path: string;
  /** Bytes of a body at most; 1 MB if left out. */
  limit?: number;
  /** `key`: a secret key in Basic auth names the workspace. `open`: the handler itself knows who may. */
  who: 'key' | 'open';
  handle: (ctx: Seatsio, call: Call, workspace: Workspace) => Answer;
}

/** A call that a browser may make, or that has a secret of its own. */
export function openRoute(
  method: Route['method'],
  path: string,
  handle: (ctx: Seatsio, call: Call) => Answer,
  limit?: number,
): Route {
  return { method, path, limit, who: 'open', handle };
}

export function keyRoute(method: Route['method'], path: string, handle: Route['handle']): Route {
  return { method, path, who: 'key', handle };
}

const MEGABYTE = 1024 * 1024;
/** Beyond this an upload is not even read to its end. */
const DRAINED = 16 * MEGABYTE;

export type Match = { route: Route; params: Record<string, string> };

/** Literal segments win over parameters because they stand first in the table. */
export function matchRoute(routes: Route[], method: string, path: string): Match {
  const segments = path.split('/').filter(Boolean).map(decodeSegment);
  const allowed = new Set<string>();
  for (const route of routes) {
    const pattern = patternOf(route);
    if (
      pattern.length !== segments.length ||
      !pattern.every((part, index) => part.startsWith(':') || part === segments[index])
    )
      continue;
    if (route.method !== method) {
      allowed.add(route.method);
      continue;
    }
    return {
      route,
      params: Object.fromEntries(
        pattern.flatMap((part, index) =>
          part.startsWith(':') ? [[part.slice(1), segments[index]!]] : [],
        ),
      ),
    };
  }
  if (allowed.size > 0)
    throw new ApiError(405, 'METHOD_NOT_ALLOWED', {
      message: `${method} is not allowed here`,
      data: { allowed: [...allowed] },
    });
  throw new ApiError(404, 'NOT_FOUND', { message: `Nothing is found at ${path}` });
}

const patterns = new WeakMap<Route, string[]>();

function patternOf(route: Route): string[] {
  const known = patterns.get(route);
  if (known) return known;
  const pattern = route.path.split('/').filter(Boolean);
  patterns.set(route, pattern);
  return pattern;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest('The path is not encoded well');
  }
}

/** Reads on after the limit, so that the caller hears the refusal instead of a broken line. */
export function readBody(request: IncomingMessage, limit = MEGABYTE): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (size > DRAINED) request.destroy();
    });
    request.on('end', () => {
      if (size > limit)
        reject(
          new ApiError(413, 'GENERAL_ERROR', { message: `The body is larger than ${limit} bytes` }),
        );
      else resolve(Buffer.concat(chunks).toString('utf8'));
    });
    request.on('error', () => reject(badRequest('The body did not arrive')));
    request.on('close', () => {
      if (!request.complete) reject(badRequest('The body did not arrive'));
    });
  });
}

/**
 * An empty body is `{}`.
 * @throws ApiError 400 GENERAL_ERROR naming the first field that does not fit, `#/objects/0/objectId: …`
 */
export function readJson<S extends GenericSchema>(call: Call, schema: S): InferOutput<S> {
  let value: unknown = {};
  if (call.body.trim() !== '') {
    try {
      value = JSON.parse(call.body);
    } catch {
      throw badRequest('The body is no JSON');
    }
  }
  // To the schema library a list is an object whose keys are missing.
  if (schema.type === 'object' && Array.isArray(value))
    throw badRequest('#: expected type: JSONObject, found: JSONArray');
  const read = safeParse(schema, value, { abortEarly: true });
  if (read.success) return read.output;
  throw badRequest(describeIssue(read.issues[0]));
}

export function sendAnswer(response: ServerResponse, answer: object | undefined): void {
  response.statusCode = answer === undefined ? 204 : 200;
  if (answer === undefined) {
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(answer));
}

/** JSON that is text already, sent as it is. */
export function sendText(response: ServerResponse, json: string): typeof sent {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(json);
  return sent;
}

export function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof AuthError) {
    response.statusCode = error.status;
    if (error.status === 401)
      response.setHeader('WWW-Authenticate', 'Basic realm="seats.io stand-in"');
    response.end();
    return;
  }
  const known =
    error instanceof ApiError
      ? error
      : new ApiError(500, 'GENERAL_ERROR', { message: 'Unexpected error' });
  if (known !== error) console.error('seats.io stand-in:', error);
  if (known.status === 405)
    response.setHeader('Allow', (known.data.allowed as string[]).join(', '));
  if (known.retryAfterS !== undefined) response.setHeader('Retry-After', known.retryAfterS);
  response.statusCode = known.status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(describeError(known)));
}
