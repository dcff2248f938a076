/** What the people of a soak were promised, request by request, and what went wrong with it. */
import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Answered } from '#tests/support/make.ts';

interface PromisedOrder {
  event_id: string;
  places: string[];
  /** What Stripe or the product has said about it last. */
  said: 'booked' | 'paid' | 'cancelled' | 'sold';
}

interface Asking {
  body?: unknown;
  /** Of the visitor, whom the product counts by it. */
  from?: string;
  headers?: Record<string, string>;
}

/** A time in which something was broken on purpose, and requests may fail. */
export interface Trouble {
  from: number;
  to: number;
}

/** Nobody waits longer, however often they repeat. */
const patienceMs = 120_000;
const silenceMs = 45_000;

/** What a machine that is busy with other tests may answer. */
const busy = /Another process holds the database|"code":"(?:try_again|provider_silent)"/;

/** The faults of the product: what it may answer on a busy machine is none. */
export function faultsAmong(faults: readonly string[]): string[] {
  return faults.filter((fault) => !busy.test(fault));
}

export class Ledger {
  readonly orders = new Map<string, PromisedOrder>();
  readonly scans = new Set<string>();
  readonly refunds = new Set<string>();
  readonly moves = new Set<string>();
  /** What was done how often; `repeated` are requests that were in flight when something broke. */
  readonly counts = new Map<string, number>();
  readonly faults: string[] = [];
  readonly troubles: Trouble[] = [];
  readonly #url: string;
  readonly #say: (line: string) => void;

  constructor(url: string, say: (line: string) => void) {
    this.#url = url;
    this.#say = say;
  }

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  fault(what: string): void {
    this.faults.push(what);
    this.#say(`fault: ${what}`);
  }

  /**
   * Asks until there is an answer below 500, as a person or a program would. A line that breaks or a 5xx is a fault, unless something was broken
   * while the request was under way, or the request repeats such a one.
   */
  async send(method: string, path: string, asking: Asking = {}): Promise<Answered> {
    const { body, from, headers } = asking;
    const heads = { ...headers, ...(from === undefined ? {} : { 'x-forwarded-for': from }) };
    return this.persist(`${method} ${path}`, () =>
      ask({ url: this.#url }, method, path, { body, headers: heads }),
    );
  }

  async persist<T extends { status: number; body?: unknown }>(
    name: string,
    run: () => Promise<T>,
  ): Promise<T> {
    const began = Date.now();
    let repeats = false;
    let said = '';
    while (Date.now() - began < patienceMs) {
      const sent = Date.now();
      const answer = await Promise.race([run(), silent()]).catch((error: unknown) => ({
        status: 0,
        body: String(error instanceof Error ? (error.cause ?? error) : error),
      }));
      this.count('requests');
      if (answer.status !== 0 && answer.status < 500 && answer.status !== 429) return answer as T;
      said = `${answer.status} ${JSON.stringify(answer.body)}`;
      if (answer.status === 429) this.count('asked to wait');
      else if (repeats || this.isTroubled(sent)) {
        this.count(
          answer.status === 0 ? 'broken in flight and repeated' : '5xx in trouble and repeated',
        );
        repeats = true;
      } else this.fault(`${name}: ${said}`);
      await pause(300);
    }
    throw new Error(`${name} was never answered: ${said}`);
  }

  /** Something was broken on purpose after that moment. */
  isTroubled(since: number): boolean {
    return this.troubles.some(({ from, to }) => to >= since && from <= Date.now());
  }
}

async function silent(): Promise<never> {
  await pause(silenceMs, undefined, { ref: false });
  throw new Error(`no answer for ${silenceMs} ms`);
}
