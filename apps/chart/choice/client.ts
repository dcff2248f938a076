/**
 * The calls to the seats.io stand-in; their addresses start with the folder that this script was
 * loaded from.
 */
import type {
  BestAvailableAnswer,
  BestAvailableRequest,
  HoldAnswer,
  HoldRequest,
  HoldTokenInfo,
  RenderingInfo,
  StatusMessage,
} from '#server/standins/seatsio/wire.ts';
import { EventGroup } from '#apps/chart/places/event-group.ts';

// Read at load time, because the browser tells a script's address only while it runs.
const script =
  document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;
/** The folder of all requests. */
export const scriptFolder = new URL('.', script).href;

const requestTimeout = 15_000;
const firstRetry = 500;
const lastRetry = 20_000;
const longestScatter = 800;

/** A failed call: `status` and first code of a refusal; status 0 when no answer came. */
export class CallFailed extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** The messages for a chart, without those about polling, which the client handles itself. */
type StatusNews = Exclude<StatusMessage, { poll_ms: number }>;

interface ClientWants {
  workspaceKey: string;
  /** One event, or a group of events on the same chart. */
  events: readonly string[];
  /** Keys of the channels to choose from; undefined: only places without a channel. */
  channels: readonly string[] | undefined;
  signal: AbortSignal;
}

/** One chart's calls to its server; `signal` ends every call and the stream. */
export class Client {
  readonly #root: string;
  readonly #wants: ClientWants;
  readonly #group: EventGroup;
  /** The last sequence number received for each event. */
  readonly #heard = new Map<string, number>();

  constructor(wants: ClientWants) {
    this.#root = `${scriptFolder}system/public/${encodeURIComponent(wants.workspaceKey)}`;
    this.#wants = wants;
    this.#group = new EventGroup(wants.events);
  }

