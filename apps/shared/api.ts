/** The only place where the apps speak HTTP: call(endpoint, ask) gives the reply or throws what specification §7 says. */
import { addressOf, type Asked, type EndpointShape, type ReplyOf } from '#server/contract/endpoint.ts';

/** What call() throws: the server's refusal, or the two forms of specification §7 for an unreadable answer and a dead network. */
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

export interface CallOptions { signal?: AbortSignal; /** A phone's device token. */ token?: string; keepalive?: boolean }

/** Code of an error that never reached the server: such a query is not tried again. */
export const networkError = 'network';

/** Same origin, JSON both ways; 204 gives undefined. Where the contract names no reply, anything that is not JSON is read as binary; where it does, such an answer came from somebody else. */
export async function call<const E extends EndpointShape>(endpoint: E, ask: Asked<E>, options: CallOptions = {}): Promise<ReplyOf<E>> {
  const { params, query, body } = ask as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
  const multipart = body instanceof FormData;
  let response: Response;
  if (!hasBase()) throw new CallError('unknown', 'no_base', 'baseUrl not set');
  try {
    response = await fetch(addressOf(endpoint, params, query), {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        // A form of another site cannot send this header.
        ...(multipart ? { 'x-requested-with': 'fetch' } : body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      },
      body: body === undefined ? null : multipart ? body : JSON.stringify(body),
      signal: options.signal ?? null,
      keepalive: options.keepalive ?? false,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new CallError('unknown', networkError, 'Network error', String(error));
  }
  return (await readAnswer(response, endpoint.reply !== undefined)) as ReplyOf<E>;
}

/** Specification §8: every address is relative to the page's origin; where there is no page (about:blank, a file, Node) there is nobody to ask. */
function hasBase(): boolean {
  const { location } = globalThis as { location?: Location };
  return location !== undefined && location.origin !== 'null';
}

async function readAnswer(response: Response, mustBeJson: boolean): Promise<unknown> {
  if (!response.ok) {
    const error = await response.json().catch((cause: unknown) => ({ cause }));
    if (typeof error?.message !== 'string' || error.status === undefined) throw unreadable(error?.cause ?? JSON.stringify(error));
    throw new CallError(error.status, error.code, error.message, error.detail);
  }
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
