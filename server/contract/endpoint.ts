/**
 * What an endpoint is: one constant that the server registers with serve() and the apps use with
 * call().
 */
import * as v from 'valibot';
import { isoOf } from '#server/domain/time/dates.ts';
import type { RefusalCode } from '#server/domain/refusal.ts';
import type { ProgramScope } from '#server/domain/program/token.ts';
import type { Right } from '#server/domain/user/rights.ts';
import type { RequestWork } from '#server/domain/user/started.ts';

type Schema = v.GenericSchema;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** A caller that is a program, whose token must have this scope. */
export type ProgramCaller = `program:${Exclude<ProgramScope, 'buyers'>}`;
/** Who may call: anyone, a phone, a program, or a person with a right (domain/user/rights.ts). */
type Who = 'public' | 'phone' | ProgramCaller | Right;
/** Rate classes; their numbers are in server/http/limits.ts. */
export type Limit =
  | 'read'
  | 'measure'
  | 'book'
  | 'hold'
  | 'queue'
  | 'login'
  | 'pair'
  | 'sync'
  | 'change'
  | 'sell'
  | 'drawing'
  | 'document'
  | 'form'
  | 'upload'
  | 'find'
  | 'import'
  | 'program';

export interface EndpointShape {
  method: Method;
  /** Parameters are written `:eventId`; the OpenAPI document has `{eventId}`. */
  path: string;
  /** One English sentence for the OpenAPI document. */
  summary: string;
  /** Further sentences for the OpenAPI document, where one is not enough. */
  description?: string;
  who: Who;
  /** It may take long: while it runs, the office sees it under this name. */
  work?: RequestWork;
  /** Only for users who proved their identity within the last ten minutes (RULES U3). */
  sensitive?: true;
  /** A revoked phone may still call this endpoint to send its queue. */
  evenRevoked?: true;
  /** Missing: 'read' for GET, 'change' for the rest. */
  limit?: Limit;
  /** The most characters of a path parameter, instead of `longestParam`. */
  longestParam?: number;
  /**
   * The endpoint's own refusals; those of every endpoint (bad_request, too_many_requests, …) need
   * not be named.
   */
  refusals?: readonly RefusalCode[];
  query?: Schema;
  body?: Schema;
  /** Instead of a body: multipart with one `file` and these fields, all of them text. */
  form?: Schema;
  /** The work is done later: the answer is 202, before it is known how the work ends. */
  accepted?: true;
  /** The answer is bytes of this type, cached as gzip because many callers get the same ones. */
  gzipped?: 'application/octet-stream';
  /**
   * Without this, `file`, `stream` and `gzipped` the answer is empty: 204, or 202 (`accepted`).
   */
  reply?: Schema;
  /**
   * Instead of an answer: server-sent events for as long as the caller listens, each of this
   * shape.
   */
  stream?: Schema;
  /** The file may be shown in a frame of our pages; missing: the browser downloads it. */
  framed?: true;
  /** The answer is a file of this type, not JSON. */
  file?:
    | 'application/pdf'
    | 'application/vnd.apple.pkpass'
    | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    | 'application/zip'
    | 'application/gzip'
    | 'text/calendar'
    | 'text/csv';
}

