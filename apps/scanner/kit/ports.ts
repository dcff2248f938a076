/**
 * What the phone's core needs from outside: given by the browser (phone.ts), or by a process that
 * runs many phones.
 */
import type { Asked, EndpointShape, ReplyOf } from '#server/contract/endpoint.ts';
import type { StorePlace } from './store.ts';

interface CallOptions {
  token?: string;
  signal?: AbortSignal;
}
type Call = <const E extends EndpointShape>(
  endpoint: E,
  ask: Asked<E>,
  options: CallOptions,
) => Promise<ReplyOf<E>>;

export interface Ports extends StorePlace {
  /** Gives the reply or throws a CallError (apps/shared/api.ts). */
  call: Call;
  /**
   * Gives the answer's raw bytes. `onProgress` gets the bytes received so far and in total; the
   * total is null where the size is unknown.
   */
  callBytes: (
    endpoint: EndpointShape,
    ask: { params: Record<string, string>; query: Record<string, string> },
    options: CallOptions & { onProgress: (have: number, of: number | null) => void },
  ) => Promise<ArrayBuffer>;
  /** The body of an open stream of server-sent events; if left out, the phone only polls. */
  fetchStream?: (
    endpoint: EndpointShape,
    options: CallOptions & { query: Record<string, unknown> },
  ) => Promise<ReadableStream<Uint8Array>>;
  /**
   * A picture of our server as a data address, which shows without a connection; if left out, the
   * phone shows none.
   */
  readPicture?: (address: string, options: { signal: AbortSignal }) => Promise<string>;
  /** The phone's clock, ms. */
  now: () => number;
  /** A stopwatch that cannot be set, ms since any moment; if left out, the clock is trusted. */
  elapsed?: () => number;
  random: (count: number) => Uint8Array<ArrayBuffer>;
  locks: Pick<LockManager, 'request'>;
  /** Calls `act` after this many ms; the returned function cancels it. */
  after: (ms: number, act: () => void) => () => void;
  isOnline: () => boolean;
  /** Whether the page is visible, because a hidden page rests; if left out, it always is. */
  isVisible?: () => boolean;
  /**
   * Loads the app anew, because some browsers open a lost database only for a new page; the new
   * page decides the scan `pending` (scan/pending.ts). False where that is of no use; if left
   * out, it never is.
   */
  restart?: (pending: string | null) => boolean;
  /** Called when something was saved: from then on another restart may help. */
  saved?: () => void;
  /** Whether a person is in the middle of something that a restart would end. */
  isBusy?: () => boolean;
  appVersion: string;
  /** A list with this many parts is merged into fewer; the default is in list/log.ts. */
  mostParts?: number;
  /** 0 to 1, or null where the browser does not tell. */
  battery?: () => Promise<number | null>;
}
