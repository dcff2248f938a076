/** The types that every handler gets: the store, the clock and a parsed request. */
import type { Reader, Store, Writer } from '#server/standins/kit/store.ts';
import type { Form } from './transport/forms.ts';

/** The API version of the SDK in our adapters; the stand-in knows no other version. */
export const VERSION = '2026-10-28.endive';

/** Values made at the first start and then stored. */
export interface Settings {
  /** The secret that signs the addresses of receipts. */
  receiptSecret: string;
  /** The secret for fingerprints, from which no card number can be computed. */
  fingerprintSalt: string;
  /** The id of the account's only configuration of payment methods. */
  methodConfiguration: string;
}

export interface ReadDesk {
  store: Reader;
  /** Epoch milliseconds. */
  now: () => number;
  /** Where the buyer's browser reaches the hosted page, without a trailing slash. */
  publicUrl: string;
  settings: Settings;
}

/** The same in the transaction of a call or a due task. */
export interface Desk extends ReadDesk {
  store: Writer;
}

/** The same outside of transactions. */
export interface OpenDesk extends ReadDesk {
  store: Store;
}

export interface ReadCall extends ReadDesk {
  /** The parameters of the query and the body. */
  form: Form;
  /** The `:id` of the address. */
  id: string;
  requestId: string;
  idempotencyKey: string | null;
}

export interface Call extends ReadCall {
  store: Writer;
}

/** The same facts in a transaction. */
export function within<S extends Reader>(desk: ReadDesk, store: S): ReadDesk & { store: S } {
  const { now, publicUrl, settings } = desk;
  return { store, now, publicUrl, settings };
}

export function seconds(desk: Pick<ReadDesk, 'now'>): number {
  return Math.floor(desk.now() / 1000);
}
