/** The types that every handler gets: the store, the clock and one parsed request. */
import type { Reader, Store, Writer } from '#server/standins/kit/store.ts';
import type { Form } from './transport/forms.ts';

/** The API version of the SDK this stand-in was checked against. */
export const CURRENT_VERSION = '2026-10-28.endive';
/** What a request without a `Stripe-Version` header gets: an account made before the checkout parameters were renamed. */
export const ACCOUNT_VERSION = '2025-03-31.basil';

/** Made at the first start and kept. */
export interface Settings {
  /** Signs the addresses of receipts. */
  receiptSecret: string;
  /** Makes fingerprints of cards that lead nowhere back. */
  fingerprintSalt: string;
  /** The id of the account's one configuration of payment methods. */
  methodConfiguration: string;
}

/** Who only reads. */
export interface ReadDesk {
  store: Reader;
  /** Epoch milliseconds. */
  now: () => number;
  /** Where the buyer's browser reaches the hosted page, without a trailing slash. */
  publicUrl: string;
  settings: Settings;
}

/** Who writes, in the transaction of one call or one task. */
export interface Desk extends ReadDesk {
  store: Writer;
}

/** Outside of transactions. */
export interface OpenDesk extends ReadDesk {
  store: Store;
}

export interface ReadCall extends ReadDesk {
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

export interface Call extends ReadCall {
  store: Writer;
}

/** Returned, not thrown, also for a declined card: its writes are kept and its answer is replayed. */
export interface Reply {
  status: number;
  body: unknown;
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** The desk in somebody's transaction. */
export function within<S extends Reader>(desk: ReadDesk, store: S): ReadDesk & { store: S } {
  const { now, publicUrl, settings } = desk;
  return { store, now, publicUrl, settings };
}

export function seconds(desk: Pick<ReadDesk, 'now'>): number {
  return Math.floor(desk.now() / 1000);
}

/** Versions are dates with a name behind. */
export function isSince(call: ReadCall, date: string): boolean {
  return call.version.slice(0, 10) >= date;
}
