/** The visitor's session: one token, what the server holds for it, and when it expires. */
import type {
  BestAvailableAnswer,
  BestAvailableRequest,
  HeldObject,
  HoldAnswer,
  HoldTokenInfo,
  WireStatus,
} from '#server/standins/seatsio/wire.ts';
import { CallFailed, type Client } from './client.ts';
import type { ChartConfig, Emit } from '#apps/chart/config.ts';

/** A longer timer would drift on a sleeping phone, so the clock is checked at this interval. */
const longestNap = 20_000;

const lostToken = new Set(['HOLD_TOKEN_NOT_FOUND', 'HOLD_TOKEN_EXPIRED']);

/**
 * taken: the server refused it; limit: the token may hold no more; crowded: the visitor's network
 * holds too much or asks too often; offline: no clear answer, so the server may hold it all the
 * same.
 */
export interface HoldFailure {
  ok: false;
  reason: 'taken' | 'limit' | 'crowded' | 'expired' | 'offline';
}
/** `statuses`: the places' statuses after the call; the stream repeats them a little later. */
export type HoldResult = { ok: true; statuses: WireStatus[] } | HoldFailure;
type Sent<T> = { ok: true; answer: T } | HoldFailure;

interface SessionWants {
  client: Client;
  config: () => ChartConfig;
  emit: Emit;
  signal: AbortSignal;
  /** Called when the server has ended the token. */
  expired: () => void;
  /** Called with the new token, or with '' when there is none. */
  changed: (token: string) => void;
}

export class HoldSession {
  token = '';
  readonly #wants: SessionWants;
  /** The last call for each object: calls for one object run one after the other. */
  readonly #chains = new Map<string, Promise<unknown>>();
  #expiresAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #open = 0;
  #told = false;
  #isOver = false;
  #last: Promise<unknown> = Promise.resolve();
  #reopening: Promise<unknown> | null = null;

  constructor(wants: SessionWants) {
    this.#wants = wants;
    wants.signal.addEventListener('abort', () => {
      clearTimeout(this.#timer);
      // The page may render anew during a call, and must not wait for it for ever.
      this.#complete();
    });
    document.addEventListener('visibilitychange', () => this.#watch(), { signal: wants.signal });
  }

  get active(): boolean {
    return this.token !== '';
  }

  /**
   * Whether a token is needed to choose: because the page asked the chart for a session, or
   * because the page's own token has expired.
   */
  get wanted(): boolean {
    const { session } = this.#wants.config();
    return session === 'start' || session === 'continue' || this.#isOver;
  }

  /** Resolves when no call is running and the callers have processed the answers. */
  async idle(): Promise<void> {
    while (this.#open > 0) await this.#last;
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  }

  /**
   * Takes a new token after the last one has expired; false when that failed. Simultaneous
   * callers share one call.
   */
  async reopen(): Promise<boolean> {
    if (this.active) return true;
    this.#reopening ??= this.startNew().finally(() => {
      this.#reopening = null;
    });
    return this.#reopening.then(
      () => true,
      () => false,
    );
  }

  /**
   * Opens the session that the page asked for, or continues a known one, and returns what the
   * token already holds.
   */
  async start(resumed = ''): Promise<HeldObject[]> {
    const { session, holdToken } = this.#wants.config();
    if (resumed) {
      const info = await this.#readLiving(resumed);
      if (info) return this.#adopt(info);
    }
    if (session === 'manual' || (holdToken && session !== 'start' && session !== 'continue')) {
      return holdToken ? this.#adopt(await this.#wants.client.readToken(holdToken)) : [];
    }
    if (session === 'continue') {
      const kept = this.#recall();
      const info = kept ? await this.#readLiving(kept) : null;
      if (info) return this.#adopt(info);
    }
    return session === 'continue' || session === 'start' ? this.startNew() : [];
  }