/** A file as the handler returns it; `type` is the whole Content-Type header. */
export interface FileAnswer {
  name: string;
  type: string;
  /** A long file is sent piece by piece while it is made. */
  content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** The most characters of a parameter in a path. */
export const longestParam = 200;

/** The header with the number of bytes of a compressed answer after unpacking. */
export const unpackedLength = 'x-unpacked-length';

/**
 * The client of a stream. `write` returns false once the connection is closed or too slow; after
 * `close` it takes nothing more.
 */
export interface Listener {
  write: (bytes: Uint8Array) => boolean;
  close: () => void;
  onClose: (done: () => void) => void;
}
/** Called once the stream to the caller is open. */
export type StreamAnswer = (listener: Listener) => void;

type ParamsIn<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsIn<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

type Params<E extends EndpointShape> = { [K in ParamsIn<E['path']>]: string };
type InputOf<S> = S extends Schema ? v.InferInput<S> : never;
type OutputOf<S> = S extends Schema ? v.InferOutput<S> : never;

type Part<K extends string, T> = [T] extends [never]
  ? unknown
  : Record<string, never> extends T
    ? { [P in K]?: T }
    : { [P in K]: T };
type PathPart<E extends EndpointShape> = [ParamsIn<E['path']>] extends [never]
  ? unknown
  : { params: Params<E> };

/** What a caller passes: required exactly where the schema requires it. */
export type Asked<E extends EndpointShape> = PathPart<E> &
  Part<'query', InputOf<E['query']>> &
  (E['form'] extends Schema ? { /** FormData. */ body: object } : Part<'body', InputOf<E['body']>>);
/** What the handler gets after parsing. */
export interface Received<E extends EndpointShape> {
  params: Params<E>;
  query: OutputOf<E['query']>;
  body: OutputOf<E['body']>;
  form: OutputOf<E['form']>;
  /** The bytes that came with a form. */ file: E['form'] extends Schema ? Uint8Array : undefined;
}
/** What the handler returns, with times in milliseconds. */
export type Answer<E extends EndpointShape> = E['stream'] extends Schema
  ? StreamAnswer
  : E['gzipped'] extends string
    ? /** Bytes of a gzip file. */ Uint8Array
    : E['reply'] extends Schema
      ? v.InferInput<E['reply']>
      : E['file'] extends string
        ? FileAnswer
        : void;
/**
 * What the caller gets: only the fields that the contract names; a file as the platform returns
 * it.
 */
export type ReplyOf<E extends EndpointShape> = E['reply'] extends Schema
  ? v.InferOutput<E['reply']>
  : E['file'] extends string
    ? unknown
    : undefined;

/**
 * Returns its argument with the path as a literal type, so that the compiler knows the path's
 * parameters. The bundler may drop an unused call, so that an app contains only the endpoints
 * that it calls.
 */
// @__NO_SIDE_EFFECTS__
export function endpoint<
  const M extends Method,
  const P extends string,
  const Rest extends Omit<EndpointShape, 'method' | 'path'>,
>(method: M, path: P, rest: Rest): { method: M; path: P } & Rest {
  return { method, path, ...rest };
}

/** Narrows the type; any other caller is the public, a phone or a person. */
export function isProgramCaller(who: Who): who is ProgramCaller {
  return who.startsWith('program:');
}

export function limitOf({ limit, method }: EndpointShape): Limit {
  return limit ?? (method === 'GET' ? 'read' : 'change');
}

/** The address of a call, parameters encoded and query appended; a missing value is left out. */
export function addressOf(
  shape: EndpointShape,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
): string {
  const path = shape.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
}

/** RFC 3339 in this century: a caller's clock may be years off, and a time beyond is refused. */
const instant =
  /^20\d\d-[01]\d-[0-3]\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** False for 30 February, which `Date` reads as a day of March. */
function isDayOfCalendar(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && isoOf(day.getTime()).startsWith(text.slice(0, 10));
}

/**
 * Parses ISO text from the wire into integer milliseconds; the schema of the result comes last,
 * so that OpenAPI can describe it.
 */
export const timeIn = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.regex(instant),
  v.check(isDayOfCalendar),
  v.transform((text) => Date.parse(text)),
  v.number(),
  v.integer(),
);
/** A calendar day in Rome, in this century or the first day after it. */
export const dayIn = v.pipe(
  v.string(),
  v.isoDate(),
  v.regex(/^(?:20|2100-01-01)/),
  v.check(isDayOfCalendar),
);
/** Writes integer milliseconds as ISO text on the wire. */
export const timeOut = v.pipe(
  v.number(),
  v.integer(),
  v.transform((ms) => isoOf(ms)),
  v.string(),
  v.isoTimestamp(),
);

/** PostgreSQL cannot store NUL, and an unpaired surrogate would come back as another text. */
export function isStorable(value: string): boolean {
  return !/[\0\p{Cs}]/u.test(value);
}

/** Text from a person or a phone; its length is counted in characters, as JSON Schema does. */
// @__NO_SIDE_EFFECTS__
export function text(max: number, min = 0) {
  return v.pipe(v.string(), v.minCodePoints(min), v.maxCodePoints(max), v.check(isStorable));
}

/** Text of which at least `min` characters are left without the spaces around it. */
// @__NO_SIDE_EFFECTS__
export function trimmed(max: number, min: number) {
  const inner = min > 1 ? `[^\\x00]{${min - 2},}[^\\s\\x00]` : '';
  return v.pipe(
    text(max),
    v.metadata({ pattern: `^\\s*[^\\s\\x00]${inner}[^\\x00]*$` }),
    v.trim(),
    v.minCodePoints(min),
  );
}

/** A whole number in a query. */
// @__NO_SIDE_EFFECTS__
export function wholeNumber(least: number, most: number) {
  return v.pipe(
    v.string(),
    v.regex(/^(?:0|-?[1-9]\d{0,15})$/),
    v.transform(Number),
    v.number(),
    v.integer(),
    v.minValue(least),
    v.maxValue(most),
  );
}

/** A number of rows in a query. */
// @__NO_SIDE_EFFECTS__
export function countUpTo(most: number) {
  return v.optional(wholeNumber(1, most));
}

/** The page of a long list; `cursor` is the `next_cursor` of the page before. */
export const pageAsk = { limit: countUpTo(100), cursor: v.optional(text(120)) };
/**
 * A page of a list with a search: `q` has words that must all be found, in any order, whatever
 * their capitals and accents.
 */
export const listAsk = { ...pageAsk, q: v.optional(text(100)) };

/** One page of a list; `next_cursor` null: it is the last. */
// @__NO_SIDE_EFFECTS__
export function pageOf<S extends Schema>(item: S) {
  return { items: v.array(item), next_cursor: v.nullable(v.string()) };
}

/** True or false in a query. */
export const yesNo = v.optional(
  v.pipe(
    v.picklist(['true', 'false']),
    v.transform((word) => word === 'true'),
    v.boolean(),
  ),
);
