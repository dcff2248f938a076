/** Sends events to their endpoints, signed as Stripe signs them, again and again until somebody answers 2xx: at least once, from a durable queue. */
import { createHmac } from 'node:crypto';
import { CURRENT_VERSION, type Desk } from './call.ts';
import { withPending, type StripeEvent } from './events.ts';
import { allObjects, findObject } from './objects.ts';
import { secretOf, versionOf, type WebhookEndpoint } from './webhook-endpoints.ts';
import type { Store } from '#server/standins/store.ts';

/** Seconds until the next try; the first steps are short because the receiver may just be starting. After the last one: hourly. */
const WAITS = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 300, 900, 1800];
const HOURLY = 3600;
const GIVE_UP_AFTER = 3 * 24 * HOURLY * 1000;
const TIMEOUT = 10_000;
/** Where nobody answers at all, one try stands for all: the lane rests, at most this long, so that a receiver that comes back is noticed at once. */
const LONGEST_REST = 2000;

interface Delivery { id: number; event: string; endpoint: string; attempts: number; first_at: number | null }

export interface Deliverer {
  /** Looks at the queue now; called after each commit. */
  wake: () => void;
  /** Resolves when everything that was due has been tried. */
  settle: () => Promise<void>;
  /** Stops after the tries in flight. */
  close: () => Promise<void>;
}

export function prepareDeliveries(store: Store): void {
  store.exec(`
    CREATE TABLE IF NOT EXISTS stripe_deliveries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      event TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      first_at INTEGER,
      run_at INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
      last_error TEXT
    );
    CREATE INDEX IF NOT EXISTS stripe_deliveries_due ON stripe_deliveries (endpoint, run_at, id) WHERE state = 'pending';
    CREATE INDEX IF NOT EXISTS stripe_deliveries_by_event ON stripe_deliveries (event, state);
  `);
}

/** `t=<unix seconds>,v1=<hex hmac-sha256 of "t.body">`; the whole `whsec_…` text is the key. */
function signatureOf(secret: string, body: string, at: number): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}

/** One lane per endpoint, so that events arrive in order while all goes well and a dead receiver does not hold up another. */
export function startDeliverer(desk: Desk): Deliverer {
  const lanes = new Map<string, Promise<void>>();
  const restingUntil = new Map<string, number>();
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    if (stop.signal.aborted) return;
    for (const { id } of allObjects<WebhookEndpoint>(desk.store, 'webhook_endpoint')) {
      if (lanes.has(id) || (restingUntil.get(id) ?? 0) > Date.now()) continue;
      lanes.set(id, drain(id).catch((error: unknown) => {
        // Nothing is lost: the row stays pending and the next turn finds it.
        console.error('stripe stand-in:', error);
      }).then(() => {
        lanes.delete(id);
        sleepUntilDue();
      }));
    }
  }

  async function drain(endpointId: string): Promise<void> {
    // The caller's answer goes out first, as it would from a far-away server.
    await new Promise((resolve) => { setImmediate(resolve); });
    for (let next = due(desk.store, endpointId); next && !stop.signal.aborted; next = due(desk.store, endpointId)) {
      const outcome = await send(desk, next, stop.signal);
      if (stop.signal.aborted && outcome.error !== null) return;
      note(desk.store, next, outcome.error);
      if (!outcome.answered) {
        restingUntil.set(endpointId, Date.now() + Math.min(waitAfter(next), LONGEST_REST));
        return;
      }
    }
  }

  function sleepUntilDue(): void {
    clearTimeout(timer);
    if (stop.signal.aborted) return;
    const rows = desk.store.prepare<[], { endpoint: string; run_at: number }>(
      "SELECT endpoint, min(run_at) AS run_at FROM stripe_deliveries WHERE state = 'pending' GROUP BY endpoint",
    ).all();
    const next = Math.min(...rows.map(({ endpoint, run_at }) => Math.max(run_at, restingUntil.get(endpoint) ?? 0)));
    if (next === Infinity) return;
    timer = setTimeout(wake, Math.min(Math.max(next - Date.now(), 10), HOURLY * 1000));
    timer.unref();
  }

  return {
    wake,
    async settle() {
      restingUntil.clear();
      wake();
      while (lanes.size > 0) await Promise.all(lanes.values());
    },
    async close() {
      stop.abort();
      clearTimeout(timer);
      await Promise.all(lanes.values());
    },
  };
}

/** The queue waits in wall time, because what it waits for is a real receiver; `now` may stand still in a test. */
function due(store: Store, endpointId: string): Delivery | undefined {
  return store.prepare<[string, number], Delivery>(
    "SELECT id, event, endpoint, attempts, first_at FROM stripe_deliveries WHERE state = 'pending' AND endpoint = ? AND run_at <= ? ORDER BY id LIMIT 1",
  ).get(endpointId, Date.now());
}

/** `error` is null when the receiver took it, else why not; `answered`: whether anybody was there. */
async function send(desk: Desk, delivery: Delivery, stop: AbortSignal): Promise<{ error: string | null; answered: boolean }> {
  const endpoint = findObject<WebhookEndpoint>(desk.store, 'webhook_endpoint', delivery.endpoint);
  const event = findObject<StripeEvent>(desk.store, 'event', delivery.event);
  if (!endpoint || !event) return { error: 'The endpoint or the event is gone.', answered: true };
  const body = JSON.stringify({ ...withPending(desk, event), api_version: versionOf(endpoint) }, null, 2);
  // The later of the two clocks: receivers refuse what is old and take what is ahead, whichever clock they go by.
  const at = Math.floor(Math.max(desk.now(), Date.now()) / 1000);
  try {
    const answer = await fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Stripe-Signature': signatureOf(secretOf(desk.store, endpoint.id), body, at),
        'User-Agent': `Stripe/1.0 (stand-in; ${CURRENT_VERSION})`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT)]),
    });
    await answer.body?.cancel();
    return { error: answer.ok ? null : `HTTP ${answer.status}`, answered: true };
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error), answered: false };
  }
}

function waitAfter(delivery: Delivery): number {
  return (WAITS[delivery.attempts] ?? HOURLY) * 1000;
}

function note(store: Store, delivery: Delivery, error: string | null): void {
  const at = Date.now();
  const first = delivery.first_at ?? at;
  const wait = waitAfter(delivery);
  const state = error === null ? 'delivered' : at + wait - first > GIVE_UP_AFTER ? 'failed' : 'pending';
  store.prepare('UPDATE stripe_deliveries SET state = ?, attempts = ?, first_at = ?, run_at = ?, last_error = ? WHERE id = ?')
    .run(state, delivery.attempts + 1, first, at + wait, error, delivery.id);
}
