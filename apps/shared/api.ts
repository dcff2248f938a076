/** The only place where the apps speak HTTP: call(endpoint, ask) replies or throws (RULES W2). */
import {
  addressOf,
  unpackedLength,
  type Asked,
  type EndpointShape,
  type ReplyOf,
} from '#server/contract/endpoint.ts';

/**
 * What call() throws: a refusal, or one of two codes for an unreadable answer and a dead network.
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

/** Code of an error that never reached the server: such a query is not tried again. */
export const networkError = 'network';

/**
 * Same origin, JSON both ways; 204 gives undefined. Without a reply in the contract other content
 * is read as binary, else it is an error.
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

/** The unread answer, for streams and large bodies; a refusal is thrown as by call(). */
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
        // A form of another site cannot send this header.
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
 * The whole body, or as much of it as the header announces.
 * @param onProgress hears the bytes so far and their sum, or null where it is unknown
 * @throws CallError unreadable when the line breaks in the middle
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
      // On a slow phone the end of a stream is known long after its last byte.
      if (have === of) break;
    }
  } catch (cause) {
    throw cause instanceof DOMException && cause.name === 'AbortError' ? cause : unreadable(cause);
  }
  return have === bytes.length ? bytes.buffer : bytes.slice(0, have).buffer;
}

/** Addresses are relative to the page's origin, which about:blank, a file and Node lack. */
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
