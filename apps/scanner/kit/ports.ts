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
   * The answer's bytes, unread. `onProgress` hears how much has come of how much, null where the
   * size is unknown.
   */
  callBytes: (
    endpoint: EndpointShape,
    ask: { params: Record<string, string>; query: Record<string, string> },
    options: CallOptions & { onProgress: (have: number, of: number | null) => void },
  ) => Promise<ArrayBuffer>;
  /** The body of an open stream of server-sent events; left out: the phone only asks. */
  fetchStream?: (
    endpoint: EndpointShape,
    options: CallOptions,
  ) => Promise<ReadableStream<Uint8Array>>;
  /**
   * A picture of ours as a data address, which needs no line later; left out: the phone shows
   * none.
   */
  readPicture?: (address: string, options: { signal: AbortSignal }) => Promise<string>;
  /** The phone's clock, ms. */
  now: () => number;
  /** A stopwatch that cannot be set, ms since any moment; if left out, the clock is believed. */
  elapsed?: () => number;
  random: (count: number) => Uint8Array<ArrayBuffer>;
  locks: Pick<LockManager, 'request'>;
  /** Calls `act` after so many ms; gives back how to prevent it. */
  after: (ms: number, act: () => void) => () => void;
  isOnline: () => boolean;
  /** A hidden page rests; if left out, it is always visible. */
  isVisible?: () => boolean;
  appVersion: string;
  /** Behind so many parts a list is tidied; left out: as list/log.ts says. */
  mostParts?: number;
  /** 0 to 1, or null where the browser does not tell. */
  battery?: () => Promise<number | null>;
}
