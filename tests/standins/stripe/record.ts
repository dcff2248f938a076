/** A client that holds every single answer of the stand-in against Stripe's own types, so that no state of any object goes unchecked. */
import { Stripe } from 'stripe';
import { openShapes } from './shapes.ts';
import { startShop, type Shop } from './shop.ts';

/** What an object calls itself, and what the SDK calls its type. */
const TYPES = {
  balance: 'Balance',
  balance_settings: 'BalanceSettings',
  balance_transaction: 'BalanceTransaction',
  charge: 'Charge',
  'checkout.session': 'Checkout.Session',
  customer: 'Customer',
  dispute: 'Dispute',
  event: 'Event',
  item: 'LineItem',
  payment_intent: 'PaymentIntent',
  payment_method: 'PaymentMethod',
  payout: 'Payout',
  price: 'Price',
  product: 'Product',
  refund: 'Refund',
  webhook_endpoint: 'WebhookEndpoint',
} as const;
const DELETED = {
  customer: 'DeletedCustomer',
  product: 'DeletedProduct',
  webhook_endpoint: 'DeletedWebhookEndpoint',
} as const;
type Shape = (typeof TYPES)[keyof typeof TYPES] | (typeof DELETED)[keyof typeof DELETED];

export interface Recorder {
  /** Checks one answer; lists and search results part by part. */
  check: (body: unknown) => void;
  complaints: string[];
  /** Every object seen so far as `kind status`. */
  seen: Set<string>;
}

let complaintsOf: ((value: unknown, name: Shape) => string[]) | undefined;

/** What is wrong with a value by the SDK's type of that name; the first call compiles them all, which takes seconds. */
export function compare(value: unknown, name: Shape): string[] {
  complaintsOf ??= openShapes([...Object.values(TYPES), ...Object.values(DELETED)]);
  return complaintsOf(value, name);
}

export function openRecorder(): Recorder {
  const recorder: Recorder = { check, complaints: [], seen: new Set() };

  function check(body: unknown): void {
    if (typeof body !== 'object' || body === null) {
      recorder.complaints.push(`no object: ${JSON.stringify(body)}`);
      return;
    }
    const { object, data, error } = body as {
      object?: string;
      data?: unknown[];
      error?: { type?: unknown; message?: unknown };
    };
    if (error !== undefined) {
      if (typeof error.type !== 'string' || typeof error.message !== 'string')
        recorder.complaints.push(`no error as clients know it: ${JSON.stringify(error)}`);
    } else if (object === 'list' || object === 'search_result') {
      for (const each of data ?? []) check(each);
    } else if (object !== undefined && object in TYPES) {
      const { status, type, deleted } = body as { status?: string; type?: string; deleted?: true };
      recorder.seen.add(
        `${object} ${String(deleted ? 'deleted' : object === 'event' ? type : (status ?? '-'))}`,
      );
      const name =
        deleted && object in DELETED
          ? DELETED[object as keyof typeof DELETED]
          : TYPES[object as keyof typeof TYPES];
      recorder.complaints.push(
        ...compare(body, name).map(
          (line) => `${line} (${String(object === 'event' ? type : (status ?? ''))})`,
        ),
      );
    } else {
      recorder.complaints.push(`unknown object: ${String(object)}`);
    }
  }
  return recorder;
}

/** A shop whose SDK reports to the recorder what came over the wire, before it has made anything of it. */
export async function startRecordedShop(recorder: Recorder): Promise<Shop> {
  const shop = await startShop();
  const watched: typeof fetch = async (...args) => {
    const answer = await fetch(...args);
    recorder.check(await answer.clone().json());
    return answer;
  };
  const stripe = new Stripe(shop.running.secretKey, {
    host: '127.0.0.1',
    port: shop.running.port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(watched),
  });
  return { ...shop, stripe };
}

/** Everything that has ever been announced, newest first. */
export async function allEvents(stripe: Stripe): Promise<Stripe.Event[]> {
  const all: Stripe.Event[] = [];
  for await (const event of stripe.events.list({ limit: 100 })) all.push(event);
  return all;
}