  get #first(): string {
    return this.#wants.events[0] ?? '';
  }

  /** `&channels=a,b`, or empty. */
  get #channels(): string {
    const { channels } = this.#wants;
    return channels
      ? `&channels=${encodeURIComponent(channels.map(encodeURIComponent).join(','))}`
      : '';
  }

  /** The channels and further events in the body of hold and release. */
  get #common(): Pick<HoldRequest, 'channels' | 'events'> {
    const { channels, events } = this.#wants;
    return {
      ...(channels ? { channels: [...channels] } : {}),
      ...(events.length > 1 ? { events: events.slice(1) } : {}),
    };
  }

  /**
   * Reads the chart. A group of events has the drawing of the first one, and a place is free if
   * it is free in all.
   */
  async readChart(): Promise<RenderingInfo> {
    const infos = await Promise.all(
      this.#wants.events.map((event) =>
        this.#call<RenderingInfo>(
          'GET',
          `rendering-info?event_key=${encodeURIComponent(event)}${this.#channels}`,
        ),
      ),
    );
    const [first] = infos;
    if (!first || infos.some(({ chart }) => chart.key !== first.chart.key))
      throw new CallFailed(400, 'EVENTS_OF_DIFFERENT_CHARTS');
    for (const [at, { sequence, statuses }] of infos.entries()) {
      const event = this.#wants.events[at] ?? '';
      this.#heard.set(event, sequence);
      if (infos.length > 1) this.#group.reset(event, statuses);
    }
    return infos.length > 1 ? { ...first, statuses: this.#group.all() } : first;
  }

  makeToken(): Promise<HoldTokenInfo> {
    return this.#call('POST', 'hold-tokens');
  }

  /** The token's end and what it holds on this event; 404 once it has expired. */
  readToken(token: string): Promise<HoldTokenInfo> {
    return this.#call(
      'GET',
      `hold-tokens/${encodeURIComponent(token)}?event_key=${encodeURIComponent(this.#first)}`,
    );
  }

  hold(request: HoldRequest): Promise<HoldAnswer> {
    return this.#act<HoldAnswer>('hold', { ...request, ...this.#common }).then((answer) =>
      this.#ofGroup(answer),
    );
  }

  release(request: HoldRequest): Promise<HoldAnswer> {
    return this.#act<HoldAnswer>('release', { ...request, ...this.#common }).then((answer) =>
      this.#ofGroup(answer),
    );
  }

  /**
   * Drops the statuses for a group: the answer concerns the first event only, and the streams
   * bring the combined statuses.
   */
  #ofGroup(answer: HoldAnswer): HoldAnswer {
    return this.isGroup ? { ...answer, statuses: [] } : answer;
  }

  /**
   * Holds the places in the same call if the request has a token; otherwise only finds them. For
   * a group of events they are found on its first event.
   */
  bestAvailable(request: BestAvailableRequest): Promise<BestAvailableAnswer> {
    const { channels } = this.#common;
    return this.#act(request.holdToken ? 'hold-best-available' : 'find-best-available', {
      ...request,
      ...(channels ? { channels } : {}),
    });
  }

  /** True for several events: places found on one of them must still be held on all. */
  get isGroup(): boolean {
    return this.#wants.events.length > 1;
  }

  #act<T>(action: string, body: unknown): Promise<T> {
    return this.#call('POST', `events/${encodeURIComponent(this.#first)}/actions/${action}`, body);
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    if (this.#wants.signal.aborted) throw new CallFailed(0, 'NETWORK');
    // Signals are joined by our own code, because iPhones before iOS 17.4 lack AbortSignal.any.
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, requestTimeout);
    this.#wants.signal.addEventListener('abort', end);
    try {
      const answer = await fetch(`${this.#root}/${path}`, {
        method,
        signal: ending.signal,
        cache: 'no-store',
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      });
      if (!answer.ok)
        throw new CallFailed(answer.status, codeOf(await answer.json().catch(() => null)));
      return (await answer.json()) as T;
    } catch (error) {
      throw error instanceof CallFailed ? error : new CallFailed(0, 'NETWORK');
    } finally {
      clearTimeout(timer);
      this.#wants.signal.removeEventListener('abort', end);
    }
  }

  /** Listens to status changes since readChart(), until the signal aborts. */
  listen(hear: (message: StatusNews) => void): void {
    for (const event of this.#wants.events)
      this.#listenTo(event, (message) => {
        // Delayed at random, so that not all charts of a theatre reload at the same moment.
        if ('resync' in message)
          setTimeout(() => {
            if (!this.#wants.signal.aborted) hear(message);
          }, Math.random() * longestScatter);
        else
          hear(
            this.isGroup
              ? { ...message, changes: this.#group.change(event, message.changes) }
              : message,
          );
      });
  }

  /**
   * Reconnects by itself with growing pauses, and continues after the last number seen, so that
   * nothing is missed.
   */
  #listenTo(event: string, hear: (message: StatusNews) => void): void {
    let pause = firstRetry;
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      clearTimeout(timer);
      source?.close();
    };
    const connect = () => {
      stop();
      source = new EventSource(
        `${this.#root}/events/${encodeURIComponent(event)}/stream?since=${this.#heard.get(event) ?? ''}${this.#channels}`,
      );
      source.addEventListener('open', () => {
        pause = firstRetry;
      });
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as StatusMessage;
        if ('poll_ms' in message) {
          // The server has too many listeners, so this stream ends and changes are polled.
          pause = message.poll_ms;
          return;
        }
        if ('sequence' in message)
          this.#heard.set(event, Math.max(this.#heard.get(event) ?? 0, message.sequence));
        hear(message);
      });
      source.addEventListener('error', () => {
        stop();
        timer = setTimeout(connect, pause * (0.75 + Math.random() / 2));
        pause = Math.min(pause * 2, lastRetry);
      });
    };
    // Reconnects, because after sleep or a lost signal a phone may not notice that its connection
    // is dead. A hidden page closes its stream: over HTTP/1.1 a browser has six connections for a
    // site, and six tabs would leave none for calls.
    const wake = () => {
      if (document.hidden) stop();
      else connect();
    };
    document.addEventListener('visibilitychange', wake, { signal: this.#wants.signal });
    addEventListener('online', wake, { signal: this.#wants.signal });
    this.#wants.signal.addEventListener('abort', stop, { once: true });
    wake();
  }
}

function codeOf(body: unknown): string {
  const errors = (body as { errors?: { code?: string }[] } | null)?.errors;
  return errors?.[0]?.code ?? 'UNKNOWN';
}
