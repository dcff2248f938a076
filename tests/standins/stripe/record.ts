/** Checks every answer of the stand-in against Stripe's own types, so every state is checked. */
import { openShapes } from './shapes.ts';

/** What an object calls itself, and what the SDK calls its type. */
const TYPES = {
  balance_settings: 'BalanceSettings',
  balance_transaction: 'BalanceTransaction',
  charge: 'Charge',
  'checkout.session': 'Checkout.Session',
  dispute: 'Dispute',
  event: 'Event',
  payment_intent: 'PaymentIntent',
  payment_method: 'PaymentMethod',
  payout: 'Payout',
  price: 'Price',
  product: 'Product',
  refund: 'Refund',
} as const;
type Shape = (typeof TYPES)[keyof typeof TYPES];

export interface Recorder {
  /** For the SDK: what came over the wire is checked before it has made anything of it. */
  fetch: typeof fetch;
  /** Checks one answer; lists part by part. */
  check: (body: unknown) => void;
  /** Checks what was delivered. */
  checkEvent: (raw: string) => void;
  complaints: string[];
  /** Every object seen so far as `kind status`. */
  seen: Set<string>;
}

let complaintsOf: ((value: unknown, name: Shape) => string[]) | undefined;

/** Lists what the SDK's type refuses in a value; the first call compiles all types in seconds. */
export function compare(value: unknown, name: Shape): string[] {
  complaintsOf ??= openShapes(Object.values(TYPES));
  return complaintsOf(value, name);
}

/** What was looked at and found good. */
const sound = new Set<string>();

export function openRecorder(): Recorder {
  const recorder: Recorder = {
    check,
    complaints: [],
    seen: new Set(),
    async fetch(...args) {
      const answer = await fetch(...args);
      // What a fault has cut or turned into a page is not what was meant.
      const text = await answer
        .clone()
        .text()
        .catch(() => '');
      if (text.startsWith('{')) check(JSON.parse(text));
      return answer;
    },
    checkEvent: (raw) => check(JSON.parse(raw)),
  };

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
    } else if (object === 'list') {
      for (const each of data ?? []) check(each);
    } else if (object !== undefined && object in TYPES) {
      const { status, type } = body as { status?: string; type?: string };
      recorder.seen.add(`${object} ${String(object === 'event' ? type : (status ?? '-'))}`);
      const name = TYPES[object as keyof typeof TYPES];
      // Ids and sums make no other shape; a word without a digit or a capital may be one of few.
      const shape = JSON.stringify(body).replaceAll(/(?<=_)(?=[a-z_]*[A-Z\d])\w{8,}|\d+/g, '0');
      if (sound.has(shape)) return;
      const found = compare(body, name);
      if (found.length === 0) sound.add(shape);
      const state = String(object === 'event' ? type : (status ?? ''));
      recorder.complaints.push(...found.map((line) => `${line} (${state})`));
    } else {
      recorder.complaints.push(`unknown object: ${String(object)}`);
    }
  }
  return recorder;
}
