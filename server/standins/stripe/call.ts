/** The types that every handler gets: the store, the clock and one parsed request. */
import type { Reader, Store, Writer } from '#server/standins/kit/store.ts';
import type { Form } from './transport/forms.ts';

/** The API version of the SDK that our adapters use; the stand-in speaks no other. */
export const VERSION = '2026-10-28.endive';

/** Made at the first start and kept. */
export interface Settings {
  /** Signs the addresses of receipts. */
  receiptSecret: string;
  /** Makes fingerprints from which a card number cannot be found. */
  fingerprintSalt: string;
  /** The id of the account's one configuration of payment methods. */
  methodConfiguration: string;
}

/** For reading. */
export interface ReadDesk {
  store: Reader;
  /** Epoch milliseconds. */
  now: () => number;
  /** Where the buyer's browser reaches the hosted page, without a trailing slash. */
  publicUrl: string;
  settings: Settings;
}

/** For writing, in the transaction of one call or one task. */
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
  requestId: string;
  idempotencyKey: string | null;
}

export interface Call extends ReadCall {
  store: Writer;
}

/** The desk in a transaction. */
export function within<S extends Reader>(desk: ReadDesk, store: S): ReadDesk & { store: S } {
  const { now, publicUrl, settings } = desk;
  return { store, now, publicUrl, settings };
}

export function seconds(desk: Pick<ReadDesk, 'now'>): number {
  return Math.floor(desk.now() / 1000);
}