  /** Null for an expired token. */
  async #readLiving(token: string): Promise<HoldTokenInfo | null> {
    const info = await this.#wants.client.readToken(token).catch(noneWhenGone);
    return info && info.expiresInSeconds > 0 ? info : null;
  }

  /** Drops the old token and takes a new one. */
  async startNew(): Promise<HeldObject[]> {
    return this.#adopt(await this.#wants.client.makeToken());
  }

  #adopt(info: HoldTokenInfo): HeldObject[] {
    this.token = info.holdToken;
    this.#wants.changed(this.token);
    this.#expiresAt = Date.now() + info.expiresInSeconds * 1000;
    this.#keep(info.holdToken);
    this.#watch();
    this.#wants.emit('onSessionInitialized', {
      token: info.holdToken,
      holdToken: info.holdToken,
      expiresAt: info.expiresAt,
      expiresInSeconds: info.expiresInSeconds,
    });
    return info.objects ?? [];
  }

  /** What the server holds for the token; null when it has expired, which ends the session. */
  async readHeld(): Promise<HeldObject[] | null> {
    const info = await this.#readLiving(this.token);
    if (info) {
      this.#expiresAt = Date.now() + info.expiresInSeconds * 1000;
      return info.objects ?? [];
    }
    this.#end();
    return null;
  }

  /** Holds all of them in one call, or none. */
  hold(objects: HeldObject[]): Promise<HoldResult> {
    const { token } = this;
    return this.#send(objects, () => this.#wants.client.hold({ holdToken: token, objects })).then(
      statusesOf,
    );
  }

  release(objects: HeldObject[]): Promise<HoldResult> {
    const { token } = this;
    return this.#send(objects, () =>
      this.#wants.client.release({ holdToken: token, objects }),
    ).then(statusesOf);
  }

  /** Finds and holds the best places in one call. */
  holdBest(ask: Omit<BestAvailableRequest, 'holdToken'>): Promise<Sent<BestAvailableAnswer>> {
    const { token } = this;
    return this.#send([], () => this.#wants.client.bestAvailable({ ...ask, holdToken: token }));
  }

  async #send<T>(objects: HeldObject[], make: () => Promise<T>): Promise<Sent<T>> {
    const before = objects.map(({ objectId }) => this.#chains.get(objectId));
    const { token } = this;
    this.#open += 1;
    if (!this.#told) this.#wants.emit('onHoldCallsInProgress');
    this.#told = true;
    const call = Promise.all(before).then(make);
    const quiet = call.catch(() => {});
    this.#last = Promise.all([this.#last, quiet]);
    for (const { objectId } of objects) this.#chains.set(objectId, quiet);
    try {
      return { ok: true, answer: await call };
    } catch (error) {
      const failed = error instanceof CallFailed ? error : new CallFailed(0, 'NETWORK');
      if (lostToken.has(failed.code) && token === this.token) this.#end();
      return { ok: false, reason: reasonOf(failed) };
    } finally {
      this.#open -= 1;
      if (this.#open === 0) {
        this.#chains.clear();
        // Deferred until the caller has processed the answer, because a page may book in this
        // callback.
        setTimeout(() => {
          if (this.#open === 0) this.#complete();
        });
      }
    }
  }

  #complete(): void {
    if (!this.#told) return;
    this.#told = false;
    this.#wants.emit('onHoldCallsComplete');
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (!this.active || this.#wants.signal.aborted) return;
    const left = this.#expiresAt - Date.now();
    this.#timer = setTimeout(() => void this.#look(), Math.max(0, Math.min(left, longestNap)));
  }

  /** Asks the server when the time is over, because it may have prolonged the token. */
  async #look(): Promise<void> {
    if (Date.now() >= this.#expiresAt) {
      const held = await this.readHeld().catch(() => undefined);
      if (held === undefined && !this.#wants.signal.aborted) this.#end();
    }
    this.#watch();
  }

  #end(): void {
    if (!this.active || this.#wants.signal.aborted) return;
    this.token = '';
    this.#isOver = true;
    this.#wants.changed('');
    this.#keep('');
    this.#wants.expired();
  }

  #place(): string {
    const { workspaceKey, event, events } = this.#wants.config();
    return `seatsio-hold:${workspaceKey}:${event ?? events?.join(',')}`;
  }

  // Without storage every reload starts a new session.
  #recall(): string | null {
    try {
      return sessionStorage.getItem(this.#place());
    } catch {
      return null;
    }
  }

  #keep(token: string): void {
    try {
      if (token) sessionStorage.setItem(this.#place(), token);
      else sessionStorage.removeItem(this.#place());
    } catch {}
  }
}

function reasonOf({ status, code }: CallFailed): HoldFailure['reason'] {
  if (lostToken.has(code)) return 'expired';
  if (code === 'TOO_MANY_OBJECTS') return 'limit';
  if (status === 429) return 'crowded';
  return status === 400 && code !== 'UNKNOWN' ? 'taken' : 'offline';
}

function statusesOf(sent: Sent<HoldAnswer>): HoldResult {
  return sent.ok ? { ok: true, statuses: sent.answer.statuses } : sent;
}

function noneWhenGone(error: unknown): null {
  if (
    error instanceof CallFailed &&
    error.status >= 400 &&
    error.status < 500 &&
    error.status !== 429
  )
    return null;
  throw error;
}
