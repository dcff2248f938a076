/**
 * The only place where the apps use HTTP: call(endpoint, ask) returns the reply or throws (RULES
 * W2).
 */
import {
  addressOf,
  unpackedLength,
  type Asked,
  type EndpointShape,
  type ReplyOf,
} from '#server/contract/endpoint.ts';

/**
 * Thrown by call(): the server's refusal, or a code for an unreadable answer or a lost
 * connection.
 */
export class CallError extends Error {
  readonly status: number | 'unknown';
  readonly code: string;
  readonly detail: unknown;

  constructor(status: number | 'unknown', code: string, message: string, detail?: unknown) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

interface CallOptions {
  signal?: AbortSignal;
  /** A phone's device token. */ token?: string;
  keepalive?: boolean;
}

/** The code of a request that did not reach the server; queries do not repeat it. */
export const networkError = 'network';

/**
 * Calls an endpoint of the same origin, with JSON in both directions. Returns undefined for 204.
 * Content other than JSON is an error, or bytes if the contract has no reply.
 */
export async function call<const E extends EndpointShape>(
  endpoint: E,
  ask: Asked<E>,
  options: CallOptions = {},
): Promise<ReplyOf<E>> {
  return (await readAnswer(
    await callUnread(endpoint, ask as AnyAsk, options),
    endpoint.reply !== undefined,
  )) as ReplyOf<E>;
}

interface AnyAsk {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Returns the unread response, for streams and large bodies; throws a refusal as call() does. */
export async function callUnread(
  endpoint: EndpointShape,
  { params, query, body }: AnyAsk,
  options: CallOptions = {},
): Promise<Response> {
  const multipart = body instanceof FormData;
  let response: Response;
  if (!hasBase()) throw new CallError('unknown', 'no_base', 'baseUrl not set');
  try {
    response = await fetch(addressOf(endpoint, params, query), {
      method: endpoint.method,
      headers: {
        accept: endpoint.stream ? 'text/event-stream' : 'application/json',
        // Proves that no other site's form sent this, because a form cannot set headers.
        ...(multipart && { 'x-requested-with': 'fetch' }),
        ...(body !== undefined && !multipart && { 'content-type': 'application/json' }),
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      },
      body: multipart ? body : JSON.stringify(body),
      signal: options.signal ?? null,
      keepalive: options.keepalive ?? false,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new CallError('unknown', networkError, 'Network error', String(error));
  }
  if (response.ok) return response;
  const refusal = await response.json().catch((cause: unknown) => ({ cause }));
  if (typeof refusal?.message !== 'string' || refusal.status === undefined)
    throw unreadable(refusal?.cause ?? JSON.stringify(refusal));
  throw new CallError(refusal.status, refusal.code, refusal.message, refusal.detail);
}

/**
 * Reads the whole body, at most as many bytes as the header announces.
 * @param onProgress gets the bytes so far and the announced sum, or null if there is none
 * @throws CallError unreadable if the connection breaks
 */
export async function readBytes(
  response: Response,
  onProgress: (have: number, of: number | null) => void,
): Promise<ArrayBuffer> {
  const announced = Number(response.headers.get(unpackedLength) ?? Number.NaN);
  const of = Number.isSafeInteger(announced) && announced > 0 ? announced : null;
  let bytes = new Uint8Array(of ?? 2 ** 16);
  let have = 0;
  const reader = response.body?.getReader();
  try {
    for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
      if (have + next.value.length > bytes.length) {
        const larger = new Uint8Array(2 * (have + next.value.length));
        larger.set(bytes.subarray(0, have));
        bytes = larger;
      }
      bytes.set(next.value, have);
      have += next.value.length;
      onProgress(have, of);
      // A slow phone reports the end of a stream long after its last byte.
      if (have === of) break;
    }
  } catch (cause) {
    throw cause instanceof DOMException && cause.name === 'AbortError' ? cause : unreadable(cause);
  }
  return have === bytes.length ? bytes.buffer : bytes.slice(0, have).buffer;
}

/** Relative addresses need an origin, which about:blank, a file and Node lack. */
function hasBase(): boolean {
  const { location } = globalThis as { location?: Location };
  return location !== undefined && location.origin.startsWith('http');
}

async function readAnswer(response: Response, mustBeJson: boolean): Promise<unknown> {
  if (response.status === 204) return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('json')) {
    if (mustBeJson) throw unreadable(`${response.status} ${type}`);
    return response.blob();
  }
  return response.json().catch((cause: unknown) => {
    throw cause instanceof DOMException && cause.name === 'AbortError' ? cause : unreadable(cause);
  });
}

function unreadable(cause: unknown): CallError {
  return new CallError('unknown', 'unreadable', 'Unexpected error', String(cause));
}
