/** The routes of a node:http server: who may call, the limit of a body, how errors are sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { safeParse } from 'valibot';
import type { GenericSchema, InferOutput } from 'valibot';
import { ApiError, badRequest, describeError, describeIssue } from './errors.ts';
import { BodyError } from '#server/standins/kit/body.ts';
import { StoreBusyError } from '#server/standins/kit/store.ts';
import type { openRouter } from '#server/standins/kit/router.ts';
import type { Seatsio, Writing } from './context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';

/** The names of a path's parameters: `event` and `label` in `/events/:event/objects/:label`. */
export type ParamOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

/** A call of a route with these path parameters. */
export interface Call<Param extends string = string> {
  request: IncomingMessage;
  response: ServerResponse;
  params: Record<Param, string>;
  query: URLSearchParams;
  ip: string;
  /** The body as text; `readJson` parses it. */
  body: string;
}

/**
 * What a handler returns: undefined is answered with 204, `created` with 201, both without a
 * body; `sent` means that it has answered.
 */
export type Answer = object | undefined | typeof created | typeof sent;
export const created = Symbol('created');
export const sent = Symbol('sent');

type Method = 'GET' | 'POST' | 'DELETE';
/** A GET gets no transaction that can write. */
export type ContextOf<M extends Method> = M extends 'GET' ? Seatsio : Writing;
type Handle<M extends Method, Param extends string = string> = (
  ctx: ContextOf<M>,
  call: Call<Param>,
  workspace: Workspace,
) => Answer | Promise<Answer>;

interface RouteOf<M extends Method> {
  method: M;
  /** `:name` stands for one decoded segment. */
  path: string;
  /** The most bytes of a body; 1 MB if left out. */
  limit?: number;
  /** `key`: the secret key in Basic auth names the workspace; `open`: the handler checks. */
  who: 'key' | 'open';
  handle: Handle<M>;
}
export type Route = RouteOf<'GET'> | RouteOf<'POST' | 'DELETE'>;

/** A call that a browser may make, or that has its own secret. */
export function openRoute<M extends Method, P extends string>(
  method: M,
  path: P,
  handle: (ctx: ContextOf<M>, call: Call<ParamOf<P>>) => Answer | Promise<Answer>,
  limit?: number,
): Route {
  return { method, path, limit, who: 'open', handle } as Route;
}

export function keyRoute<M extends Method, P extends string>(
  method: M,
  path: P,
  handle: Handle<M, ParamOf<P>>,
  limit?: number,
): Route {
  return { method, path, limit, who: 'key', handle } as Route;
}

/** @throws ApiError 400, 404, 405 */
export function findRoute(
  find: ReturnType<typeof openRouter<Route>>,
  method: string,
  path: string,
): { route: Route; params: Record<string, string> } {
  const match = find(method, path);
  if ('route' in match) return match;
  if (match.allowed.length === 0)
    throw new ApiError(404, 'NOT_FOUND', { message: `Nothing is found at ${path}` });
  throw new ApiError(405, 'METHOD_NOT_ALLOWED', {
    message: `${method} is not allowed here`,
    allowed: match.allowed,
  });
}

/**
 * An empty body is read as `{}`.
 * @throws ApiError 400 GENERAL_ERROR naming the first invalid field, `#/objects/0/objectId: …`
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
  // The schema library takes a list for an object with missing keys.
  if (schema.type === 'object' && Array.isArray(value))
    throw badRequest('#: expected type: JSONObject, found: JSONArray');
  const read = safeParse(schema, value, { abortEarly: true });
  if (read.success) return read.output;
  throw badRequest(describeIssue(read.issues[0]));
}

export function sendAnswer(
  response: ServerResponse,
  answer: object | undefined | typeof created,
): void {
  if (typeof answer !== 'object') {
    response.statusCode = answer === created ? 201 : 204;
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(answer));
}

/** Sends a text that is already JSON. */
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
  const known = knownError(error);
  if (known.status === 500) console.error('seats.io stand-in:', error);
  if (known.status === 401)
    response.setHeader('WWW-Authenticate', 'Basic realm="seats.io stand-in"');
  if (known.allowed) response.setHeader('Allow', known.allowed.join(', '));
  if (known.retryAfterS !== undefined) response.setHeader('Retry-After', known.retryAfterS);
  response.statusCode = known.status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(describeError(known)));
}

function knownError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof URIError) return badRequest('The path is not encoded well');
  if (error instanceof BodyError && error.reason === 'too_large')
    return new ApiError(413, 'GENERAL_ERROR', error);
  if (error instanceof BodyError) return badRequest(error.message);
  if (error instanceof StoreBusyError) return new ApiError(503, 'GENERAL_ERROR', error);
  return new ApiError(500, 'GENERAL_ERROR', { message: 'Unexpected error' });
}
