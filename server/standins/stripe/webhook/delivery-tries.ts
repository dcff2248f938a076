/** Tries one delivery once, altered or postponed if a fault says so, and stores the outcome. */
import type { Writer } from '#server/standins/kit/store.ts';
import type { OpenDesk } from '#server/standins/stripe/call.ts';
import type { DeliveryFault, FaultHit } from '#server/standins/stripe/faults/fault-rules.ts';
import type { FaultBook } from '#server/standins/stripe/faults/faults.ts';
import {
  addDelivery,
  hold,
  letGo,
  noteDelivered,
  noteFailed,
  putBack,
  sendAgain,
  type Delivery,
} from '#server/standins/stripe/statements/deliveries.ts';
import { findObject } from '#server/standins/stripe/statements/objects.ts';
import { post, type Outcome } from './delivery-request.ts';
import type { StripeEvent } from './events.ts';
import type { WebhookEndpoint } from './webhook-endpoints.ts';

const HOURS = 3600;
/** Waits in seconds after failed tries, as in live mode; Stripe publishes only 3 days in all. */
const WAITS = [300, 1800, 2 * HOURS, 5 * HOURS, 10 * HOURS];
/** The wait in seconds after every further failed try. */
const LAST_WAIT = 12 * HOURS;
const GIVE_UP_AFTER_MS = 3 * 24 * HOURS * 1000;
/** The longest pause of an endpoint that did not answer, because other tries would also fail. */
const LONGEST_REST_MS = 2000;

export interface DeliveryOptions {
  /** Shortens the waits between tries, but not the three days in total; 1 is Stripe's pace. */
  retryScale: number;
  /** How many tries may run at the same time. */
  inFlight: number;
  timeoutMs: number;
}

/** What all tries use. */
export interface Courier {
  desk: OpenDesk & { faults: FaultBook };
  options: DeliveryOptions;
  /** Aborts running tries. */
  signal: AbortSignal;
  pause: () => void;
  /** When each endpoint that did not answer may be tried again, by the machine's clock. */
  restingUntil: Map<string, number>;
  /** The deliveries that each fault rule holds. */
  held: Map<string, number[]>;
}

export async function tryOnce(courier: Courier, delivery: Delivery): Promise<void> {
  const { desk, options, signal } = courier;
  const { store, faults } = desk;
  const endpoint = await findObject<WebhookEndpoint>(store, 'webhook_endpoint', delivery.endpoint);
  const event = await findObject<StripeEvent>(store, 'event', delivery.event);
  const at = desk.now();
  if (!endpoint || !event) {
    const error = 'The endpoint or the event is gone.';
    return store.write((writer) => noteFailed(writer, delivery.id, { at, error, runAt: null }));
  }
  const fault = faults.matchDelivery({
    id: delivery.id,
    event: event.type,
  });
  if (fault && (await isPostponed(courier, delivery, fault))) return;
  const spoilt = fault?.rule.action;
  const outcome: Outcome =
    spoilt === 'drop'
      ? { error: 'The event was lost on its way (fault)', answered: true }
      : await post(desk, { endpoint, event, spoilt }, { signal, timeoutMs: options.timeoutMs });
  if (fault) fault.hit.executed = spoilt !== 'drop';
  if (signal.aborted && outcome.error !== null)
    return store.write((writer) => putBack(writer, delivery.id));
  if (!outcome.answered)
    courier.restingUntil.set(
      endpoint.id,
      Date.now() + Math.min(waitAfter(courier, delivery), LONGEST_REST_MS),
    );
  await store.write((writer) => note(courier, writer, { delivery, at, error: outcome.error }));
}

/** True if this try must not be made now. */
async function isPostponed(
  courier: Courier,
  delivery: Delivery,
  { rule, hit }: { rule: DeliveryFault & { id: string }; hit: FaultHit },
): Promise<boolean> {
  const { desk, held } = courier;
  const { store } = desk;
  switch (rule.action) {
    case 'pause':
      courier.pause();
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
      if (waiting.length >= (rule.hold ?? 2)) await letHeldGo(courier, rule.id);
      hit.executed = false;
      return true;
    }
    default:
      return false;
  }
}

/** Releases the deliveries in reverse order, so that the disorder is always the same. */
async function letHeldGo({ desk, held }: Courier, rule: string): Promise<void> {
  const ids = held.get(rule) ?? [];
  held.delete(rule);
  await desk.store.write((writer) => letGo(writer, ids.toReversed()));
}

/** `at`: when the try started. */
async function note(
  courier: Courier,
  writer: Writer,
  tried: { delivery: Delivery; at: number; error: string | null },
): Promise<void> {
  const { delivery, at, error } = tried;
  if (error === null) return noteDelivered(writer, delivery.id, at);
  const next = at + waitAfter(courier, delivery);
  const isOver = next - (delivery.first_at ?? at) > GIVE_UP_AFTER_MS;
  await noteFailed(writer, delivery.id, { at, error, runAt: isOver ? null : next });
}

function waitAfter({ options }: Courier, { attempts }: Delivery): number {
  return Math.ceil((WAITS[attempts] ?? LAST_WAIT) * 1000 * options.retryScale);
}

/** Releases the deliveries that faults hold. */
export async function letAllHeldGo(courier: Courier): Promise<void> {
  await Promise.all([...courier.held.keys()].map((rule) => letHeldGo(courier, rule)));
}
