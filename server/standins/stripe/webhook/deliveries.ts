/** Sends events to their endpoints again and again until somebody answers 2xx: at least once, in no promised order, from a durable queue. */
import type { Writer } from '#server/standins/kit/store.ts';
import type { OpenDesk } from '#server/standins/stripe/call.ts';
import {
  addDelivery,
  hold,
  letGo,
  listDeliveries,
  makeDue,
  nextRun,
  noteDelivered,
  noteFailed,
  putBack,
  sendAgain,
  takeDue,
  type Delivery,
  type DeliveryRow,
} from '#server/standins/stripe/statements/deliveries.ts';
import { post, type Outcome } from './delivery-request.ts';
import type { StripeEvent } from './events.ts';
import type { DeliveryFault, FaultBook, FaultHit } from '#server/standins/stripe/faults/faults.ts';
import { findObject } from '#server/standins/stripe/statements/objects.ts';
import type { WebhookEndpoint } from './webhook-endpoints.ts';

const HOURS = 3600;
/** Seconds after each failed try of a live account; from the last one on it stays so. Stripe publishes the three days, not the steps. */
const WAITS = [300, 1800, 2 * HOURS, 5 * HOURS, 10 * HOURS, 12 * HOURS];
const GIVE_UP_AFTER_MS = 3 * 24 * HOURS * 1000;
/** Where nobody answers at all, one try stands for all: the endpoint rests, at most this long, so that a receiver that comes back is noticed at once. */
const LONGEST_REST_MS = 2000;

export interface DeliveryOptions {
  /** Shortens the waits between tries, not the three days after which a delivery is given up: 1 is Stripe's pace. */
  retryScale: number;
  /** Tries under way at once. */
  inFlight: number;
  timeoutMs: number;
}

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
  const held = new Map<string, number[]>();
  const stop = new AbortController();
  /** Read anew at each turn of a loop that others may end. */
  const state = { paused: false };
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
    const attempt = tryOnce(delivery)
      .catch((error: unknown) => console.error('stripe stand-in:', error))
      .then(() => {
        tries.delete(attempt);
      });
    tries.add(attempt);
  }

  async function tryOnce(delivery: Delivery): Promise<void> {
    const endpoint = await findObject<WebhookEndpoint>(
      store,
      'webhook_endpoint',
      delivery.endpoint,
    );
    const event = await findObject<StripeEvent>(store, 'event', delivery.event);
    const at = desk.now();
    if (!endpoint || !event || endpoint.status === 'disabled') {
      // As documented: an endpoint that is gone or switched off when its turn comes is not tried any more for that event.
      const error =
        endpoint && event ? 'The endpoint is disabled.' : 'The endpoint or the event is gone.';
      return store.write((writer) => noteFailed(writer, delivery.id, { at, error, runAt: null }));
    }
    const fault = faults.matchDelivery({
      id: delivery.id,
      event: event.type,
      endpoint: endpoint.id,
    });
    if (fault && (await isPostponed(delivery, fault))) return;
    const spoilt = fault?.rule.action;
    const outcome: Outcome =
      spoilt === 'drop'
        ? { error: 'The event was lost on its way (fault)', answered: true }
        : await post(
            desk,
            { endpoint, event, spoilt },
            { signal: stop.signal, timeoutMs: options.timeoutMs },
          );
    if (fault) fault.hit.executed = spoilt !== 'drop';
    if (stop.signal.aborted && outcome.error !== null)
      return store.write((writer) => putBack(writer, delivery.id));
    if (!outcome.answered)
      restingUntil.set(endpoint.id, Date.now() + Math.min(waitAfter(delivery), LONGEST_REST_MS));
    await store.write((writer) => note(writer, { delivery, at, error: outcome.error }));
  }

  /** True when this try is not to be made now. */
  async function isPostponed(
    delivery: Delivery,
    { rule, hit }: { rule: DeliveryFault & { id: string }; hit: FaultHit },
  ): Promise<boolean> {
    switch (rule.action) {
      case 'pause':
        state.paused = true;
        await store.write((writer) => putBack(writer, delivery.id));
        return true;
      case 'delay':
        await store.write((writer) => putBack(writer, delivery.id, desk.now() + (rule.ms ?? 0)));
        return true;
      case 'duplicate':
        await store.write(async (writer) => {
          for (let copy = 1; copy < (rule.copies ?? 2); copy += 1)
            await addDelivery(writer, delivery.event, delivery.endpoint);
        });
        return false;
      case 'replay_all':
        await store.write((writer) =>
          sendAgain(writer, { endpoint: delivery.endpoint, except: delivery.id }),
        );
        return false;
      case 'reorder': {
        const waiting = [...(held.get(rule.id) ?? []), delivery.id];
        held.set(rule.id, waiting);
        await store.write((writer) => hold(writer, delivery.id));
        if (waiting.length >= (rule.hold ?? 2)) await letHeldGo(rule.id);
        hit.executed = false;
        return true;
      }
      default:
        return false;
    }
  }

  /** The last to come goes first: any other order than theirs would do, and this one is the same each time. */
  async function letHeldGo(rule: string): Promise<void> {
    const ids = held.get(rule) ?? [];
    held.delete(rule);
    await store.write((writer) => letGo(writer, ids.toReversed()));
  }

  /** `at`: when the try began, because that is when the receiver was asked. */
  async function note(
    writer: Writer,
    tried: { delivery: Delivery; at: number; error: string | null },
  ): Promise<void> {
    const { delivery, at, error } = tried;
    if (error === null) return noteDelivered(writer, delivery.id, at);
    const next = at + waitAfter(delivery);
    const isOver = next - (delivery.first_at ?? at) > GIVE_UP_AFTER_MS;
    await noteFailed(writer, delivery.id, { at, error, runAt: isOver ? null : next });
  }

  function waitAfter(delivery: Delivery): number {
    return Math.ceil((WAITS[delivery.attempts] ?? WAITS.at(-1)!) * 1000 * options.retryScale);
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
    void Promise.all([...held.keys()].map(letHeldGo)).then(wake);
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
      state.paused = true;
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
