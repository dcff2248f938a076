/** The rows of an event's book, one fact each (.github/decisions/2026-11-26-the-book.md). */
import type { Direction } from '#server/domain/door/admission.ts';
import type { RefundState } from '#server/domain/payment/refund.ts';
import type { DayHead } from './heads.ts';

/** The first line; `opened` is the time of the first row, ISO in UTC. */
export interface BookHeader {
  format: typeof bookFormat;
  book: string;
  opened: string;
}
export const bookFormat = 'bordero/1';

/** Cents paid by one way of payment. */
export interface MethodSum {
  method: string;
  cents: number;
}

/**
 * What happened. A number that names another row (`ticket`, `payment`, `refund`, `dispute`,
 * `admission`, `of`) is the number of the row that first recorded it; `order` is the order's
 * number as its buyer knows it. `buyer`, `mail` and `holder` are salted hashes; null: not known,
 * or erased. Money is integer cents. A `payout_line` is what Stripe sent to the bank or kept back
 * for a payment, a refund or a dispute (`of`), in the payout of that name. In an admission,
 * `counts` is false once it was taken back, and `second` says that another phone had let the same
 * ticket in before.
 */
export type Fact =
  | { kind: 'event'; title: string; venue: string; starts_at: string; status: string }
  | {
      kind: 'order';
      order: string;
      channel: string;
      total_cents: number;
      gift: boolean;
      buyer: string | null;
      mail: string | null;
    }
  | {
      kind: 'ticket';
      order: string;
      place: string;
      seat: string;
      category: string;
      type: string;
      price_cents: number;
      fee_cents: number;
      revision: number;
      test: boolean;
    }
  | {
      kind: 'ticket_revised';
      ticket: number;
      place: string;
      seat: string;
      category: string;
      price_cents: number;
      revision: number;
      holder: string | null;
    }
  | { kind: 'ticket_ended'; ticket: number; as: string }
  | { kind: 'ticket_revived'; ticket: number }
  | { kind: 'payment'; order: string; means: string; method: string | null; cents: number }
  | { kind: 'fee'; payment: number; cents: number }
  | {
      kind: 'refund';
      order: string;
      means: string;
      method: string | null;
      state: RefundState;
      cents: number;
      fee_cents: number;
      tickets: number[];
    }
  | { kind: 'refund_became'; refund: number; state: RefundState; cents: number; fee_cents: number }
  | { kind: 'dispute'; order: string; cents: number; status: string }
  | { kind: 'dispute_became'; dispute: number; cents: number; status: string }
  | {
      kind: 'payout_line';
      of: number;
      payout: string;
      cents: number;
      fee_cents: number;
      net_cents: number;
    }
  | {
      kind: 'admission';
      ticket: number | null;
      place: string;
      revision: number;
      direction: Direction;
      gate: string | null;
      by: 'phone' | 'desk';
      offline: boolean;
      override: boolean;
      counts: boolean;
      second: boolean;
    }
  | { kind: 'admission_became'; admission: number; counts: boolean; second: boolean }
  | {
      kind: 'shift';
      till: string;
      opened_at: string;
      closed_at: string;
      float_cents: number;
      expected_cents: number;
      counted_cents: number;
      /** Money of this event alone. */
      taken: MethodSum[];
      given_back: MethodSum[];
    }
  | ({ kind: 'head' } & DayHead);

/**
 * `at`: when it happened, ISO in UTC; a scan that arrives late has a later row but its own time.
 */
export type BookRow = { n: number; at: string } & Fact;

export type FactOf<K extends Fact['kind']> = Extract<Fact, { kind: K }>;
