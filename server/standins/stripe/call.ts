/** What a handler holds: the stand-in's long-lived things, and one request already read. */
import type { Store } from '#server/standins/store.ts';
import type { Form } from './transport/forms.ts';

/** The API version of the SDK this stand-in was checked against. */
export const CURRENT_VERSION = '2026-10-28.endive';
/** What a request without a `Stripe-Version` header gets: an account made before the checkout parameters were renamed. */
export const ACCOUNT_VERSION = '2025-03-31.basil';

export interface Desk {
  store: Store;
  /** Epoch milliseconds. */
  now: () => number;
  /** Where the buyer's browser reaches the hosted page, without a trailing slash. */
  publicUrl: string;
}

export interface Call extends Desk {
  /** Query and body together. */
  form: Form;
  /** The `:id` of the address. */
  id: string;
  version: string;
  requestId: string;
  idempotencyKey: string | null;
  /** Whether the secret key was shown; the hosted page has none. */
  keyed: boolean;
}

/** Returned, not thrown, also for a declined card: its writes are kept and its answer is replayed. */
export interface Reply {
  status: number;
  body: unknown;
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

export function seconds(desk: Desk): number {
  return Math.floor(desk.now() / 1000);
}

/** Versions are dates with a name behind. */
export function isSince(call: Call, date: string): boolean {
  return call.version.slice(0, 10) >= date;
}
