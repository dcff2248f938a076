/**
 * What an endpoint is: one constant that the server registers with serve() and the apps use with
 * call().
 */
import * as v from 'valibot';
import { isoOf } from '#server/domain/time/dates.ts';
import type { RefusalCode } from '#server/domain/refusal.ts';
import type { ProgramScope } from '#server/domain/program/token.ts';
import type { Right } from '#server/domain/user/rights.ts';

type Schema = v.GenericSchema;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** Another program with a token that may read this. */
export type OfProgram = `program:${Exclude<ProgramScope, 'buyers'>}`;
/**
 * Which right of a person it needs, and so which roles (server/domain/user/rights.ts); a phone and
 * a program are no persons.
 */
type Who = 'public' | 'phone' | OfProgram | Right;
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
  /** `:eventId` stands for `{eventId}`. */
  path: string;
  /** One English sentence for the OpenAPI document. */
  summary: string;
  /** More for the same readers, where one sentence does not do. */
  description?: string;
  who: Who;
  /** Only for users who proved their identity within the last ten minutes (RULES U3). */
  sensitive?: true;
  /** A revoked phone may still call it: it hands in its queue before it goes. */
  evenRevoked?: true;
  /** Left out: 'read' for GET, 'change' for the rest. */
  limit?: Limit;
  /** Characters of a path parameter at most; 200 if left out. */
  longestParam?: number;
  /**
   * Refusals of its own; those of every endpoint (bad_request, too_many_requests, …) need not be
   * named.
   */
  refusals?: readonly RefusalCode[];
  query?: Schema;
  body?: Schema;
  /** Instead of a body: multipart with one `file` and these fields, all of them text. */
  form?: Schema;
  /** What is asked for is done later: the answer is 202, without a word on what becomes of it. */
  accepted?: true;
  /** Instead of JSON, bytes of this type that are kept, compressed, and sent to many. */
  written?: 'application/octet-stream';
  /** Left out, and no `file`, `stream` or `written`: the answer is 204. */
  reply?: Schema;
  /**
   * Instead of an answer, server-sent events for as long as the caller listens, each of this shape.
   */
  stream?: Schema;
  /** The file may be looked at in a frame of a page of ours; left out: it is kept. */
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

/**
 * A file as the handler gives it, whole or piece by piece while it is made; `type` is the whole
 * header.
 */
export interface FileAnswer {
  name: string;
  type: string;
  /** What is long comes piece by piece, and is sent while it is made. */
  content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** The header that says how many bytes a compressed answer will be, unpacked. */
export const unpackedLength = 'x-unpacked-length';

/**
 * Who listens to a stream. `write` says false once the line is gone or too slow; after `close`
 * nothing more is taken.
 */
export interface Listener {
  write: (bytes: Uint8Array) => boolean;
  close: () => void;
  onClose: (done: () => void) => void;
}
/** Called once the line stands. */
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

/** What a caller writes: required exactly where the schema requires it. */
export type Asked<E extends EndpointShape> = PathPart<E> &
  Part<'query', InputOf<E['query']>> &
  (E['form'] extends Schema
    ? { /** A FormData. */ body: object }
    : Part<'body', InputOf<E['body']>>);
/** What the handler gets after parsing. */
export interface Received<E extends EndpointShape> {
  params: Params<E>;
  query: OutputOf<E['query']>;
  body: OutputOf<E['body']>;
  form: OutputOf<E['form']>;
  /** The bytes that came with a form. */ file: E['form'] extends Schema ? Uint8Array : undefined;
}
/** What the handler returns: times still in milliseconds. */
export type Answer<E extends EndpointShape> = E['stream'] extends Schema
  ? StreamAnswer
  : E['written'] extends string
    ? /** As a gzip file. */ Uint8Array
    : E['reply'] extends Schema
      ? v.InferInput<E['reply']>
      : E['file'] extends string
        ? FileAnswer
        : void;
/**
 * What the caller gets: only the fields that the contract names; a file as the platform gives it.
 */
export type ReplyOf<E extends EndpointShape> = E['reply'] extends Schema
  ? v.InferOutput<E['reply']>
  : E['file'] extends string
    ? unknown
    : undefined;

/**
 * A typed identity: keeps the literal path, so that its parameters are known to the compiler. Told
 * to be free of side effects, so that an app carries only the endpoints that it calls.
 */
// @__NO_SIDE_EFFECTS__
export function endpoint<
  const M extends Method,
  const P extends string,
  const Rest extends Omit<EndpointShape, 'method' | 'path'>,
>(method: M, path: P, rest: Rest): { method: M; path: P } & Rest {
  return { method, path, ...rest };
}

/** Told apart by the compiler, too: what remains is a person's right. */
export function isOfProgram(who: Who): who is OfProgram {
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

/** Years that a clock may be off by, and still be told in four digits and stored in eight bytes. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/**
 * ISO text on the wire becomes integer milliseconds inside; it ends with the schema of the result,
 * so that OpenAPI can describe it.
 */
export const timeIn = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => Date.parse(text)),
  v.number(),
  v.integer(),
  v.minValue(earliest),
  v.maxValue(latest),
);
/** A day of the calendar, in Rome. */
export const dayIn = v.pipe(
  v.string(),
  v.isoDate(),
  v.check((value) => {
    const ms = Date.parse(`${value}T00:00:00Z`);
    return (
      !Number.isNaN(ms) &&
      new Date(ms).toISOString().startsWith(value) &&
      value >= '2000-01-01' &&
      value <= '2100-01-01'
    );
  }),
);
/** Integer milliseconds inside become ISO text on the wire. */
export const timeOut = v.pipe(
  v.number(),
  v.integer(),
  v.transform((ms) => isoOf(ms)),
  v.string(),
  v.isoTimestamp(),
);

/**
 * Text that a person or a phone sends: bounded, free of NUL, which PostgreSQL cannot store, and of
 * halves of characters, which come back as another text.
 */
// @__NO_SIDE_EFFECTS__
export function text(max: number, min = 0) {
  return v.pipe(
    v.string(),
    v.minLength(min),
    v.maxLength(max),
    v.check((value) => !/[\0\p{Cs}]/u.test(value)),
  );
}

/** A number in a query, from 1 on. */
// @__NO_SIDE_EFFECTS__
export function countUpTo(most: number) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/),
      v.transform(Number),
      v.integer(),
      v.minValue(1),
      v.maxValue(most),
    ),
  );
}

/** Which page of a long list; `cursor` is the `next_cursor` of the page before. */
export const pageAsk = { limit: countUpTo(100), cursor: v.optional(text(120)) };
/** The same, and words that all must be found, in whatever order, capitals and accents forgiven. */
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
  ),
);
