/** The calls to the seats.io stand-in, all under the folder that this script was loaded from. */
import type { HoldAnswer, HoldRequest, HoldTokenInfo, RenderingInfo, StatusMessage } from '#server/standins/seatsio/wire.ts';

// Only while the script itself runs does the browser tell where it came from.
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;
const base = new URL('.', script).href;

const requestTimeout = 15_000;
const firstRetry = 500;
const lastRetry = 20_000;

/** A refusal by the server: `status` and the first code of its body; status 0 when no answer came. */
export class CallFailed extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** One chart's line to its server; `signal` ends every call and the stream. */
export class Client {
  readonly #root: string;
  readonly #event: string;
  readonly #signal: AbortSignal;

  constructor(workspaceKey: string, event: string, signal: AbortSignal) {
    this.#root = `${base}system/public/${encodeURIComponent(workspaceKey)}`;
    this.#event = event;
    this.#signal = signal;
  }

  readChart(): Promise<RenderingInfo> {
    return this.#call('GET', `rendering-info?event_key=${encodeURIComponent(this.#event)}`);
  }

  makeToken(): Promise<HoldTokenInfo> {
    return this.#call('POST', 'hold-tokens');
  }

  /** The token's end and what it holds on this event; refused with 404 once it is over. */
  readToken(token: string): Promise<HoldTokenInfo> {
    return this.#call('GET', `hold-tokens/${encodeURIComponent(token)}?event_key=${encodeURIComponent(this.#event)}`);
  }

  hold(request: HoldRequest): Promise<HoldAnswer> {
    return this.#call('POST', `events/${encodeURIComponent(this.#event)}/actions/hold`, request);
  }

  release(request: HoldRequest): Promise<HoldAnswer> {
    return this.#call('POST', `events/${encodeURIComponent(this.#event)}/actions/release`, request);
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    if (this.#signal.aborted) throw new CallFailed(0, 'NETWORK');
    // By hand: iPhones before iOS 17.4 cannot join two signals.
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, requestTimeout);
    this.#signal.addEventListener('abort', end);
    try {
      const answer = await fetch(`${this.#root}/${path}`, {
        method,
        signal: ending.signal,
        cache: 'no-store',
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      });
      if (!answer.ok) throw new CallFailed(answer.status, codeOf(await answer.json().catch(() => null)));
      return await answer.json() as T;
    } catch (error) {
      throw error instanceof CallFailed ? error : new CallFailed(0, 'NETWORK');
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener('abort', end);
    }
  }

  /**
   * Listens to status changes after `since` for as long as the signal lives: reconnects by itself with growing pauses
   * and asks again from the last number seen, so nothing is missed in between.
   */
  listen(since: number, hear: (message: StatusMessage) => void): void {
    let last = since;
    let pause = firstRetry;
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      clearTimeout(timer);
      source?.close();
    };
    const connect = () => {
      stop();
      source = new EventSource(`${this.#root}/events/${encodeURIComponent(this.#event)}/stream?since=${last}`);
      source.addEventListener('open', () => { pause = firstRetry; });
      source.addEventListener('message', (event: MessageEvent<string>) => {
        const message = JSON.parse(event.data) as StatusMessage;
        if ('sequence' in message) last = Math.max(last, message.sequence);
        hear(message);
      });
      source.addEventListener('error', () => {
        stop();
        timer = setTimeout(connect, pause * (0.75 + Math.random() / 2));
        pause = Math.min(pause * 2, lastRetry);
      });
    };
    // A phone that slept or lost its signal may hold a dead line without knowing it. A page that nobody sees gives its
    // line back: a browser has six of them for a whole site over HTTP/1.1, and six tabs would leave none for calls.
    const wake = () => { if (document.hidden) stop(); else connect(); };
    document.addEventListener('visibilitychange', wake, { signal: this.#signal });
    addEventListener('online', wake, { signal: this.#signal });
    this.#signal.addEventListener('abort', stop, { once: true });
    wake();
  }
}

function codeOf(body: unknown): string {
  const errors = (body as { errors?: { code?: string }[] } | null)?.errors;
  return errors?.[0]?.code ?? 'UNKNOWN';
}
