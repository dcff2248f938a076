/** Sends events to their endpoints again and again until somebody answers 2xx: at least once, in no promised order, from a durable queue. */
import type { OpenDesk } from '#server/standins/stripe/call.ts';
import type { FaultBook } from '#server/standins/stripe/faults/faults.ts';
import {
  listDeliveries,
  makeDue,
  nextRun,
  sendAgain,
  takeDue,
  type Delivery,
  type DeliveryRow,
} from '#server/standins/stripe/statements/deliveries.ts';
import { letAllHeldGo, tryOnce, type Courier, type DeliveryOptions } from './delivery-tries.ts';

export interface Deliverer {
  /** Looks at the queue soon; called after each commit. */
  wake: () => void;
  /** Resolves when everything that was due has been tried. */
  settle: () => Promise<void>;
  list: () => Promise<DeliveryRow[]>;
  /** Tries at once whatever nobody has taken yet, also what was given up. */
  retry: () => Promise<void>;
  /** Sends every event again that was ever sent. */
  replayAll: () => Promise<void>;
  pause: () => void;
  resume: () => Promise<void>;
  /** Stops after the tries in flight. */
  close: () => Promise<void>;
}

export function startDeliverer(
  desk: OpenDesk & { faults: FaultBook },
  options: DeliveryOptions,
): Deliverer {
  const { store, faults } = desk;
  const tries = new Set<Promise<void>>();
  const restingUntil = new Map<string, number>();
  const stop = new AbortController();
  /** Read anew at each turn of a loop that others may end. */
  const state = { paused: false };
  const courier: Courier = {
    desk,
    options,
    signal: stop.signal,
    pause() {
      state.paused = true;
    },
    restingUntil,
    held: new Map(),
  };
  let pumping: Promise<void> | null = null;
  let again = false;
  let nudge = (): void => {};
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    again = true;
    nudge();
    if (stop.signal.aborted || state.paused || pumping) return;
    pumping = pump()
      .then(sleepUntilDue)
      .catch((error: unknown) => {
        // Nothing is lost: the rows stay pending and the next turn finds them.
        console.error('stripe stand-in:', error);
      })
      .then(() => {
        pumping = null;
        // Somebody may have called while the last look was on its way.
        if (again) wake();
      });
  }

  async function pump(): Promise<void> {
    // The caller's answer goes out first, as it would from a far-away server.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    again = false;
    while (!stop.signal.aborted && !state.paused) {
      // Before the look, so that who comes during it is not missed.
      const nudged = new Promise<void>((resolve) => {
        nudge = resolve;
      });
      const free = options.inFlight - tries.size;
      if (free > 0) {
        const due = (await hasDue())
          ? await store.write((writer) =>
              takeDue(writer, {
                now: desk.now(),
                limit: free,
                leaseMs: options.timeoutMs + 2000,
                except: resting(),
              }),
            )
          : [];
        for (const delivery of due) start(delivery);
        if (due.length === 0 && tries.size === 0) return;
      }
      await Promise.race([...tries, nudged]);
    }
    await Promise.all(tries);
  }

  function start(delivery: Delivery): void {
    const attempt = tryOnce(courier, delivery)
      .catch((error: unknown) => console.error('stripe stand-in:', error))
      .then(() => {
        tries.delete(attempt);
      });
    tries.add(attempt);
  }

  function resting(): string[] {
    return [...restingUntil].filter(([, until]) => until > Date.now()).map(([id]) => id);
  }

  /** Most looks find nothing, and looking costs no write. */
  async function hasDue(): Promise<boolean> {
    const next = await nextRun(store);
    return next !== undefined && next <= desk.now();
  }

  async function sleepUntilDue(): Promise<void> {
    clearTimeout(timer);
    const next = stop.signal.aborted ? undefined : await nextRun(store);
    if (next === undefined || stop.signal.aborted) return;
    const rest = Math.max(0, ...[...restingUntil.values()].map((until) => until - Date.now()));
    // The stand-in's clock may be moved by hand, so no sleep is long.
    timer = setTimeout(wake, Math.min(Math.max(next - desk.now(), rest, 10), 1000));
    timer.unref();
  }

  faults.onRelease(() => {
    void letAllHeldGo(courier).then(wake);
  });

  async function settle(): Promise<void> {
    restingUntil.clear();
    wake();
    await quiet();
  }

  /** A look that ends may have begun the next one. */
  async function quiet(): Promise<void> {
    if (!pumping) return;
    await pumping;
    await quiet();
  }

  return {
    wake,
    settle,
    list: () => listDeliveries(store),
    async retry() {
      await store.write((writer) => makeDue(writer));
      await settle();
    },
    async replayAll() {
      await store.write((writer) => sendAgain(writer));
      await settle();
    },
    pause() {
      courier.pause();
      nudge();
    },
    async resume() {
      state.paused = false;
      await settle();
    },
    async close() {
      stop.abort();
      clearTimeout(timer);
      await quiet();
    },
  };
}
